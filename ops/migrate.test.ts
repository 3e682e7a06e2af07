import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, beforeAll, test } from 'vitest'
import { onDatabase } from '../tools/test/template.ts'
import { migrate } from './migrate.ts'

const adminUrl = process.env.TEST_DATABASE_URL!
const name = `migrate_${randomBytes(4).toString('hex')}`
const url = onDatabase(adminUrl, name)
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
const directory = mkdtempSync(join(tmpdir(), 'migrate-test-'))
const script = fileURLToPath(new URL('./migrate.ts', import.meta.url))

beforeAll(() => admin`create database ${admin(name)}`)
afterAll(async () => {
  await admin`drop database ${admin(name)} with (force)`
  await admin.end()
  rmSync(directory, { recursive: true })
})

const write = (file: string, up: string) =>
  writeFileSync(join(directory, file), `-- migrate:up${up}\n\n-- migrate:down\n`)

test('ten at once on an empty database: each migration is applied once', async () => {
  write('20260101000001_notes.sql', '\ncreate table notes (id int primary key); select pg_sleep(0.3);')
  // Waits for every snapshot in the database, so none of the other nine may hold one while waiting.
  write(
    '20260101000002_index.sql',
    ' transaction:false\ncreate index concurrently notes_odd on notes (id) where id % 2 = 1;',
  )
  // Files that are not migrations have no number.
  writeFileSync(join(directory, 'schema.sql'), 'nonsense')
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(url, directory)))
  assert.deepEqual(applied.flat(), ['20260101000001_notes.sql', '20260101000002_index.sql'])
})

test('nothing new: nothing applied', async () => {
  assert.deepEqual(await migrate(url, directory), [])
})

test('an index that was left half-built is built again', async () => {
  const build = 'create unique index concurrently if not exists notes_unique on notes ((id / 2))'
  write('20260101000003_unique.sql', ` transaction:false\n${build};`)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`insert into notes values (2), (3)`
    await assert.rejects(migrate(url, directory), /could not create unique index/)
    const isValid = async () =>
      (await sql`select indisvalid from pg_index where indexrelid = 'notes_unique'::regclass`)[0]
    assert.deepEqual(await isValid(), { indisvalid: false })
    await sql`delete from notes`
    assert.deepEqual(await migrate(url, directory), ['20260101000003_unique.sql'])
    assert.deepEqual(await isValid(), { indisvalid: true })
  } finally {
    await sql.end()
  }
})

test('a broken migration is one line that names it, and leaves the lock free', async () => {
  write('20260101000004_broken.sql', '\nselect nonsense;')
  for (const attempt of [1, 2]) {
    await assert.rejects(migrate(url, directory), (error: Error) => {
      assert.match(error.message, /^migration 20260101000004_broken\.sql failed: .*"nonsense"/, `attempt ${attempt}`)
      return !error.message.includes('\n')
    })
  }
})

test('the command says what is wrong in one line and fails', () => {
  const cases: [string, RegExp][] = [
    ['', /^agent-calendar: DATABASE_URL: is required\n$/],
    [
      'postgres://ada:secret@127.0.0.1:1/nowhere',
      /^agent-calendar: DATABASE_URL: 127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. Is Postgres running there\?\n$/,
    ],
    [
      'postgres://ada:secret@nohost.invalid/nowhere',
      /^agent-calendar: DATABASE_URL: the host nohost\.invalid is unknown \((ENOTFOUND|EAI_AGAIN)\)\. Correct its name\.\n$/,
    ],
    [onDatabase(adminUrl, 'nowhere'), /^agent-calendar: DATABASE_URL: database "nowhere" does not exist\n$/],
    ['postgres://127.0.0.1:1/nowhere?prepare=false', /^agent-calendar: DATABASE_URL: .* not of a pooler.*\n$/],
  ]
  for (const [databaseUrl, line] of cases) {
    const env = { ...process.env, DATABASE_URL: databaseUrl }
    const done = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
    assert.equal(done.status, 1)
    assert.match(done.stderr, line)
  }
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { migrate } from '../../ops/migrate.ts'
import { onDatabase } from '../../tools/test/template.ts'
import { directly } from '../testing/harness.ts'

// Migrations are not for poolers: they hold a lock of their session.
const adminUrl = directly(process.env.TEST_DATABASE_URL!)
const name = `audit_${randomBytes(4).toString('hex')}`
const url = onDatabase(adminUrl, name)
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
const directory = mkdtempSync(join(tmpdir(), 'audit-migration-'))
const migrations = join(import.meta.dirname, '../../migrations')

before(() => admin`create database ${admin(name)}`)
after(async () => {
  await admin`drop database ${admin(name)} with (force)`
  await admin.end()
  rmSync(directory, { recursive: true })
})

test('what was in the log before it was partitioned is in it afterwards, however old', async () => {
  const files = readdirSync(migrations).sort()
  const partitioning = files.findIndex((file) => file.endsWith('_audit.sql'))
  for (const file of files.slice(0, partitioning)) copyFileSync(join(migrations, file), join(directory, file))
  await migrate(url, directory)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`
      insert into audit_entries (org_id, id, action, path, created_at)
      select gen_random_uuid(), gen_random_uuid(), 'agent.create', '/v1/agents', now() - days * interval '1 day'
      from unnest(array[0, 0.5, 3, 89, 120, 2000, -1, -30]) as days`
    const entries = () => sql`select * from audit_entries order by id`
    const before = await entries()
    for (const file of files) copyFileSync(join(migrations, file), join(directory, file))
    await migrate(url, directory)
    // Later migrations added a column that nothing of that time fills.
    const expected = before.map((entry) => ({ ...entry, actor_account: null }))
    assert.deepEqual([...(await entries())], expected)
    const places = await sql<{ place: string }[]>`
      select tableoid::regclass::text as place from audit_entries order by created_at`
    assert.deepEqual(
      places.map(({ place }) => place === 'audit_entries_default'),
      [true, true, false, false, false, false, false, true],
    )
  } finally {
    await sql.end()
  }
})

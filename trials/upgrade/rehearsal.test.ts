// The migrations that the rehearsal of an upgrade brings along fit the schema of today.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, test } from 'vitest'
import { migrate } from '../../ops/migrate.ts'
import { schemaOf } from '../../tools/schema.ts'
import { onDatabase, templateName } from '../../tools/test/template.ts'

const adminUrl = process.env.TEST_DATABASE_URL!
const name = `rehearsal_${randomBytes(4).toString('hex')}`
const url = onDatabase(adminUrl, name)
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })

beforeAll(() => admin`create database ${admin(name)} template ${admin(templateName)}`)
afterAll(async () => {
  await admin`drop database ${admin(name)} with (force)`
  await admin.end()
})

test('a rehearsal adds a column and its index, and leaves the schema as it found it', async () => {
  const before = await schemaOf(url)
  await migrate(url, join(import.meta.dirname, 'added'))
  const lines = (await schemaOf(url)).split('\n').filter((line) => !before.split('\n').includes(line))
  assert.deepEqual(
    lines.map((line) => line.trim()),
    [
      'rehearsed boolean DEFAULT false NOT NULL,',
      'CREATE INDEX events_rehearsed ON events (org_id, id) WHERE rehearsed;',
    ],
  )
  await migrate(url, join(import.meta.dirname, 'removed'))
  assert.equal(await schemaOf(url), before)
})

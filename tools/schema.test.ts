import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { afterAll, beforeAll, test } from 'vitest'
import { schemaFile, schemaOf } from './schema.ts'
import { onDatabase, templateName } from './test/template.ts'

const adminUrl = process.env.TEST_DATABASE_URL!
const name = `schema_${randomBytes(4).toString('hex')}`
const url = onDatabase(adminUrl, name)
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
let sql: postgres.Sql

beforeAll(async () => {
  await admin`create database ${admin(name)} template ${admin(templateName)}`
  sql = postgres(url, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql.end()
  await admin`drop database ${admin(name)} with (force)`
  await admin.end()
})

test('migrations/schema.sql is what the migrations make', async () => {
  const [written, made] = [readFileSync(schemaFile, 'utf8'), await schemaOf(url)].map((text) => text.split('\n'))
  const gone = written!.filter((line) => !made!.includes(line)).map((line) => `- ${line}`)
  const missing = made!.filter((line) => !written!.includes(line)).map((line) => `+ ${line}`)
  assert.deepEqual([...gone, ...missing], [], 'write it anew: npm run schema')
  assert.deepEqual(written, made, 'write it anew: npm run schema')
})

/** A statement, and the lines that it brings. */
const changes: [string, ...string[]][] = [
  ['create table notes (id integer, word text)', 'CREATE TABLE notes (', '  id integer', '  word text'],
  ['alter table notes add primary key (id)', '  id integer NOT NULL', '  CONSTRAINT notes_pkey PRIMARY KEY (id)'],
  ["alter table notes alter word set default 'none'", "  word text DEFAULT 'none'"],
  ['alter table notes alter word type varchar(20)', "  word character varying(20) DEFAULT 'none'"],
  [
    'alter table notes add count bigint generated always as identity',
    '  count bigint GENERATED ALWAYS AS IDENTITY NOT NULL',
  ],
  [
    'alter table notes add twice int generated always as (id * 2) stored',
    '  twice integer GENERATED ALWAYS AS (id * 2) STORED',
  ],
  ['alter table notes add check (id > 7)', '  CONSTRAINT notes_id_check CHECK (id > 7)'],
  [
    'alter table notes add foreign key (id) references notes on delete cascade',
    '  CONSTRAINT notes_id_fkey FOREIGN KEY (id) REFERENCES notes(id) ON DELETE CASCADE',
  ],
  ['create index words on notes (word desc) where id > 0', 'CREATE INDEX words ON notes (word DESC) WHERE id > 0;'],
  [
    'alter index words set (fillfactor = 70)',
    "CREATE INDEX words ON notes (word DESC) WITH (fillfactor='70') WHERE id > 0;",
  ],
  ['alter table notes set (fillfactor = 60)', ') WITH (fillfactor=60);'],
  [
    'create trigger watch before update on notes for each row execute function suppress_redundant_updates_trigger()',
    'CREATE TRIGGER watch BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();',
  ],
  [
    "create or replace function app_now() returns timestamptz language sql as 'select clock_timestamp()'",
    'AS $function$select clock_timestamp()$function$;',
  ],
  ["select make_audit_partitions('2020-01-01', '2020-01-02')"],
]

test('it shows every change, but for the partitions of single days', async () => {
  const linesNow = async () => (await schemaOf(url)).split('\n').map((line) => line.replace(/,$/, ''))
  for (const [statement, ...expected] of changes) {
    const earlier = await linesNow()
    await sql.unsafe(statement)
    const brought = (await linesNow()).filter((line) => !earlier.includes(line))
    assert.deepEqual(brought, expected, statement)
  }
})

test('it refuses what it cannot show', async () => {
  await sql`create view sources as select source from sweeps`
  await assert.rejects(schemaOf(url), /^Error: tools\/schema\.ts shows only tables and functions, not sources$/)
  await sql`drop view sources`
  await sql`create type weekday as enum ('monday')`
  await assert.rejects(schemaOf(url), /not weekday$/)
})

import assert from 'node:assert/strict'
import postgres from 'postgres'
import { directly } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { copied, openCopy } from './copyRows.ts'

const test = serviceTest().extend('sql', perFile, async ({ service }, { onCleanup }) => {
  const sql = postgres(directly(service.app.config.databaseUrl), { max: 2, onnotice: () => {} })
  onCleanup(() => sql.end({ timeout: 0 }))
  await sql`create table copied (id integer primary key, name text, bytes bytea)`
  return sql
})

const columns = ['id', 'name', 'bytes']

async function copyIds(sql: postgres.Sql, ids: Iterable<number>) {
  const copy = await openCopy(sql, 'copied', columns)
  for (const id of ids) await copy.write([id, null, copied(Buffer.from('\\t'))])
  await copy.end()
}

test('rows are there once the copy has ended, two at the same time too', async ({ sql }) => {
  const [one, other] = [await openCopy(sql, 'copied', columns), await openCopy(sql, 'copied', columns)]
  await one.write([1, 'one', null])
  await other.write([2, null, copied(Buffer.from([0, 255, 92]))])
  await one.end()
  await other.end()
  assert.deepEqual(
    [...(await sql`select id, name, bytes from copied order by id`)],
    [
      { id: 1, name: 'one', bytes: null },
      { id: 2, name: null, bytes: Buffer.from([0, 255, 92]) },
    ],
  )
})

/** The last one is there twice, or the first two. */
const refused: [name: string, ids: number[]][] = [
  ['one row', [10, 10]],
  ['many rows, for the last one', [...Array.from({ length: 100_000 }, (_, nth) => 10 + nth), 10]],
  ['many rows, for an early one', [10, ...Array.from({ length: 100_000 }, (_, nth) => 10 + nth)]],
]
for (const [name, ids] of refused) {
  test(`a copy of ${name}, that Postgres refuses, fails, and leaves none of them`, { timeout: 15_000 }, async ({
    sql,
  }) => {
    await assert.rejects(copyIds(sql, ids), /^Error: rows of copied were refused/)
    const [row] = await sql`select count(*)::integer as count from copied where id >= 10`
    assert.equal(row!.count, 0)
  })
}

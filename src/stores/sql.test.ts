import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { serviceTest } from '../testing/test.ts'
import { integers, json, rowsOf, texts, uuids } from './sql.ts'

const test = serviceTest()

test('lists and JSON arrive with their types', async ({ service }) => {
  const { sql } = service.app
  const ids = [newId(), newId()]
  const [row] = await sql`
    select ${uuids(sql, ids)} as ids, to_jsonb(${texts(sql, ['a"b', 'c\\d, {e}', 'null', ''])}) as texts, ${integers(sql, [])} as integers,
      ${json(sql, { a: [1, null] })} as json`
  assert.deepEqual({ ...row }, { ids, texts: ['a"b', 'c\\d, {e}', 'null', ''], integers: [], json: { a: [1, null] } })
})

test('records become rows: each field is a column of its type, a field that is not named is left out', async ({
  service,
}) => {
  const { sql } = service.app
  const items = [
    {
      id: newId(),
      dueAt: new Date('2026-03-01T09:00:00.123Z'),
      content: Buffer.from([0, 255, 92]),
      isDone: true,
      left: 1,
    },
    { id: newId(), dueAt: null, content: null, isDone: false, left: 2 },
  ]
  const columns = { id: 'uuid', dueAt: 'timestamptz', content: 'bytea', isDone: 'boolean' } as const
  const rows = await sql`select i.* from ${rowsOf(sql, items, columns, 'i')}`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    items.map(({ left, ...item }) => item),
  )
  assert.equal((await sql`select from ${rowsOf(sql, items.slice(2), columns, 'i')}`).length, 0)
})

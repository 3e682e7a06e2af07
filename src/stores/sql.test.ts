import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { integers, json, rowsOf, texts, uuids } from './sql.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('lists and JSON arrive with their types', async () => {
  const { sql } = service.app
  const ids = [newId(), newId()]
  const [row] = await sql`
    select ${uuids(sql, ids)} as ids, to_jsonb(${texts(sql, ['a"b', 'c\\d, {e}', 'null', ''])}) as texts, ${integers(sql, [])} as integers,
      ${json(sql, { a: [1, null] })} as json`
  assert.deepEqual({ ...row }, { ids, texts: ['a"b', 'c\\d, {e}', 'null', ''], integers: [], json: { a: [1, null] } })
})

test('records become rows: each field a column of its type, those that are not named left out', async () => {
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

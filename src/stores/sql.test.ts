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
  for (const item of items) {
    const [row] = await sql`select i.* from ${rowsOf(sql, [item], columns, 'i')}`
    const { left, ...asked } = item
    assert.deepEqual({ ...row }, asked)
  }
  assert.equal((await sql`select from ${rowsOf(sql, items.slice(2), columns, 'i')}`).length, 0)
})

test('every value comes back as it was, whatever is in it', async ({ service }) => {
  const { sql } = service.app
  const said = ['NULL', 'null', '', ' ', 'a,b', '{}', '"', '\\', '\\x41', "it's", 'line\nbreak', 'ü 漢 🎈', null]
  const items = said.map((text, nth) => ({
    text,
    texts: nth === 0 ? null : said.filter((one) => one !== null).slice(nth),
    json: { [text ?? '']: [text, nth, { nothing: null }] },
    numbers: nth === 1 ? [] : [nth, 5 - nth],
    times: nth === 2 ? [] : [new Date(nth), new Date('0049-03-01T09:00:00.123Z')],
    share: nth / 3,
    big: 2 ** 53 - 1 - nth,
    small: nth - 5,
  }))
  const columns = {
    text: 'text',
    texts: 'text[]',
    json: 'jsonb',
    numbers: 'integer[]',
    times: 'timestamptz[]',
    share: 'double precision',
    big: 'bigint',
    small: 'smallint',
  } as const
  const rows = await sql`select i.*, to_jsonb(i.texts) as texts from ${rowsOf(sql, items, columns, 'i')}`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    items,
  )
  for (const item of items) {
    const [row] = await sql`select i.*, to_jsonb(i.texts) as texts from ${rowsOf(sql, [item], columns, 'i')}`
    assert.deepEqual({ ...row }, item, 'a single one')
  }
  const { texts, ...others } = columns
  const swapped = await sql`select i.* from ${rowsOf(sql, items, { texts, ...others }, 'i')}`
  assert.deepEqual(
    swapped.map(({ text }) => text),
    said,
  )
})

test('a field that a record lacks is null', async ({ service }) => {
  const { sql } = service.app
  const items: { id: string; label?: string }[] = [{ id: newId() }, { id: newId(), label: 'here' }]
  const rows = await sql`select i.* from ${rowsOf(sql, items, { id: 'uuid', label: 'text' }, 'i')}`
  assert.deepEqual(
    rows.map(({ label }) => label),
    [null, 'here'],
  )
})

test('bytes come back as they were in every column, empty ones and none included', async ({ service }) => {
  const { sql } = service.app
  const bytes = [Buffer.from([0, 44, 92, 255]), null, Buffer.alloc(0), Buffer.from('NULL'), Buffer.alloc(0)]
  for (const some of [bytes, bytes.slice(1, 2), bytes.slice(2, 3), []]) {
    const items = some.map((one) => ({ first: one, second: one }))
    const rows = await sql`select i.* from ${rowsOf(sql, items, { first: 'bytea', second: 'bytea' }, 'i')}`
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      items,
    )
  }
})

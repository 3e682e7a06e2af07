import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mapFields, mapItems } from './mapParts.ts'

const doubled = (value: unknown) => (typeof value === 'number' ? 2 * value : value)

test('what does not change is the same value', () => {
  const [record, items] = [{ a: 'one', b: null }, ['one', null]]
  assert.equal(mapFields(record, doubled), record)
  assert.equal(mapItems(items, doubled), items)
})

test('a change leaves the value itself as it was, and every field in its place', () => {
  const record = JSON.parse('{"b":1,"__proto__":2,"a":"one","c":{"deep":3}}')
  const text = JSON.stringify(record)
  const mapped = mapFields(record, doubled)
  assert.equal(JSON.stringify(mapped), '{"b":2,"__proto__":4,"a":"one","c":{"deep":3}}')
  assert.equal(JSON.stringify(record), text)
  assert.equal(mapped.c, record.c)
  const items = [1, 'one']
  assert.deepEqual(mapItems(items, doubled), [2, 'one'])
  assert.deepEqual(items, [1, 'one'])
})

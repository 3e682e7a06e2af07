import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { newId } from './ids.ts'

const list = 'events of one organization'

test('a cursor brings back the numbers and the id it was made of', () => {
  for (const at of [0, 1, -1, Date.now(), Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]) {
    const place = { at, id: newId(), last: 1 - at }
    assert.deepEqual(decodeCursor(list, encodeCursor(list, place)), place)
  }
})

test('it needs no escaping in an address', () => {
  assert.match(encodeCursor(list, { at: Date.now(), id: newId(), last: 0 }), /^[\w-]{51}$/)
})

test('that of another list, or any other text, is refused', () => {
  const place = { at: Date.now(), id: newId(), last: 0 }
  const good = encodeCursor(list, place)
  const bad = ['', 'x', good.slice(1), `${good}A`, `${good}=`, ` ${good}`, good.replace(/.$/, '+'), '_'.repeat(51)]
  for (const text of [...bad, encodeCursor('another list', place)]) {
    assert.equal(decodeCursor(list, text), undefined, text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

test('a cursor brings back the time and the id it was made of', () => {
  for (const at of [0, 1, Date.now(), Date.parse('9999-12-31T23:59:59.999Z')]) {
    const position = { createdAt: new Date(at), id: newId() }
    assert.deepEqual(decodeCursor(encodeCursor(position)), position)
  }
})

test('it needs no escaping in an address', () => {
  assert.match(encodeCursor({ createdAt: new Date(), id: newId() }), /^[\w-]{32}$/)
})

test('nothing else is one', () => {
  const good = encodeCursor({ createdAt: new Date(), id: newId() })
  const bad = ['', 'x', good.slice(1), `${good}A`, `${good}=`, ` ${good}`, good.replace(/.$/, '+'), '_'.repeat(32)]
  for (const text of bad) assert.equal(decodeCursor(text), undefined, text)
})

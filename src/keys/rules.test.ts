import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endOfReplaced, endOfSuccessor, isOver, isProlonged, refuseRotation } from './rules.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 9, 0, second))
const key = (end: number | null) => ({ createdAt: at(0), expiresAt: end === null ? null : at(end) })

test('a key is over from its last instant on, and one without an end never', () => {
  assert.deepEqual(
    [29, 30, 31].map((now) => isOver(key(30), at(now))),
    [false, true, true],
  )
  assert.equal(isOver(key(null), at(59)), false)
})

test('a successor lives as long as the key before it was to live, unless an end is given', () => {
  assert.deepEqual(endOfSuccessor(key(30), undefined, at(20)), at(50))
  assert.equal(endOfSuccessor(key(null), undefined, at(20)), null)
  assert.deepEqual(endOfSuccessor(key(30), at(25), at(20)), at(25))
  assert.equal(endOfSuccessor(key(30), null, at(20)), null)
})

test('a replaced key ends at its own end or that of the overlap, whichever is nearer; without an overlap at once', () => {
  assert.deepEqual(endOfReplaced(key(30), 5, at(20)), at(25))
  assert.deepEqual(endOfReplaced(key(30), 15, at(20)), at(30))
  assert.deepEqual(endOfReplaced(key(null), 15, at(20)), at(35))
  assert.equal(endOfReplaced(key(30), 0, at(20)), null)
})

test('a key rotates once, and while the key before it works only by force', () => {
  const whole = { replacedBy: null }
  assert.equal(refuseRotation(whole, undefined, false), undefined)
  assert.equal(refuseRotation(whole, {}, false), 'overlap_open')
  assert.equal(refuseRotation(whole, {}, true), undefined)
  assert.equal(refuseRotation({ replacedBy: 'other' }, undefined, true), 'key_replaced')
})

test('the end of a replaced key may come earlier, not later', () => {
  const replaced = { ...key(30), replacedBy: 'other' }
  assert.deepEqual(
    [at(29), at(30), at(31), null, undefined].map((end) => isProlonged(replaced, end)),
    [...[false, false, true, true, false]],
  )
  assert.equal(isProlonged({ ...key(30), replacedBy: null }, null), false)
})

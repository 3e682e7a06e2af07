import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { decideEndOfHold, decideHold, isHoldLengthAllowed, isLapsed, isReadOnly, shownStatus } from './rules.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)

test('a hold is lapsed from the very instant it expires', () => {
  const hold = (ms: number) => ({ status: 'hold' as const, holdExpiresAt: inMs(ms) })
  assert.equal(isLapsed(hold(1), now), false)
  assert.equal(isLapsed(hold(0), now), true)
  assert.equal(isLapsed(hold(-1), now), true)
  assert.equal(shownStatus(hold(1), now), 'hold')
  assert.equal(shownStatus(hold(0), now), 'cancelled')
})

test('only a hold lapses: what was confirmed in time keeps its status', () => {
  for (const status of ['confirmed', 'tentative', 'cancelled'] as const) {
    assert.equal(isLapsed({ status, holdExpiresAt: inMs(-1) }, now), false)
    assert.equal(shownStatus({ status, holdExpiresAt: inMs(-1) }, now), status)
    assert.equal(shownStatus({ status, holdExpiresAt: null }, now), status)
  }
})

test('a hold may last 30 seconds to 15 minutes; one second below is granted to the way of the request', () => {
  const table: [ms: number, isAllowed: boolean][] = [
    [-1, false],
    [28_999, false],
    [29_000, true],
    [30_000, true],
    [900_000, true],
    [900_001, false],
  ]
  for (const [ms, isAllowed] of table) assert.equal(isHoldLengthAllowed(inMs(ms), now), isAllowed, `${ms}`)
})

test('a hold is granted where nothing overlaps it', () => {
  assert.deepEqual(decideHold(0, []), { kind: 'granted', preempt: [] })
})

test('a hold pre-empts all its rivals of lower priority, or none', () => {
  const rivals = [
    { id: newId(), holdPriority: 0, groupId: null },
    { id: newId(), holdPriority: 4, groupId: null },
  ]
  assert.deepEqual(decideHold(5, rivals), { kind: 'granted', preempt: rivals })
  assert.deepEqual(decideHold(4, rivals), { kind: 'blocked', by: rivals[1] })
  assert.deepEqual(decideHold(3, rivals), { kind: 'blocked', by: rivals[1] })
  assert.deepEqual(decideHold(0, rivals), { kind: 'blocked', by: rivals[0] })
})

test('how a hold ended decides what is said to who comes too late', () => {
  const base = { source: 'internal' as const, holdExpiresAt: inMs(1) }
  const ended = { ...base, status: 'cancelled' as const }
  assert.equal(decideEndOfHold({ ...base, status: 'hold', holdOutcome: null }, now), 'granted')
  assert.equal(decideEndOfHold({ ...base, status: 'hold', holdOutcome: null }, inMs(1)), 'hold_expired')
  assert.equal(decideEndOfHold({ ...ended, holdOutcome: 'expired' }, now), 'hold_expired')
  assert.equal(decideEndOfHold({ ...ended, holdOutcome: 'released' }, now), 'not_a_hold')
  assert.equal(decideEndOfHold({ ...ended, holdOutcome: 'preempted' }, now), 'not_a_hold')
  assert.equal(decideEndOfHold({ ...base, status: 'confirmed', holdOutcome: 'confirmed' }, inMs(5)), 'not_a_hold')
  assert.equal(decideEndOfHold({ ...ended, holdExpiresAt: null, holdOutcome: null }, now), 'not_a_hold')
})

test('what came from a feed is read-only', () => {
  assert.equal(isReadOnly({ source: 'external_ical' }), true)
  assert.equal(isReadOnly({ source: 'internal' }), false)
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compareEntries, type Fields, isSettled, type Told } from './rules.ts'

const base = { title: 'A', startTime: '2026-03-02T10:00:00.000Z', endTime: '2026-03-02T11:00:00.000Z', status: 'hold' }
const told = (type: string, event?: Fields): Told => ({ type: `event.${type}`, event: event && { ...base, ...event } })
const named = (day: number) => {
  const start = `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`
  return { recurringEventId: 'evt_1', originalStartTime: start, startTime: start, endTime: start.replace('T10', 'T11') }
}
/** As it happened; compared, and shown in the same order. */
const changesOf = (...entries: Told[]) =>
  compareEntries(entries.toReversed(), entries.length)
    .toReversed()
    .map(({ changes, incomplete }) =>
      changes === null ? `incomplete ${incomplete}` : changes.map(({ field, from, to }) => `${field} ${from}>${to}`),
    )

test('each entry is compared with the one before, by name', () => {
  const entries = [
    told('hold_created', {}),
    told('hold_confirmed', { status: 'confirmed', updatedAt: 'later' }),
    told('updated', { status: 'confirmed', title: 'B', color: 'red' }),
    told('updated', { status: 'confirmed', title: 'B' }),
  ]
  assert.deepEqual(changesOf(...entries), [
    [],
    ['status hold>confirmed'],
    ['color null>red', 'title A>B'],
    ['color red>null'],
  ])
})

test('an object whose fields are in another order is the same', () => {
  const [one, other] = [
    told('created', { metadata: { a: 1, b: [2] } }),
    told('updated', { metadata: { b: [2], a: 1 } }),
  ]
  assert.deepEqual(changesOf(one, other), [[], []])
})

test('a payload without a record says that a hold has ended, or that the event was deleted', () => {
  assert.deepEqual(changesOf(told('hold_created', {}), told('hold_expired')), [[], ['status hold>cancelled']])
  const deleted = [
    told('created', {}),
    told('deleted'),
    told('created', { title: 'B' }),
    told('updated', { title: 'C' }),
  ]
  assert.deepEqual(changesOf(...deleted), [[], [], [], ['title B>C']])
})

test('an occurrence is compared with itself, at first with its series', () => {
  const entries = [
    told('created', {}),
    told('updated', { ...named(4), title: 'Own', overridden: true }),
    told('updated', { title: 'B' }),
    told('updated', { ...named(4), title: 'Own', description: 'x', overridden: true }),
    told('updated', { ...named(5), title: 'B', status: 'cancelled' }),
  ]
  assert.deepEqual(changesOf(...entries), [
    [],
    ['title A>Own'],
    ['title A>B'],
    ['description null>x'],
    ['status hold>cancelled'],
  ])
})

test('without an entry before it, only a creation is complete', () => {
  const later = told('updated', { title: 'B' })
  assert.deepEqual(changesOf(told('updated', {}), later), ['incomplete true', ['title A>B']])
  assert.deepEqual(changesOf(told('updated', named(4)), later), ['incomplete true', 'incomplete true'])
  assert.deepEqual(changesOf(told('deleted')), ['incomplete true'])
})

test('older entries are read until each one has another of its line', () => {
  const [series, fourth, fifth] = [told('updated', {}), told('updated', named(4)), told('updated', named(5))]
  assert.equal(isSettled([series, told('created', {})], 1), true)
  assert.equal(isSettled([series, fourth], 2), false)
  assert.equal(isSettled([series, fourth, series, fifth], 1), true)
  assert.equal(isSettled([series, fourth, series, fifth], 2), false)
  assert.equal(isSettled([told('created', {})], 1), true)
  assert.equal(isSettled([series, told('hold_released')], 1), false)
  assert.equal(isSettled([series, told('hold_released'), told('hold_created', {})], 1), true)
})

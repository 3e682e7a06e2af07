import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { WeekdayName } from './spelling.ts'
import { checkWeekday, parseWeekday } from './weekday.ts'

test('a weekday is its whole name or its first three letters, in any case', () => {
  assert.deepEqual(['tuesday', 'Tue', 'TUESDAY', 'mon', 'sUN'].map(parseWeekday), [
    ...['Tuesday', 'Tuesday', 'Tuesday', 'Monday', 'Sunday'],
  ])
  for (const text of ['', 'tu', 'tues', 'thur', ' tue', 'tue ', 'tuesdays', 'Dienstag', '2', 'constructor']) {
    assert.equal(parseWeekday(text), undefined, text)
  }
})

const check = (weekday: WeekdayName, start: string, zone: string) => checkWeekday(weekday, new Date(start), zone)

test('the weekday is that of the local day, which may be another one than in UTC', () => {
  assert.equal(check('Tuesday', '2026-12-01T09:00:00Z', 'Europe/Berlin'), undefined)
  assert.equal(check('Wednesday', '2026-12-01T23:00:00Z', 'Europe/Berlin'), undefined)
  assert.equal(check('Monday', '2026-12-01T04:59:59Z', 'America/New_York'), undefined)
  assert.equal(check('Tuesday', '2026-12-01T05:00:00Z', 'America/New_York'), undefined)
})

test('a wrong weekday is refused with the right one, and the nearest starts on the one that was sent', () => {
  assert.deepEqual(check('Wednesday', '2026-12-01T09:00:00Z', 'Europe/Berlin'), {
    kind: 'refused',
    code: 'weekday_mismatch',
    message: '2026-12-01 is a Tuesday in Europe/Berlin, not a Wednesday',
    suggestions: ['tuesday', '2026-12-02T10:00:00+01:00[Europe/Berlin]', '2026-11-25T10:00:00+01:00[Europe/Berlin]'],
  })
  assert.deepEqual(check('Friday', '2026-12-01T09:00:00Z', 'UTC')?.suggestions, [
    ...['tuesday', '2026-12-04T09:00:00+00:00[UTC]', '2026-11-27T09:00:00+00:00[UTC]'],
  ])
})

test('starts are suggested at the same local time over a change of clocks; a skipped one comes after the gap', () => {
  assert.deepEqual(check('Monday', '2026-03-28T09:00:00Z', 'Europe/Berlin')?.suggestions, [
    ...['saturday', '2026-03-30T10:00:00+02:00[Europe/Berlin]', '2026-03-23T10:00:00+01:00[Europe/Berlin]'],
  ])
  assert.deepEqual(check('Sunday', '2026-03-28T01:30:00Z', 'Europe/Berlin')?.suggestions, [
    ...['saturday', '2026-03-29T03:30:00+02:00[Europe/Berlin]', '2026-03-22T02:30:00+01:00[Europe/Berlin]'],
  ])
  assert.deepEqual(check('Sunday', '2026-10-24T00:30:00Z', 'Europe/Berlin')?.suggestions.slice(0, 3), [
    ...['saturday', '2026-10-25T02:30:00+02:00[Europe/Berlin]', '2026-10-25T02:30:00+01:00[Europe/Berlin]'],
  ])
})

test('no start is suggested beyond the years 0001 to 9999', () => {
  assert.deepEqual(check('Saturday', '9999-12-31T12:00:00Z', 'UTC')?.suggestions, [
    ...['friday', '9999-12-25T12:00:00+00:00[UTC]'],
  ])
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { dayStart } from './days.ts'

test('a day begins at the midnight of its zone', () => {
  assert.equal(dayStart('2026-12-01', 'UTC'), '2026-12-01T00:00:00.000Z')
  assert.equal(dayStart('2026-12-01', 'Europe/Berlin'), '2026-11-30T23:00:00.000Z')
  assert.equal(dayStart('2026-12-31', 'Asia/Kathmandu', 1), '2026-12-31T18:15:00.000Z')
})

test('on the days when clocks change, too', () => {
  assert.equal(dayStart('2027-03-28', 'Europe/Berlin'), '2027-03-27T23:00:00.000Z')
  assert.equal(dayStart('2027-03-28', 'Europe/Berlin', 1), '2027-03-28T22:00:00.000Z')
  // Clocks go from 00:00 to 01:00 in Santiago, and back from 24:00 to 23:00.
  assert.equal(dayStart('2026-09-06', 'America/Santiago'), '2026-09-06T04:00:00.000Z')
  assert.equal(dayStart('2026-04-05', 'America/Santiago'), '2026-04-05T04:00:00.000Z')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hoursOf, weekValues } from './week.ts'

const nine = { start: '09:00', end: '17:00' }

test('a week of the API comes back as it was', () => {
  const hours = {
    mon: nine,
    fri: [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '24:00' },
    ],
  }
  assert.deepEqual(hoursOf(weekValues(hours), hours), hours)
  assert.equal(hoursOf(weekValues(null), null), null)
})

test('a changed day has the one stretch that the form shows', () => {
  const hours = {
    fri: [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '24:00' },
    ],
  }
  const values = { ...weekValues(hours), fri_to: '11:00', sun_on: true }
  assert.deepEqual(hoursOf(values, hours), { fri: { start: '08:00', end: '11:00' }, sun: nine })
})

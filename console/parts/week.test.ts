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

test('the first stretch of a day is times, the others are a text, and midnight is the end of a day', () => {
  const hours = {
    fri: [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '24:00' },
    ],
  }
  const values = { ...weekValues(hours), fri_to: '11:00', sat_on: true, sat_to: '00:00', sun_on: true }
  assert.equal(values.fri_also, '13:00–24:00')
  assert.deepEqual(hoursOf(values, hours), {
    fri: [{ start: '08:00', end: '11:00' }, hours.fri[1]],
    sat: [{ start: '09:00', end: '24:00' }],
    sun: nine,
  })
  const alone = hoursOf({ ...values, sat_on: false, fri_also: '' }, hours)
  assert.deepEqual(alone, { fri: { start: '08:00', end: '11:00' }, sun: nine })
  assert.equal(weekValues({ mon: [] }).mon_on, false)
})

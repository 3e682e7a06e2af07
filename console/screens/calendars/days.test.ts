import assert from 'node:assert/strict'
import { test } from 'vitest'
import { datesText, daysBody, daysOf, noTimeOff, timeOffText } from './days.ts'

const timezone = 'Europe/Berlin'
const rules = {
  timezone,
  dates: [
    { from: '2026-12-24', to: '2026-12-26', hours: [], label: 'Closed' },
    {
      from: '2026-12-31',
      hours: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '24:00' },
      ],
    },
  ],
  time_off: [{ start: '2026-12-01T08:00:30.000Z', end: '2026-12-02T08:00:00.000Z', label: 'Trip' }],
  holiday_subscription_ids: ['sub_1'],
}

test('days of rules come back as they were, to the second', () => {
  const values = daysOf(rules, timezone)
  const { timezone: _, ...days } = rules
  assert.deepEqual(daysBody(values, timezone, rules), days)
  assert.deepEqual(daysBody(values, 'Asia/Tokyo', rules), days)
  assert.equal(
    datesText(values.dates, 'closed'),
    '2026-12-24 – 2026-12-26: closed (Closed); 2026-12-31: 09:00–12:00, 13:00–24:00',
  )
  assert.equal(timeOffText(values.time_off), '2026-12-01T09:00 – 2026-12-02T09:00 (Trip)')
  assert.deepEqual(daysBody(daysOf({}, timezone), timezone, { timezone }), {})
})

test('time off is on the clock of the hours, and half of a time is sent as it is', () => {
  const time_off = [{ ...noTimeOff, start: '2026-12-24T12:00', end: '2026-12-24' }]
  assert.deepEqual(daysBody({ ...daysOf({}, timezone), time_off }, timezone, { timezone }), {
    time_off: [{ start: '2026-12-24T12:00[Europe/Berlin]', end: '2026-12-24' }],
  })
})

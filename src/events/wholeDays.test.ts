import assert from 'node:assert/strict'
import { test } from 'vitest'
import { offsetAt } from '../localtime/offsets.ts'
import { localOf } from '../localtime/present.ts'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { seriesOf } from '../timers/series.ts'
import { movedToZone, type Times } from './wholeDays.ts'

const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati']
/** In these a day begins at 01:00 when clocks go forward, or has two midnights when they go back. */
const oddZones = ['Africa/Cairo', 'America/Santiago', 'America/Havana', 'Asia/Beirut']

const once = (start: string, end: string): Times => ({
  startTime: new Date(start),
  endTime: new Date(end),
  recurrenceRule: null,
  recurrenceExdates: [],
  ...{ recurrenceTimezone: null, recurrenceRdates: [], recurrenceSkippedMs: 0, overriddenStarts: [] },
  seriesLastStart: null,
})
const dates = ({ startTime: start, endTime: end }: Times, zone: string) => {
  const { date, last_date } = localOf({ start, end, allDay: true }, zone)
  return `${date} ${last_date}`
}
const midnight = (day: string, zone: string) => {
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  return new Date(wallMs - offsetAt(zone, wallMs - offsetAt(zone, wallMs))).toISOString()
}

for (const zone of [...zones, ...oddZones]) {
  test(`every day of a year in ${zone} is the same date in every other zone, and the same moment when it comes back`, () => {
    for (let day = Date.parse('2026-01-01'); day < Date.parse('2027-01-01'); day += dayMs) {
      const utc = once(new Date(day).toISOString(), new Date(day + 2 * dayMs).toISOString())
      const here = movedToZone(utc, 'UTC', zone)!
      assert.equal(dates(here, zone), dates(utc, 'UTC'))
      for (const other of [...zones, ...oddZones]) {
        const there = movedToZone(here, zone, other)!
        assert.equal(dates(there, other), dates(utc, 'UTC'))
        assert.deepEqual(movedToZone(there, other, zone), here)
      }
    }
  })
}

test('a day that does not begin at midnight keeps its hours', () => {
  const moved = movedToZone(once('2026-12-01T00:00:00Z', '2026-12-01T23:30:00Z'), 'Europe/Berlin', 'America/New_York')!
  assert.deepEqual(moved, once('2026-12-01T06:00:00Z', '2026-12-02T05:30:00Z'))
})

test('what the clocks skip has its length after them', () => {
  // 00:10 to 00:50, which are skipped in Cairo on 24 April 2026.
  const moved = movedToZone(once('2026-04-24T00:10:00Z', '2026-04-24T00:50:00Z'), 'UTC', 'Africa/Cairo')!
  assert.deepEqual(moved, once('2026-04-23T22:00:00Z', '2026-04-23T22:40:00Z'))
})

test('at the edge of what can be written a day stays', () => {
  const first = once('0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z')
  assert.deepEqual(movedToZone(first, 'UTC', 'Asia/Tokyo'), first)
})

for (const rule of ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=TU', 'FREQ=MONTHLY;BYMONTHDAY=30']) {
  for (const zone of zones) {
    test(`${rule} at midnight of ${zone} is on its dates in every zone, in summer and in winter`, () => {
      const start = new Date(midnight('2026-12-01', zone))
      const weekdays = ['MO', 'TU'][new Date(start).getUTCDay() - 1]!
      const fitting = rule.replace('TU', weekdays).replace('30', start.getUTCDate() === 1 ? '1' : '-1')
      const times: Times = {
        ...once(start.toISOString(), new Date(start.getTime() + dayMs).toISOString()),
        recurrenceRule: fitting,
        recurrenceExdates: [new Date(start.getTime() + 7 * dayMs)],
      }
      const expected = datesOf(movedToZone(times, zone, 'UTC')!, 'UTC')
      assert.equal(expected[0], '2026-12-01')
      for (const other of zones) {
        const there = movedToZone(times, zone, other)!
        assert.deepEqual(datesOf(there, other), expected, other)
        const back = movedToZone(there, other, zone)!
        assert.deepEqual(datesOf(back, zone), expected, other)
        if (zone !== 'Pacific/Auckland') assert.deepEqual(back, times, other)
      }
    })
  }
}

const datesOf = (times: Times, zone: string): string[] =>
  occurrencesBetween(seriesOf(times)!, 0, Number.POSITIVE_INFINITY, 500).map((ms) =>
    new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 10),
  )

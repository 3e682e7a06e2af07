import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { minuteMs } from '../shapes/durations.ts'
import { type BusyCase, busyCase, packMinutes, ruleOf } from '../testing/busyCases.ts'
import { busyOf, type MappedCalendar, mapBusy, slotsOf } from '../testing/minuteMap.ts'
import { type BusyCalendar, openBusy } from './busy.ts'
import { gaps, slotsWithin } from './intervals.ts'

const rowOf = ({ before, after, hours, zone, events, series }: MappedCalendar): BusyCalendar => ({
  agentId: null,
  bufferBeforeMinutes: before,
  bufferAfterMinutes: after,
  workingHours: hours && JSON.stringify(hours),
  timezone: zone,
  starts: packMinutes([...events, ...series].map(({ start }) => start)),
  ends: packMinutes([...events, ...series].map(({ end }) => end)),
  apartStarts: packMinutes(series.map(({ start }) => start)),
  apartEnds: packMinutes(series.map(({ end }) => end)),
  rules: series.map(ruleOf),
  beside: [],
  cancelled: series.map((one) => one.cancelled.map((start) => new Date(start * minuteMs).toISOString())),
})

function answerOf({ window, calendars, slotMinutes }: BusyCase) {
  const bounds = { fromMs: window.from * minuteMs, toMs: window.to * minuteMs }
  const taken = openBusy(bounds).busyOf(calendars.map(rowOf))
  return { busy: shown(taken), slots: shown(slotsWithin(gaps(taken, bounds), slotMinutes * minuteMs)) }
}

const shown = (flat: readonly number[]) =>
  Array.from({ length: flat.length / 2 }, (_, i) => ({
    start: new Date(flat[2 * i]!).toISOString(),
    end: new Date(flat[2 * i + 1]!).toISOString(),
  }))

test('busy time and slots of any calendars equal those of a map of single minutes', () => {
  fc.assert(
    fc.property(busyCase(3), (one) => {
      const map = mapBusy(one.calendars, one.window)
      assert.deepEqual(answerOf(one), {
        busy: busyOf(map, one.window),
        slots: slotsOf(map, one.window, one.slotMinutes),
      })
    }),
    { numRuns: 150 },
  )
})

test('moments keep their milliseconds, before 2000 and in the far future alike', () => {
  for (const at of ['1969-07-20T20:17:40.123Z', '2026-03-02T09:00:00.001Z', '9998-12-31T23:59:59.999Z']) {
    const ms = Date.parse(at)
    const event = { start: ms / minuteMs, end: (ms + 1) / minuteMs }
    const row = rowOf({ before: 0, after: 0, hours: null, zone: 'UTC', events: [event], series: [] })
    assert.deepEqual(openBusy({ fromMs: ms - 5, toMs: ms + 5 }).busyOf([row]), [ms, ms + 1], at)
  }
})

test('what would end after the year 9999 is no occurrence, and takes no time', () => {
  const minute = (at: string) => Date.parse(at) / minuteMs
  const series = { start: minute('9999-12-29T23:30Z'), end: minute('9999-12-30T00:30Z'), cancelled: [], everyDays: 1 }
  const row = rowOf({ before: 0, after: 0, hours: null, zone: 'UTC', events: [], series: [series] })
  const window = { fromMs: Date.parse('9999-12-30T12:00Z'), toMs: Date.parse('9999-12-31T23:59Z') }
  const taken = openBusy(window).busyOf([row])
  assert.deepEqual(taken, ['9999-12-30T23:30Z', '9999-12-31T00:30Z'].map(Date.parse))
})

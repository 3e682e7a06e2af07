import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { columnsOf } from './columns.ts'
import { common, freeOn, stretchesOf } from './freeTimes.ts'
import { hasLapsed, leftText } from './holds.ts'
import { isGone, itemOf, segmentsOn, stretchOfItem } from './items.ts'

const meetings = { id: 'cal_1', name: 'Meetings', timezone: 'Asia/Tokyo', hue: 0 }
const words = {
  states: { confirmed: 'confirmed', tentative: 'tentative', hold: 'hold', imported: 'imported' },
  series: 'series',
  allDay: 'all day',
}
const event = (fields: Partial<EventInstance>) =>
  ({
    ...{ id: 'evt_1', calendarId: 'cal_1', title: 'Planning', allDay: false, status: 'confirmed', source: 'internal' },
    ...{ startTime: '2026-12-01T09:00:00.000Z', endTime: '2026-12-01T09:30:00.000Z', holdExpiresAt: null },
    ...fields,
  }) as EventInstance
const item = (fields: Partial<EventInstance> = {}) =>
  itemOf(event(fields), meetings, { timezone: 'Europe/Berlin', clock: '24' }, words)

test('an event has a whole name', () => {
  const when = 'Tuesday 1 December 2026, 10:00–10:30, Meetings'
  assert.equal(item().name, `Planning, confirmed, ${when}`)
  assert.equal(item().times, '10:00–10:30')
  assert.equal(item({ status: 'hold' }).name, `Planning, hold, ${when}`)
  assert.equal(item({ source: 'external_ical' }).name, `Planning, imported, ${when}`)
  assert.equal(item({ status: 'tentative', recurringEventId: 'evt_1' }).name, `Planning, tentative, series, ${when}`)
})

test('whole days are those of the calendar, wherever one looks', () => {
  const days = { allDay: true, startTime: '2026-11-30T15:00:00.000Z', endTime: '2026-12-02T15:00:00.000Z' }
  assert.equal(
    item(days).name,
    'Planning, confirmed, Tuesday 1 December 2026 – Wednesday 2 December 2026, all day, Meetings',
  )
  assert.deepEqual(
    ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'].map((date) => segmentsOn([item(days)], date).length),
    [0, 1, 1, 0],
  )
})

test('an event over midnight has a part on each day, and one that ends at midnight has none on the next', () => {
  const late = item({ startTime: '2026-12-01T22:00:00.000Z', endTime: '2026-12-02T01:00:00.000Z' })
  const parts = (date: string) => segmentsOn([late], date).map(({ from, to }) => [from, to])
  assert.deepEqual([parts('2026-12-01'), parts('2026-12-02')], [[[1_380, 1_440]], [[0, 120]]])
  const until = item({ startTime: '2026-12-01T22:00:00.000Z', endTime: '2026-12-01T23:00:00.000Z' })
  assert.deepEqual([until.last, segmentsOn([until], '2026-12-02')], [{ date: '2026-12-01', minute: 1_440 }, []])
  assert.deepEqual(stretchOfItem(until).end, { date: '2026-12-02', minute: 0 })
})

test('on the night that clocks go back, an event has its length', () => {
  const { first, last } = item({ startTime: '2026-10-25T00:30:00.000Z', endTime: '2026-10-25T01:15:00.000Z' })
  assert.deepEqual([first.minute, last.minute], [150, 195])
})

test('columns are days, or calendars of days', () => {
  const names = (columns: ReturnType<typeof columnsOf>) => columns.map(({ name }) => name)
  const other = { ...meetings, id: 'cal_2', name: 'Travel' }
  const day = ['2026-12-01']
  const named = (one: string, calendar: string) => `${one}, ${calendar}`
  const split = columnsOf([item()], day, [meetings, other], named)
  assert.deepEqual(names(split), ['Tuesday 1 December, Meetings', 'Tuesday 1 December, Travel'])
  assert.deepEqual(
    split.map(({ timed }) => timed.length),
    [1, 0],
  )
  assert.deepEqual(names(columnsOf([], day, undefined, named)), ['Tuesday 1 December'])
})

test('what is deleted on the screen is gone: one, those from it on, or the series', () => {
  const one = item({ recurringEventId: 'evt_1', originalStartTime: '2026-12-01T09:00:00.000Z' })
  assert.deepEqual(
    ['evt_1', one.key, 'evt_1@from@2026-12-01T09:00:00.000Z', 'evt_1@from@2026-12-02T09:00:00.000Z', 'evt_2'].map(
      (id) => isGone(new Set([id]), one),
    ),
    [true, true, true, false, false],
  )
})

test('a hold says how long it lasts', () => {
  assert.deepEqual([leftText(272_000), leftText(59_001), leftText(-5)], ['4:32', '1:00', '0:00'])
  const hold = event({ status: 'hold', holdExpiresAt: '2026-12-01T09:00:00.000Z' })
  const at = Date.parse('2026-12-01T09:00:00.000Z')
  assert.deepEqual([hasLapsed(hold, at - 1), hasLapsed(hold, at)], [false, true])
})

test('slots that touch are one stretch, and of several calendars only the common time is free', () => {
  const slot = (from: string, to: string) => ({ start: `2026-12-01T${from}:00Z`, end: `2026-12-01T${to}:00Z` })
  const first = stretchesOf([slot('08:00', '08:15'), slot('08:15', '08:30'), slot('10:00', '11:00')])
  const second = stretchesOf([slot('08:10', '10:30')])
  const free = freeOn('2026-12-01', common([first, second]), 'UTC', (minute) => String(minute))
  assert.deepEqual(
    free.map(({ text }) => text),
    ['490–510', '600–630'],
  )
  assert.deepEqual(freeOn('2026-12-02', first, 'UTC', String), [])
})

test('a column whose day has not changed stays the same object', () => {
  const days = ['2026-12-01', '2026-12-02']
  const [planning, moved] = [
    item(),
    item({ id: 'evt_2', startTime: '2026-12-02T09:00:00.000Z', endTime: '2026-12-02T10:00:00.000Z' }),
  ]
  const before = columnsOf([planning, moved], days, [meetings], (day) => day)
  const after = columnsOf([planning, item({ id: 'evt_2' })], days, [meetings], (day) => day, before)
  assert.deepEqual([after[0] === before[0], after[1] === before[1]], [false, false])
  assert.equal(after[0]!.timed.length, 2)
  const other = [
    planning,
    item({ id: 'evt_2', startTime: '2026-12-02T08:00:00.000Z', endTime: '2026-12-02T10:00:00.000Z' }),
  ]
  const again = columnsOf(other, days, [meetings], (day) => day, before)
  assert.deepEqual([again[0] === before[0], again[1] === before[1]], [true, false])
  const renamed = columnsOf(other, days, [{ ...meetings }], (day) => day, before)
  assert.equal(renamed[0] === before[0], false)
})

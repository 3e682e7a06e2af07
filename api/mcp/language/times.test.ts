import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ServiceError } from '../../../src/errors.ts'
import { readDay, readMoment, readWindow, type Zones, zoneOfAnswer, zoneWarnings } from './times.ts'
import type { ToolRefusal } from './toolRefusal.ts'

const now = new Date('2026-11-29T13:03:00Z')
const berlin: Zones = { ofCalendars: ['Europe/Berlin'] }
const two: Zones = { ofCalendars: ['Europe/Berlin', 'America/New_York'] }
const requested: Zones = { requested: 'Asia/Kathmandu', ofCalendars: ['Europe/Berlin'] }

function refusalOf(run: () => unknown): ToolRefusal {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    return error as ToolRefusal
  }
  throw assert.fail('it was taken')
}
const moment = (text: string, zones: Zones, more: { isOfEvent?: true } = {}) =>
  readMoment(text, { param: 'start_time', zones, now, ...more })

test('a local time is in the zone that was asked for, else in that of the calendar', () => {
  assert.equal(moment('2026-12-01T09:00', berlin).toISOString(), '2026-12-01T08:00:00.000Z')
  assert.equal(moment('2026-12-01T09:00', requested).toISOString(), '2026-12-01T03:15:00.000Z')
  assert.equal(moment('2026-12-01T09:00:00-05:00', two).toISOString(), '2026-12-01T14:00:00.000Z')
  assert.equal(moment('2026-12-01T09:00', { ofCalendars: [] }).toISOString(), '2026-12-01T09:00:00.000Z')
})

test('a local time in one of several zones is refused with these zones', () => {
  for (const text of ['2026-12-01T09:00', '2026-12-01']) {
    const refusal = refusalOf(() => readWindow({ start: text }, two, now))
    assert.deepEqual([refusal.detail.code, refusal.detail.param], ['timezone_required', 'timezone'])
    const zones = ['Europe/Berlin', 'America/New_York'].map((timezone) => ({ arguments: { timezone } }))
    assert.deepEqual(
      refusal.suggestions,
      zones.map((one) => ({ ...one, note: 'In this zone.' })),
    )
  }
})

test('words are refused, and told what time it is', () => {
  const refusal = refusalOf(() => moment('tomorrow', berlin))
  assert.deepEqual([refusal.detail.code, refusal.detail.param], ['invalid_time_format', 'start_time'])
  assert.match(refusal.message, /It is now Sun 29 Nov 2026 14:03 Europe\/Berlin\.$/)
})

test('an offset that the zone has not is refused with the right one first', () => {
  const zones = { requested: 'Europe/Berlin', ofCalendars: ['Asia/Kathmandu'] }
  const refusal = refusalOf(() => moment('2026-12-01T09:00:00-05:00', zones))
  assert.equal(refusal.detail.code, 'offset_mismatch')
  assert.deepEqual(refusal.suggestions, [
    {
      arguments: { start_time: '2026-12-01T09:00:00+01:00' },
      when: 'Tue 1 Dec 2026 09:00 Europe/Berlin (in 2 days)',
    },
    {
      arguments: { start_time: '2026-12-01T15:00:00+01:00' },
      when: 'Tue 1 Dec 2026 15:00 Europe/Berlin (in 2 days)',
    },
  ])
  // The zone of the calendar says nothing about an offset.
  assert.equal(moment('2026-12-01T09:00:00-05:00', berlin).toISOString(), '2026-12-01T14:00:00.000Z')
})

test('a time that clocks skip or show twice is refused for an event, with both moments', () => {
  const skipped = refusalOf(() => moment('2027-03-28T02:30', berlin))
  assert.equal(skipped.detail.code, 'nonexistent_local_time')
  const both = skipped.suggestions.map(({ arguments: { start_time } }) => start_time)
  assert.deepEqual(both, ['2027-03-28T03:30:00+02:00', '2027-03-28T01:30:00+01:00'])
  const doubled = refusalOf(() => moment('2027-10-31T02:30', berlin))
  assert.equal(doubled.detail.code, 'ambiguous_local_time')
  assert.equal(doubled.suggestions.length, 2)
})

test('a date is a day of an all-day event, and no time of another', () => {
  assert.equal(readDay('2026-12-01', { param: 'start_time', zones: berlin, now }), Date.UTC(2026, 11, 1) / 86_400_000)
  const at = readDay('2026-12-01T09:00', { param: 'start_time', zones: berlin, now })
  assert.deepEqual(at, new Date('2026-12-01T08:00:00Z'))
  const refusal = refusalOf(() => moment('2026-12-01', berlin))
  assert.deepEqual([refusal.detail.code, refusal.suggestions], ['invalid_time_format', []])
  const ofEvent = refusalOf(() => moment('2026-12-01', berlin, { isOfEvent: true }))
  assert.deepEqual(ofEvent.suggestions[0]?.arguments, { all_day: true })
})

const windows: [what: string, sent: { start?: string; end?: string }, start: string, end: string][] = [
  ['nothing', {}, '2026-11-29T13:03:00.000Z', '2026-12-06T13:03:00.000Z'],
  ['a start', { start: '2026-12-01' }, '2026-11-30T23:00:00.000Z', '2026-12-07T23:00:00.000Z'],
  ['an end', { end: '2026-11-30' }, '2026-11-29T13:03:00.000Z', '2026-11-30T23:00:00.000Z'],
  ['a day', { start: '2026-12-01', end: '2026-12-01' }, '2026-11-30T23:00:00.000Z', '2026-12-01T23:00:00.000Z'],
]
for (const [what, sent, start, end] of windows) {
  test(`the window of ${what}`, () => {
    const window = readWindow(sent, berlin, now)
    assert.deepEqual([window.start.toISOString(), window.end.toISOString()], [start, end])
  })
}

test('a window that ends before it begins is refused', () => {
  for (const end of ['2026-12-01T09:00', '2026-11-30', '2026-12-01T08:00:00Z']) {
    const refusal = refusalOf(() => readWindow({ start: '2026-12-01T09:00', end }, berlin, now))
    assert.deepEqual([refusal.detail.param, refusal.detail.code], ['end', 'end_before_start'])
  }
})

test('an answer about several zones is in UTC and says so', () => {
  assert.deepEqual(
    [zoneOfAnswer(two), zoneOfAnswer(requested), zoneOfAnswer(berlin)],
    ['UTC', 'Asia/Kathmandu', 'Europe/Berlin'],
  )
  assert.equal(zoneWarnings(two)[0]?.code, 'mixed_zones')
  assert.deepEqual([...zoneWarnings(requested), ...zoneWarnings(berlin), ...zoneWarnings({ ofCalendars: [] })], [])
})

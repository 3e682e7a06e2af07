import assert from 'node:assert/strict'
import { test } from 'vitest'
import { localOf, timeAt } from './present.ts'
import { localRecord, timeRecord } from './schema.ts'

const local = (start: string, end: string, zone: string, allDay = false) =>
  localOf({ start: new Date(start), end: new Date(end), allDay }, zone)

test('times are shown on the wall clock of the zone', () => {
  assert.deepEqual(Object.entries(local('2026-12-01T09:00:00Z', '2026-12-01T09:30:00Z', 'Europe/Berlin')), [
    ['timezone', 'Europe/Berlin'],
    ['weekday', 'Tuesday'],
    ['date', '2026-12-01'],
    ['start', '10:00'],
    ['end', '10:30'],
    ['end_date', '2026-12-01'],
    ['utc_offset', '+01:00'],
    ['text', 'Tuesday 1 December 2026, 10:00–10:30 (Europe/Berlin, UTC+01:00)'],
  ])
})

const texts: [what: string, start: string, end: string, zone: string, text: string][] = [
  [
    'over midnight',
    '2026-12-01T22:00Z',
    '2026-12-02T00:00Z',
    'Europe/Berlin',
    'Tuesday 1 December 2026, 23:00 – Wednesday 2 December 2026, 01:00 (Europe/Berlin, UTC+01:00)',
  ],
  [
    'up to midnight',
    '2026-12-01T22:00Z',
    '2026-12-01T23:00Z',
    'Europe/Berlin',
    'Tuesday 1 December 2026, 23:00 – Wednesday 2 December 2026, 00:00 (Europe/Berlin, UTC+01:00)',
  ],
  [
    'west of Greenwich',
    '2026-12-01T02:00Z',
    '2026-12-01T02:30Z',
    'America/St_Johns',
    'Monday 30 November 2026, 22:30–23:00 (America/St_Johns, UTC-03:30)',
  ],
  ['in UTC', '2028-02-29T00:00Z', '2028-02-29T00:01Z', 'UTC', 'Tuesday 29 February 2028, 00:00–00:01 (UTC, UTC+00:00)'],
  [
    'with seconds',
    '2026-12-01T09:00:05Z',
    '2026-12-01T09:00:06.070Z',
    'Asia/Kolkata',
    'Tuesday 1 December 2026, 14:30:05–14:30:06.070 (Asia/Kolkata, UTC+05:30)',
  ],
  [
    'over a doubled hour',
    '2026-10-25T00:30Z',
    '2026-10-25T01:15Z',
    'Europe/Berlin',
    'Sunday 25 October 2026, 02:30–02:15 (Europe/Berlin, UTC+02:00 to UTC+01:00)',
  ],
  [
    'up to a change',
    '2026-10-25T00:30Z',
    '2026-10-25T01:00Z',
    'Europe/Berlin',
    'Sunday 25 October 2026, 02:30–02:00 (Europe/Berlin, UTC+02:00 to UTC+01:00)',
  ],
  [
    'over a skipped day',
    '2011-12-30T09:30Z',
    '2011-12-30T10:30Z',
    'Pacific/Apia',
    'Thursday 29 December 2011, 23:30 – Saturday 31 December 2011, 00:30 (Pacific/Apia, UTC-10:00 to UTC+14:00)',
  ],
  [
    'before standard time',
    '0001-01-01T00:00Z',
    '0001-01-01T01:00Z',
    'America/New_York',
    'Sunday 31 December 0, 19:03:58–20:03:58 (America/New_York, UTC-04:56:02)',
  ],
  [
    'at the end',
    '9999-12-31T22:30Z',
    '9999-12-31T23:30Z',
    'Europe/Berlin',
    'Friday 31 December 9999, 23:30 – Saturday 1 January 10000, 00:30 (Europe/Berlin, UTC+01:00)',
  ],
]
for (const [what, start, end, zone, text] of texts) {
  test(`${what}: ${text}`, () => {
    const shown = local(start, end, zone)
    assert.equal(shown.text, text)
    assert.ok(localRecord.safeParse(shown).success)
  })
}

test('the second offset is there only where clocks change in between', () => {
  assert.equal(local('2026-10-25T00:30Z', '2026-10-25T01:15Z', 'Europe/Berlin').end_utc_offset, '+01:00')
  assert.ok(!('end_utc_offset' in local('2026-10-25T01:00Z', '2026-10-25T02:00Z', 'Europe/Berlin')))
})

test('years of other than four digits are written as ISO 8601 does', () => {
  assert.equal(local('0001-01-01T00:00Z', '0001-01-01T01:00Z', 'America/New_York').date, '0000-12-31')
  assert.equal(local('9999-12-31T22:30Z', '9999-12-31T23:30Z', 'Europe/Berlin').end_date, '+010000-01-01')
})

const days: [what: string, start: string, end: string, zone: string, dates: string[], text: string][] = [
  [
    'one day',
    '2026-11-30T23:00Z',
    '2026-12-01T23:00Z',
    'Europe/Berlin',
    ['2026-12-01', '2026-12-01', '2026-12-02'],
    'Tuesday 1 December 2026 (all day)',
  ],
  [
    'three days',
    '2026-11-30T23:00Z',
    '2026-12-03T23:00Z',
    'Europe/Berlin',
    ['2026-12-01', '2026-12-03', '2026-12-04'],
    'Tuesday 1 December 2026 – Thursday 3 December 2026 (all day)',
  ],
  [
    'a day of 23 hours',
    '2026-03-28T23:00Z',
    '2026-03-29T22:00Z',
    'Europe/Berlin',
    ['2026-03-29', '2026-03-29', '2026-03-30'],
    'Sunday 29 March 2026 (all day)',
  ],
  [
    'a day of 25 hours',
    '2026-10-24T22:00Z',
    '2026-10-25T23:00Z',
    'Europe/Berlin',
    ['2026-10-25', '2026-10-25', '2026-10-26'],
    'Sunday 25 October 2026 (all day)',
  ],
  [
    'two days of UTC, seen from the east',
    '2026-10-24T00:00Z',
    '2026-10-26T00:00Z',
    'Europe/Berlin',
    ['2026-10-24', '2026-10-25', '2026-10-26'],
    'Saturday 24 October 2026 – Sunday 25 October 2026 (all day)',
  ],
  [
    'two days of UTC, over a day of 23 hours',
    '2026-03-28T00:00Z',
    '2026-03-30T00:00Z',
    'Europe/Berlin',
    ['2026-03-28', '2026-03-29', '2026-03-30'],
    'Saturday 28 March 2026 – Sunday 29 March 2026 (all day)',
  ],
  [
    'a day of UTC, seen from the west',
    '2026-12-01T00:00Z',
    '2026-12-02T00:00Z',
    'America/New_York',
    ['2026-11-30', '2026-11-30', '2026-12-01'],
    'Monday 30 November 2026 (all day)',
  ],
  [
    'over a skipped day',
    '2011-12-29T10:00Z',
    '2012-01-01T10:00Z',
    'Pacific/Apia',
    ['2011-12-29', '2012-01-01', '2012-01-02'],
    'Thursday 29 December 2011 – Sunday 1 January 2012 (all day)',
  ],
  [
    'a few hours',
    '2026-12-01T10:00Z',
    '2026-12-01T12:00Z',
    'Europe/Berlin',
    ['2026-12-01', '2026-12-01', '2026-12-01'],
    'Tuesday 1 December 2026 (all day)',
  ],
]
for (const [what, start, end, zone, dates, text] of days) {
  test(`all day, ${what}: ${text}`, () => {
    const shown = local(start, end, zone, true)
    assert.deepEqual([shown.date, shown.last_date, shown.end_date], dates)
    assert.equal(shown.text, text)
    assert.deepEqual(Object.keys(shown).slice(-2), ['last_date', 'text'])
  })
}

test('the time of a zone: now is the service’s, all else belongs to the moment asked for', () => {
  const now = new Date('2026-11-22T20:31:52.913Z')
  const shown = timeAt(new Date('2026-12-01T09:00:59.999Z'), 'Europe/Berlin', now)
  assert.deepEqual(shown, {
    now: '2026-11-22T20:31:52.913Z',
    local: {
      timezone: 'Europe/Berlin',
      weekday: 'Tuesday',
      date: '2026-12-01',
      time: '10:00',
      utc_offset: '+01:00',
      text: 'Tuesday 1 December 2026, 10:00 (Europe/Berlin, UTC+01:00)',
    },
    iso_week: '2026-W49',
    next_offset_change: { at: '2027-03-28T01:00:00.000Z', utc_offset: '+02:00' },
  })
  assert.ok(timeRecord.safeParse(shown).success)
})

const weekOf = (at: string) => timeAt(new Date(at), 'UTC', new Date(0)).iso_week

test('an ISO week belongs to the year of its Thursday', () => {
  assert.deepEqual(['2026-12-31T12:00Z', '2027-01-03T23:59Z', '2027-01-04T00:00Z'].map(weekOf), [
    '2026-W53',
    '2026-W53',
    '2027-W01',
  ])
  assert.deepEqual(['2024-12-29T12:00Z', '2024-12-30T12:00Z', '0001-01-01T00:00Z'].map(weekOf), [
    '2024-W52',
    '2025-W01',
    '0001-W01',
  ])
})

const nextOf = (at: string, zone: string) => timeAt(new Date(at), zone, new Date(0)).next_offset_change

test('the next change of offset comes after the moment, also at New Year and after decades, or never', () => {
  assert.equal(nextOf('2026-03-29T00:59:59.999Z', 'Europe/Berlin')?.at, '2026-03-29T01:00:00.000Z')
  assert.equal(nextOf('2026-03-29T01:00:00Z', 'Europe/Berlin')?.at, '2026-10-25T01:00:00.000Z')
  assert.equal(nextOf('9998-12-01T00:00:00Z', 'Europe/Berlin')?.utc_offset, '+02:00')
  assert.equal(nextOf('9999-12-01T00:00:00Z', 'Europe/Berlin'), null)
  assert.deepEqual(nextOf('0001-01-01T00:00:00Z', 'Asia/Tokyo'), {
    at: '1887-12-31T15:00:00.000Z',
    utc_offset: '+09:00',
  })
  assert.equal(nextOf('2026-12-01T00:00:00Z', 'Asia/Tokyo'), null)
  assert.equal(nextOf('1980-01-01T00:00:00Z', 'Asia/Tokyo'), null)
  assert.equal(nextOf('1951-06-01T00:00:00Z', 'Asia/Tokyo')?.utc_offset, '+09:00', 'asked again, from before')
  assert.equal(nextOf('1900-06-01T00:00:00Z', 'Europe/Madrid')?.at, '1901-01-01T00:00:00.000Z')
})

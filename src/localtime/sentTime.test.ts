import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endOfWindow, exactTime, offsetRefusal, readSentTime, type SentTime, startOfWindow } from './sentTime.ts'

const read = (text: string): SentTime => {
  const sent = readSentTime(text)
  assert.notEqual(sent.kind, 'refused', text)
  return sent as SentTime
}
const iso = (at: Date) => at.toISOString()

/** Where clocks change by an hour, by half an hour, not at all any more, and where a day was skipped. */
const windows: [text: string, zone: string, start: string, end: string][] = [
  ['2026-12-01T09:00:00+01:00', 'UTC', '2026-12-01T08:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01', 'Europe/Berlin', '2026-11-30T23:00:00.000Z', '2026-12-01T23:00:00.000Z'],
  // Spring: the moment after the gap. Autumn: the first for a start, the second for an end.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'],
  ['2026-11-01T01:30', 'Asia/Kathmandu', '2026-10-31T19:45:00.000Z', '2026-10-31T19:45:00.000Z'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', '2026-10-03T15:30:00.000Z'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ['2026-07-01T12:00', 'Pacific/Apia', '2026-06-30T23:00:00.000Z', '2026-06-30T23:00:00.000Z'],
  // Days of 23 and of 25 hours, and one that begins at 01:00.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
]
for (const [text, zone, start, end] of windows) {
  test(`a window from ${text} to ${text} in ${zone}`, () => {
    assert.deepEqual([iso(startOfWindow(read(text), zone)), iso(endOfWindow(read(text), zone))], [start, end])
  })
}

const exact: [text: string, zone: string, answer: string | [code: string, suggestions: string[]]][] = [
  ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T09:00:30.5', 'Asia/Kathmandu', '2026-12-01T03:15:30.500Z'],
  [
    '2026-03-29T02:30',
    'Europe/Berlin',
    ['nonexistent_local_time', ['2026-03-29T03:30:00+02:00', '2026-03-29T01:30:00+01:00']],
  ],
  [
    '2026-10-25T02:30',
    'Europe/Berlin',
    ['ambiguous_local_time', ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00']],
  ],
  [
    '2026-03-08T02:30',
    'America/New_York',
    ['nonexistent_local_time', ['2026-03-08T03:30:00-04:00', '2026-03-08T01:30:00-05:00']],
  ],
  [
    '2026-11-01T01:30',
    'America/New_York',
    ['ambiguous_local_time', ['2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00']],
  ],
  [
    '2026-10-04T02:15',
    'Australia/Lord_Howe',
    ['nonexistent_local_time', ['2026-10-04T02:45:00+11:00', '2026-10-04T01:45:00+10:30']],
  ],
  [
    '2026-04-05T01:45',
    'Australia/Lord_Howe',
    ['ambiguous_local_time', ['2026-04-05T01:45:00+11:00', '2026-04-05T01:45:00+10:30']],
  ],
  [
    '2026-10-25T01:30',
    'Europe/London',
    ['ambiguous_local_time', ['2026-10-25T01:30:00+01:00', '2026-10-25T01:30:00Z']],
  ],
  [
    '2011-12-30T10:00',
    'Pacific/Apia',
    ['nonexistent_local_time', ['2011-12-31T10:00:00+14:00', '2011-12-29T10:00:00-10:00']],
  ],
]
for (const [text, zone, answer] of exact) {
  test(`exactly ${text} in ${zone}`, () => {
    const found = exactTime(read(text) as SentTime & { kind: 'local' }, zone)
    assert.deepEqual(found instanceof Date ? iso(found) : [found.code, found.suggestions], answer)
  })
}

const offsets: [text: string, zone: string, suggestions: string[] | undefined][] = [
  ['2026-12-01T09:00:00+01:00', 'Europe/Berlin', undefined],
  ['2026-12-01T09:00:00Z', 'Europe/Berlin', undefined],
  ['2026-12-01T09:00:00+00:00', 'Europe/London', undefined],
  ['2026-12-01T09:00:00[Europe/Paris]', 'Europe/Berlin', undefined],
  ['2026-12-01T09:00', 'Europe/Berlin', undefined],
  ['2026-12-01T09:00:00-05:00', 'Europe/Berlin', ['2026-12-01T09:00:00+01:00', '2026-12-01T15:00:00+01:00']],
  ['2026-07-01T09:00:00+01:00', 'Europe/Berlin', ['2026-07-01T09:00:00+02:00', '2026-07-01T10:00:00+02:00']],
  [
    '2026-12-01T09:00:00[America/New_York]',
    'Europe/Berlin',
    ['2026-12-01T09:00:00+01:00', '2026-12-01T15:00:00+01:00'],
  ],
]
for (const [text, zone, suggestions] of offsets) {
  test(`the offset of ${text} in ${zone} is ${suggestions ? 'wrong' : 'right'}`, () => {
    const refusal = offsetRefusal(read(text), zone)
    assert.deepEqual(refusal?.suggestions, suggestions)
    if (suggestions) assert.equal(refusal?.code, 'offset_mismatch')
  })
}

for (const text of [
  'tomorrow',
  '',
  '2026-02-30',
  '2026-12-01T25:00',
  '2026-12-01 09:00',
  '09:00',
  '1 Dec 2026',
  '2026-12',
  '2026-12-01T',
  '[UTC]',
  '2026-12-01T09:00[Nowhere]',
]) {
  test(`"${text}" is no time`, () => {
    const sent = readSentTime(text)
    assert.ok(sent.kind === 'refused' && sent.code === 'invalid_time_format')
  })
}

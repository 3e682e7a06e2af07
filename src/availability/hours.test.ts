import assert from 'node:assert/strict'
import { test } from 'vitest'
import { offsetStretches } from '../shapes/zones.ts'
import { outsideHours, type WorkingHours } from './hours.ts'

/** The rest of the window, as the text of its moments in UTC. */
function open(hours: WorkingHours, zone: string, from: string, to: string): string[] {
  const window = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  const edges = [window.fromMs, ...outsideHours(hours, zone, window), window.toMs]
  const found: string[] = []
  for (let i = 0; i < edges.length; i += 2) {
    if (edges[i]! < edges[i + 1]!) found.push(`${short(edges[i]!)}/${short(edges[i + 1]!)}`)
  }
  return found
}

const short = (ms: number) => new Date(ms).toISOString().replace(/:00\.000Z$/, 'Z')

const sunday = (start: string, end: string): WorkingHours => ({ sun: { start, end } })

const cases: [name: string, hours: WorkingHours, zone: string, from: string, to: string, open: string[]][] = [
  [
    'hours keep their wall clock when the clocks go forward',
    { sat: { start: '09:00', end: '17:00' }, mon: { start: '09:00', end: '17:00' } },
    'America/New_York',
    '2026-03-07T00:00:00Z',
    '2026-03-10T00:00:00Z',
    ['2026-03-07T14:00Z/2026-03-07T22:00Z', '2026-03-09T13:00Z/2026-03-09T21:00Z'],
  ],
  [
    'a start that is skipped is the moment after the gap',
    sunday('02:30', '04:00'),
    'America/New_York',
    '2026-03-08T00:00:00Z',
    '2026-03-09T00:00:00Z',
    ['2026-03-08T07:00Z/2026-03-08T08:00Z'],
  ],
  [
    'an end that is skipped is the moment after the gap',
    sunday('01:00', '02:30'),
    'America/New_York',
    '2026-03-08T00:00:00Z',
    '2026-03-09T00:00:00Z',
    ['2026-03-08T06:00Z/2026-03-08T07:00Z'],
  ],
  [
    'hours within a gap are none',
    sunday('02:00', '02:59'),
    'America/New_York',
    '2026-03-08T00:00:00Z',
    '2026-03-09T00:00:00Z',
    [],
  ],
  [
    'of a time that comes twice the start is the first and the end the second',
    sunday('01:30', '01:45'),
    'America/New_York',
    '2026-11-01T00:00:00Z',
    '2026-11-02T00:00:00Z',
    ['2026-11-01T05:30Z/2026-11-01T06:45Z'],
  ],
  [
    'the first moment that comes twice still means the second as an end',
    sunday('00:00', '01:00'),
    'America/New_York',
    '2026-11-01T00:00:00Z',
    '2026-11-02T00:00:00Z',
    ['2026-11-01T04:00Z/2026-11-01T06:00Z'],
  ],
  [
    'Lord Howe moves by half an hour only',
    sunday('01:30', '02:30'),
    'Australia/Lord_Howe',
    '2026-04-04T00:00:00Z',
    '2026-04-06T00:00:00Z',
    ['2026-04-04T14:30Z/2026-04-04T16:00Z'],
  ],
  [
    'the day that Apia left out has no hours',
    { fri: { start: '00:00', end: '23:59' }, sat: { start: '08:00', end: '09:00' } },
    'Pacific/Apia',
    '2011-12-28T00:00:00Z',
    '2012-01-01T00:00:00Z',
    ['2011-12-30T18:00Z/2011-12-30T19:00Z'],
  ],
  [
    'half-hour zones',
    { mon: { start: '09:00', end: '18:00' } },
    'Asia/Kolkata',
    '2026-03-02T00:00:00Z',
    '2026-03-03T00:00:00Z',
    ['2026-03-02T03:30Z/2026-03-02T12:30Z'],
  ],
  [
    'windows that begin and end within hours cut them',
    { mon: { start: '09:00', end: '18:00' }, tue: { start: '09:00', end: '18:00' } },
    'UTC',
    '2026-03-02T12:00:00Z',
    '2026-03-03T10:00:00Z',
    ['2026-03-02T12:00Z/2026-03-02T18:00Z', '2026-03-03T09:00Z/2026-03-03T10:00Z'],
  ],
  [
    'several stretches of a day, the last of them to midnight, and one from midnight on',
    {
      sat: [
        { start: '09:00', end: '12:00' },
        { start: '20:00', end: '24:00' },
      ],
      sun: [{ start: '00:00', end: '02:00' }],
    },
    'Europe/Berlin',
    '2026-06-06T00:00:00Z',
    '2026-06-08T00:00:00Z',
    ['2026-06-06T07:00Z/2026-06-06T10:00Z', '2026-06-06T18:00Z/2026-06-07T00:00Z'],
  ],
  [
    'midnight that is skipped is the moment after the gap',
    { sat: [{ start: '22:00', end: '24:00' }] },
    'America/Havana',
    '2026-03-07T00:00:00Z',
    '2026-03-09T00:00:00Z',
    ['2026-03-08T03:00Z/2026-03-08T05:00Z'],
  ],
  [
    'midnight that comes twice ends a day at the first one, where the next day begins',
    { sat: [{ start: '22:00', end: '24:00' }] },
    'America/Havana',
    '2026-10-31T00:00:00Z',
    '2026-11-02T00:00:00Z',
    ['2026-11-01T02:00Z/2026-11-01T04:00Z'],
  ],
  [
    'a last hour that comes twice before midnight belongs to its day',
    { sat: [{ start: '22:00', end: '24:00' }] },
    'America/Asuncion',
    '2024-03-23T00:00:00Z',
    '2024-03-25T00:00:00Z',
    ['2024-03-24T01:00Z/2024-03-24T04:00Z'],
  ],
  [
    'before standard time the clock shows local mean time, to the second',
    { wed: { start: '12:00', end: '13:00' } },
    'America/New_York',
    '1800-01-01T00:00:00Z',
    '1800-01-02T00:00:00Z',
    ['1800-01-01T16:56:02.000Z/1800-01-01T17:56:02.000Z'],
  ],
]

for (const [name, hours, zone, from, to, expected] of cases) {
  test(name, () => assert.deepEqual(open(hours, zone, from, to), expected))
}

test('the first and the last year of the calendar are answered like any other', () => {
  const monday = { mon: { start: '09:00', end: '10:00' } }
  assert.deepEqual(open(monday, 'Europe/Berlin', '0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'), [
    '0001-01-01T08:06:32.000Z/0001-01-01T09:06:32.000Z',
  ])
  assert.deepEqual(open({ fri: monday.mon }, 'Asia/Tokyo', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59Z'), [
    '9999-12-31T00:00Z/9999-12-31T01:00Z',
  ])
})

test('the offsets of every zone are those that its wall clock shows, hour by hour around each change', () => {
  for (const zone of Intl.supportedValuesOf('timeZone').filter((_, i) => i % 12 === 0)) {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    const stretches = offsetStretches(zone, Date.UTC(2026, 0, 1), Date.UTC(2027, 6, 1))
    for (const [i, { fromMs, toMs, offsetMs }] of stretches.entries()) {
      if (i > 0) assert.equal(fromMs, stretches[i - 1]!.toMs, zone)
      for (const at of [fromMs, fromMs + 3_600_000, toMs - 3_600_000, toMs - 1000]) {
        assert.equal(Date.parse(`${clock.format(at).replace(' ', 'T')}Z`), at + offsetMs, `${zone} ${at}`)
      }
    }
  }
})

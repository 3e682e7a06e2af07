// Feeds made to hurt: each is answered in time, the next feed is read as if nothing had been, and memory stays where it was.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { type FeedParser, openFeedParser, type ParsedFeed } from './feedParser.ts'
import { totalOf } from './unread.ts'

const options = {
  zone: 'Europe/Berlin',
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2027-01-02T00:00:00Z'),
}

type Lines = string | string[] | string[][]
const calendar = (...content: Lines[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', content.flat(2), 'END:VCALENDAR', ''].flat().join('\r\n')
const event = (uid: string, ...properties: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'SUMMARY:Meeting',
  ...properties,
  'END:VEVENT',
]
const at9 = 'DTSTART:20260105T090000Z'
const ruled = (rule: string, ...more: string[]) => calendar(event('r', at9, 'DURATION:PT1S', `RRULE:${rule}`, ...more))
const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth))
const stamp = (nth: number) => new Date(Date.UTC(2026, 0, 5) + nth * 1000).toISOString().replace(/[-:]|\.\d+/g, '')

const good = calendar(event('good', at9, 'DTEND:20260105T100000Z'))

/** `events` where it can be told, else any outcome that is one. */
type Outcome = 'unreadable' | 'any' | { events: number; unread?: number }

const nothing: Outcome = { events: 0, unread: 1 }
/** The readable part: its first instance, or its start. */
const first: Outcome = { events: 1, unread: 1 }

const hostile: [what: string, feed: () => string | Buffer, outcome: Outcome][] = [
  ['nothing at all', () => '', 'unreadable'],
  ['blank lines', () => '\r\n'.repeat(5_000_000), 'unreadable'],
  ['carriage returns', () => '\r'.repeat(10_000_000), 'unreadable'],
  ['a page of HTML', () => '<!doctype html><html><body>Sign in</body></html>', 'unreadable'],
  ['JSON', () => JSON.stringify({ error: 'BEGIN VCALENDAR' }), 'unreadable'],
  ['bytes that are no text', () => Buffer.from(times(300_000, (nth) => (nth * 7919) % 256)), 'unreadable'],
  ['NUL bytes', () => Buffer.alloc(1_000_000), 'unreadable'],
  [
    'NUL bytes in every value',
    () => good.replaceAll('Meeting', 'M\0\0eeting').replace('good', 'go\0od'),
    { events: 1 },
  ],
  ['UTF-16 with a byte order mark', () => Buffer.from(`\uFEFF${good}`, 'utf16le'), { events: 1 }],
  ['UTF-16 without one', () => Buffer.from(good, 'utf16le'), { events: 1 }],
  ['an odd byte of UTF-16', () => Buffer.concat([Buffer.from(`\uFEFF${good}`, 'utf16le'), Buffer.from([0])]), 'any'],
  ['half a surrogate pair', () => Buffer.from(`\uFEFF${good.replace('Meeting', 'a\uD83D')}`, 'utf16le'), { events: 1 }],
  ['10 MB and one byte', () => good.padEnd(10 * 1024 * 1024 + 1), 'unreadable'],
  ['one endless line', () => `BEGIN:VCALENDAR\r\n${'A'.repeat(9_000_000)}\r\nEND:VCALENDAR`, { events: 0 }],
  ['an endless property', () => calendar(event('a', at9, `RDATE:${'9'.repeat(5_000_000)}`)), 'unreadable'],
  [
    'an endless property, folded',
    () => calendar(event('a', at9, `RDATE:2\r\n ${'3\r\n '.repeat(2_000_000)}`)),
    'unreadable',
  ],
  ['an endless description', () => calendar(event('a', at9, `DESCRIPTION:${'x'.repeat(9_000_000)}`)), { events: 1 }],
  [
    'an endless property that nobody reads',
    () => calendar(event('a', at9, `ATTACH:${'x'.repeat(9_000_000)}`)),
    { events: 1 },
  ],
  ['two million lines', () => calendar(event('a', at9, 'X-A:\r\n'.repeat(1_500_000))), { events: 1 }],
  ['10 MB of events', () => calendar(times(60_000, (nth) => event(`e${nth}`, at9))), 'unreadable'],
  ['100,001 components', () => calendar(times(100_001, () => ['BEGIN:X', 'END:X'])), 'unreadable'],
  ['components a thousand deep', () => calendar(times(1_000, () => 'BEGIN:VALARM')), 'unreadable'],
  ['events within events', () => calendar(times(50_000, () => 'BEGIN:VEVENT')), { events: 0, unread: 50_000 }],
  ['an end for every beginning of others', () => calendar(times(200_000, () => 'END:VEVENT')), { events: 0 }],
  ['a calendar within itself', () => times(20_000, () => 'BEGIN:VCALENDAR').join('\n'), 'unreadable'],
  ['cut off within an event', () => good.slice(0, good.indexOf('END:VEVENT')), 'unreadable'],
  ['every second for ever', () => ruled('FREQ=SECONDLY'), nothing],
  ['every second, counted to a trillion', () => ruled('FREQ=SECONDLY;COUNT=999999999999'), nothing],
  ['every second since the year 1', () => ruled('FREQ=SECONDLY;COUNT=999999999999').replace('2026', '0001'), nothing],
  ['every minute for a year', () => ruled('FREQ=MINUTELY'), nothing],
  [
    'every second of every day',
    () =>
      ruled(
        `FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${times(24, String)};BYMINUTE=${times(60, String)};BYSECOND=${times(60, String)}`,
      ),
    nothing,
  ],
  [
    'the same, and only the last one',
    () =>
      ruled(
        `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${times(24, String)};BYMINUTE=${times(60, String)};BYSECOND=${times(60, String)};BYSETPOS=-1`,
      ),
    { events: 2 },
  ],
  ['a day that never comes', () => ruled('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), { events: 1 }],
  [
    'a day that never comes, counted',
    () => ruled('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=5').replace('2026', '0001'),
    nothing,
  ],
  ['a second that never comes', () => ruled('FREQ=SECONDLY;INTERVAL=86400;BYHOUR=10;COUNT=9'), { events: 1 }],
  [
    'ten thousand weekdays',
    () => ruled(`FREQ=YEARLY;BYDAY=${times(10_000, (nth) => `${(nth % 53) + 1}${['MO', 'TU', 'WE'][nth % 3]}`)}`),
    { events: 156 },
  ],
  ['an interval beyond all years', () => ruled('FREQ=YEARLY;INTERVAL=999999999'), { events: 1 }],
  ['a count beyond all numbers', () => ruled(`FREQ=DAILY;COUNT=${'9'.repeat(400)}`), first],
  ['a rule of a megabyte', () => ruled(`FREQ=DAILY;X=${'1,'.repeat(400_000)}1`), { events: 362 }],
  [
    'five thousand expensive rules',
    () => calendar(times(5_000, (nth) => event(`e${nth}`, at9, 'RRULE:FREQ=SECONDLY;COUNT=999999'))),
    'any',
  ],
  ['five thousand rules at once', () => calendar(event('a', at9, ...times(5_000, () => 'RRULE:FREQ=HOURLY'))), 'any'],
  [
    'a hundred thousand exceptions',
    () => calendar(event('a', at9, 'RRULE:FREQ=DAILY', ...times(100_000, (nth) => `EXDATE:${stamp(nth * 60)}`))),
    'any',
  ],
  [
    'exceptions in every year there is',
    () =>
      calendar(
        event(
          'a',
          at9,
          'RRULE:FREQ=DAILY',
          ...times(90_000, (nth) => `EXDATE;TZID=America/New_York:${1000 + (nth % 9000)}0105T040000`),
        ),
      ),
    { events: 361 },
  ],
  [
    'a hundred thousand extra dates',
    () => calendar(event('a', at9, ...times(100_000, (nth) => `RDATE:${stamp(nth)}`))),
    'unreadable',
  ],
  [
    'extra periods of a lifetime each',
    () => calendar(event('a', at9, ...times(10_000, (nth) => `RDATE;VALUE=PERIOD:${stamp(nth)}/P30000D`))),
    { events: 10_001 },
  ],
  ['exceptions by a dense rule', () => ruled('FREQ=DAILY', 'EXRULE:FREQ=SECONDLY'), nothing],
  ['the year 9999', () => calendar(event('a', 'DTSTART:99991231T235959Z', 'DURATION:P9999W')), { events: 0 }],
  ['before the first moment in UTC', () => calendar(event('a', 'DTSTART:00010101T000000+0100')), { events: 0 }],
  ['the year 0', () => calendar(event('a', 'DTSTART:00000101T000000Z')), nothing],
  [
    'the year 1, for two thousand years',
    () => calendar(event('a', 'DTSTART:00010101T000000Z', 'DURATION:P999999D')),
    { events: 1 },
  ],
  [
    'an event of eight thousand years, weekly',
    () => calendar(event('a', at9, 'DTEND:99990101T000000Z', 'RRULE:FREQ=WEEKLY')),
    { events: 52 },
  ],
  ['a negative duration', () => calendar(event('a', at9, 'DURATION:-P1D')), first],
  ['an endless duration', () => calendar(event('a', at9, `DURATION:P${'9'.repeat(300)}D`)), first],
  ['dates that do not exist', () => calendar(event('a', 'DTSTART:20260230T250000')), nothing],
  [
    'a zone name of a megabyte',
    () => calendar(event('a', `DTSTART;TZID=${'Z'.repeat(900_000)}:20260105T090000`)),
    { events: 1 },
  ],
  [
    'a zone name of slashes',
    () => calendar(event('a', `DTSTART;TZID=${'/'.repeat(900_000)}:20260105T090000`)),
    { events: 1 },
  ],
  [
    'ten thousand zones',
    () => calendar(times(10_000, (nth) => event(`e${nth}`, `DTSTART;TZID=Zone ${nth}:20260105T090000`))),
    'any',
  ],
  [
    'every zone there is, in every other year',
    () =>
      calendar(
        Intl.supportedValuesOf('timeZone').flatMap((name) =>
          times(100, (nth) => event(`${name} ${nth}`, `DTSTART;TZID=${name}:${1900 + 2 * nth}0601T090000`)),
        ),
      ),
    'any',
  ],
  [
    'every zone there is',
    () =>
      calendar(Intl.supportedValuesOf('timeZone').map((zone) => event(zone, `DTSTART;TZID=${zone}:20260105T090000`))),
    { events: Intl.supportedValuesOf('timeZone').length },
  ],
  [
    'a zone that changes every second',
    () => calendar(zone('Own', 'RRULE:FREQ=SECONDLY'), event('a', 'DTSTART;TZID=Own:20260105T090000')),
    { events: 1 },
  ],
  [
    'a zone that is defined by itself',
    () =>
      calendar(
        zone('Own', 'X-A:b').map((line) => line.replace('DTSTART:', 'DTSTART;TZID=Own:')),
        event('a', 'DTSTART;TZID=Own:20260105T090000'),
      ),
    { events: 1 },
  ],
  [
    'a zone within itself',
    () =>
      calendar(times(9, () => ['BEGIN:VTIMEZONE', 'TZID:Own']).flat(), event('a', 'DTSTART;TZID=Own:20260105T090000')),
    { events: 1 },
  ],
  [
    'a zone a day ahead of itself',
    () => calendar(zone('Own', 'TZOFFSETTO:+9959'), event('a', 'DTSTART;TZID=Own:20260105T090000')),
    { events: 1 },
  ],
  [
    'names that objects have by themselves',
    () =>
      calendar(
        ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) =>
          event(name, `DTSTART;TZID=${name};__proto__=x:20260105T090000`, `${name.toUpperCase()}:1`, '__proto__:1'),
        ),
        zone('__proto__', 'X-A:b'),
      ),
    { events: 4 },
  ],
  [
    'components named like what objects have',
    () =>
      calendar('BEGIN:__PROTO__', 'UID:a', 'END:__PROTO__', 'BEGIN:CONSTRUCTOR', 'END:CONSTRUCTOR', event('a', at9)),
    { events: 1 },
  ],
  ['an identifier of a megabyte', () => calendar(event('u'.repeat(900_000), at9)), { events: 1 }],
  [
    'ten thousand versions of one event',
    () => calendar(times(10_000, (nth) => event('a', at9, `SEQUENCE:${nth % 777}`))),
    { events: 1 },
  ],
  [
    'ten thousand instances replaced',
    () =>
      calendar(
        event('a', at9, 'RRULE:FREQ=HOURLY'),
        times(10_000, (nth) =>
          event('a', `RECURRENCE-ID;RANGE=THISANDFUTURE:${stamp(nth * 3600)}`, `DTSTART:${stamp(nth * 3600 + 60)}`),
        ),
      ),
    'any',
  ],
]

function zone(name: string, ...properties: string[]): string[] {
  const observance = ['DTSTART:20000101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', ...properties]
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', ...observance, 'END:STANDARD', 'END:VTIMEZONE']
}

let parser: FeedParser
beforeAll(() => {
  parser = openFeedParser()
})
afterAll(() => parser.close())

const read = (feed: string | Buffer): Promise<ParsedFeed> => parser.parse(Buffer.from(feed as string), options)

const goodEvent = {
  uid: 'good',
  recurrenceId: null,
  title: 'Meeting',
  description: null,
  start: new Date('2026-01-05T09:00:00Z'),
  end: new Date('2026-01-05T10:00:00Z'),
  allDay: false,
  status: 'confirmed',
}

async function goodIsRead(): Promise<void> {
  assert.deepEqual(await read(good), { kind: 'parsed', events: [goodEvent], unread: {}, lost: [] })
}

/** Longer than the five seconds of a feed by what a busy machine needs to end and start a thread. */
const patienceMs = 15_000

for (const [what, feed, outcome] of hostile) {
  test(`${what}: survived, and the next feed is read`, async () => {
    const began = performance.now()
    const [reading] = await Promise.all([read(feed()), goodIsRead()])
    if (process.env.SHOW)
      console.log(
        what,
        Math.round(performance.now() - began),
        reading.kind,
        reading.kind === 'parsed' ? reading.events.length : reading.reason,
      )
    assert.ok(performance.now() - began < patienceMs)
    if (outcome === 'unreadable') assert.equal(reading.kind, 'unreadable')
    if (reading.kind === 'unreadable') {
      assert.match(reading.reason, /^[A-Z][^\n]{10,150}\.$/)
      assert.ok(outcome === 'unreadable' || outcome === 'any', reading.reason)
    } else if (typeof outcome === 'object') {
      assert.equal(reading.events.length, outcome.events)
      assert.equal(totalOf(reading.unread), outcome.unread ?? 0)
      for (const { title, uid, recurrenceId, start, end } of reading.events) {
        assert.ok(title.isWellFormed() && title.length <= 500 && !/\p{Cc}/u.test(title + uid))
        assert.ok(start < end && (recurrenceId === null || (start < options.until && end > options.from)))
      }
    }
  })
}

test('all of that took a bounded amount of memory', () => {
  const megabytes = process.resourceUsage().maxRSS / 1024
  assert.ok(megabytes < 1_200, `${megabytes} MB`)
})

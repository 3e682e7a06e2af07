// SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import { daysWhen, momentWhen, momentWords, offsetTime, spanWhen } from './words.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`words: SEED=${seed}`)

const ms = (iso: string) => Date.parse(iso)
const now = ms('2026-11-29T13:03:00Z')
const span = (start: string, end: string) => ({ startMs: ms(start), endMs: ms(end) })

const spans: [start: string, end: string, zone: string, when: string][] = [
  [
    '2026-12-01T08:00:00Z',
    '2026-12-01T08:30:00Z',
    'Europe/Berlin',
    'Tue 1 Dec 2026 09:00-09:30 Europe/Berlin (in 2 days)',
  ],
  [
    '2026-11-29T22:30:00Z',
    '2026-11-29T23:30:00Z',
    'Europe/Berlin',
    'Sun 29 Nov 2026 23:30 - Mon 30 Nov 2026 00:30 Europe/Berlin (today)',
  ],
  [
    '2026-11-30T22:00:00Z',
    '2026-11-30T23:00:00Z',
    'Europe/Berlin',
    'Mon 30 Nov 2026 23:00 - Tue 1 Dec 2026 00:00 Europe/Berlin (tomorrow)',
  ],
  ['2026-11-29T13:03:30Z', '2026-11-29T14:00:00Z', 'UTC', 'Sun 29 Nov 2026 13:03-14:00 UTC (in 1 min)'],
  ['2026-11-29T13:12:59Z', '2026-11-29T14:00:00Z', 'UTC', 'Sun 29 Nov 2026 13:12-14:00 UTC (in 9 min)'],
  ['2026-11-29T14:02:59Z', '2026-11-29T15:00:00Z', 'UTC', 'Sun 29 Nov 2026 14:02-15:00 UTC (in 59 min)'],
  ['2026-11-29T14:03:00Z', '2026-11-29T15:00:00Z', 'UTC', 'Sun 29 Nov 2026 14:03-15:00 UTC (today)'],
  ['2026-11-29T13:03:00Z', '2026-11-29T15:00:00Z', 'UTC', 'Sun 29 Nov 2026 13:03-15:00 UTC (now)'],
  ['2026-11-20T00:00:00Z', '2026-12-24T00:00:00Z', 'UTC', 'Fri 20 Nov 2026 00:00 - Thu 24 Dec 2026 00:00 UTC (now)'],
  ['2026-11-29T12:30:00Z', '2026-11-29T13:03:00Z', 'UTC', 'Sun 29 Nov 2026 12:30-13:03 UTC (33 min ago)'],
  ['2026-11-29T12:00:00Z', '2026-11-29T13:00:00Z', 'UTC', 'Sun 29 Nov 2026 12:00-13:00 UTC (today)'],
  ['2026-11-28T12:00:00Z', '2026-11-28T13:00:00Z', 'UTC', 'Sat 28 Nov 2026 12:00-13:00 UTC (yesterday)'],
  ['2025-11-29T12:00:00Z', '2025-11-29T13:00:00Z', 'UTC', 'Sat 29 Nov 2025 12:00-13:00 UTC (365 days ago)'],
  // By local dates: in Auckland it is Monday already.
  [
    '2026-11-30T12:00:00Z',
    '2026-11-30T13:00:00Z',
    'Pacific/Auckland',
    'Tue 1 Dec 2026 01:00-02:00 Pacific/Auckland (tomorrow)',
  ],
]
for (const [start, end, zone, when] of spans) {
  test(`${start} to ${end} reads ${when}`, () => {
    assert.equal(spanWhen(span(start, end), zone, now), when)
  })
}

const wholeDays: [start: string, end: string, when: string][] = [
  ['2026-12-01T00:00:00+01:00', '2026-12-02T00:00:00+01:00', 'Tue 1 Dec 2026, all day (in 2 days)'],
  ['2026-11-27T00:00:00+01:00', '2026-11-30T00:00:00+01:00', 'Fri 27 Nov 2026 - Sun 29 Nov 2026, all day (today)'],
  ['2026-11-26T00:00:00+01:00', '2026-11-29T00:00:00+01:00', 'Thu 26 Nov 2026 - Sat 28 Nov 2026, all day (3 days ago)'],
  ['2026-11-30T00:00:00+01:00', '2026-12-01T00:00:00+01:00', 'Mon 30 Nov 2026, all day (tomorrow)'],
  // The day on which clocks go back has 25 hours.
  ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 'Sun 25 Oct 2026, all day (35 days ago)'],
]
for (const [start, end, when] of wholeDays) {
  test(`whole days read ${when}`, () => {
    assert.equal(daysWhen(span(start, end), 'Europe/Berlin', now), when)
  })
}

test('a moment alone has one time', () => {
  assert.equal(momentWords(now, 'Europe/Berlin'), 'Sun 29 Nov 2026 14:03 Europe/Berlin')
  assert.equal(momentWhen(now + 2 * dayMs, 'UTC', now), 'Tue 1 Dec 2026 13:03 UTC (in 2 days)')
  assert.equal(momentWhen(now, 'UTC', now), 'Sun 29 Nov 2026 13:03 UTC (now)')
})

test('an instant has the offset of its zone, and milliseconds only if there are any', () => {
  assert.equal(offsetTime(now, 'Europe/Berlin'), '2026-11-29T14:03:00+01:00')
  assert.equal(offsetTime(now + 250, 'Asia/Kathmandu'), '2026-11-29T18:48:00.250+05:45')
  assert.equal(offsetTime(now, 'UTC'), '2026-11-29T13:03:00Z')
  assert.equal(offsetTime(now, 'Europe/London'), '2026-11-29T13:03:00Z')
  assert.equal(offsetTime(now - 180 * dayMs, 'Europe/London'), '2026-06-02T14:03:00+01:00')
})

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const momentOf = (year: number) => fc.integer({ min: Date.UTC(year, 0, 1), max: Date.UTC(year, 11, 31) })
const length = fc.oneof(fc.integer({ min: 1, max: 12 * hourMs }), fc.integer({ min: 1, max: 40 * dayMs }))
const distance = fc.oneof(
  fc.integer({ min: -2 * hourMs, max: 2 * hourMs }),
  fc.integer({ min: -50 * dayMs, max: 50 * dayMs }),
)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(name: string): Intl.DateTimeFormat {
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(name, format)
  return format
}

/** As `Intl` writes it, in the form of ours. */
function intlWords(at: number, name: string): { date: string; time: string; day: number } {
  const parts = formatOf(name).formatToParts(at)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return {
    date: `${part.weekday} ${part.day} ${part.month} ${part.year}`,
    time: `${part.hour}:${part.minute}`,
    day: Date.parse(`${part.day} ${part.month} ${part.year} UTC`) / dayMs,
  }
}

function intlDistance(startMs: number, endMs: number, at: number, days: number): string {
  if (startMs <= at && at < endMs) return 'now'
  const minutes = Math.max(1, Math.floor(Math.abs(startMs - at) / minuteMs))
  if (minutes < 60) return startMs > at ? `in ${minutes} min` : `${minutes} min ago`
  if (Math.abs(days) > 1) return days > 0 ? `in ${days} days` : `${-days} days ago`
  return ['yesterday', 'today', 'tomorrow'][days + 1]!
}

/** Of one year, because what is known of a zone is known by years. */
const ofYear = fc.integer({ min: 1990, max: 2037 }).chain((year) =>
  fc.record({
    name: zone,
    drawn: fc.array(fc.tuple(momentOf(year), length, distance), { minLength: 50, maxLength: 50 }),
  }),
)

test('10,000 spans in random zones read as an independent formatter writes them', () => {
  const property = fc.property(ofYear, ({ name, drawn }) => {
    for (const [startMs, lengthMs, awayMs] of drawn) {
      const endMs = startMs + lengthMs
      const at = startMs - awayMs
      const start = intlWords(startMs, name)
      const end = intlWords(endMs, name)
      const until = start.date === end.date ? `-${end.time}` : ` - ${end.date} ${end.time}`
      const away = intlDistance(startMs, endMs, at, start.day - intlWords(at, name).day)
      assert.equal(spanWhen({ startMs, endMs }, name, at), `${start.date} ${start.time}${until} ${name} (${away})`)
      assert.equal(Temporal.Instant.from(offsetTime(startMs, name)).epochMilliseconds, startMs)
    }
  })
  fc.assert(property, { seed, numRuns: 200 })
})

// Foreign rules in their zones against an independent engine, `rrule-temporal`, on random rules, starts and windows. SEED=n
// repeats a run.
//
// Where the two do not mean the same, it is not asked:
// - a start that its rule does not give is an instance to us (RFC 5545, 3.8.5.3) and none to it: starts are drawn from what
//   the rule gives;
// - times that a zone leaves out or repeats (`corpus/clock-changes.ics` has them): clocks here change before five;
// - SKIP beside BYMONTHDAY in a monthly rule, which it does not apply (`parseCalendar.test.ts` has them);
// - plain weekdays beside such with an ordinal, and BYSETPOS over a first period that has begun before the start.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { test } from 'vitest'
import { dayMs } from '../shapes/durations.ts'
import { parseCalendar } from './parseCalendar.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`foreign rule oracles: SEED=${seed}`)

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'UTC'],
  ...['America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tokyo', 'Pacific/Auckland', 'America/Sao_Paulo'],
]

const list = <T>(values: readonly T[], maxLength: number) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength }).map((chosen) => chosen.join(','))
const part = (name: string, values: fc.Arbitrary<string | number>) => values.map((value) => `;${name}=${value}`)
const maybe = (text: fc.Arbitrary<string>) => fc.oneof({ weight: 2, arbitrary: fc.constant('') }, text)

const weekdays = part('BYDAY', list(weekdayCodes, 4))
const ordinals = part(
  'BYDAY',
  list(
    ['1', '2', '3', '4', '5', '-1', '-2'].flatMap((nth) => weekdayCodes.map((code) => nth + code)),
    3,
  ),
)
const monthDays = part('BYMONTHDAY', list([1, 2, 13, 28, 29, 30, 31, -1, -2, -31], 4))
const months = part('BYMONTH', list([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 5))
const hours = part('BYHOUR', list([5, 9, 12, 17, 23], 3))
const interval = part('INTERVAL', fc.integer({ min: 1, max: 5 }))
const weekStart = part('WKST', fc.constantFrom(...weekdayCodes))
const positions = part('BYSETPOS', list([1, 2, -1, -2], 2))

const dayOfLongMonths = part('BYMONTHDAY', fc.constantFrom(1, 28, 29, 30, 31))
const skip = part('RSCALE=GREGORIAN;SKIP', fc.constantFrom('OMIT', 'BACKWARD', 'FORWARD'))

const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''))
const rules = fc.oneof(
  joined(fc.constant('FREQ=DAILY'), maybe(interval), maybe(weekdays), maybe(months), maybe(hours)),
  joined(fc.constant('FREQ=WEEKLY'), maybe(interval), maybe(weekdays), maybe(weekStart), maybe(hours)),
  joined(fc.constant('FREQ=MONTHLY'), maybe(interval), fc.oneof(fc.constant(''), ordinals, monthDays), maybe(months)),
  joined(fc.constant('FREQ=MONTHLY'), maybe(interval), weekdays, positions),
  joined(fc.constant('FREQ=MONTHLY'), skip, maybe(interval)),
  joined(fc.constant('FREQ=YEARLY'), skip, maybe(interval), months, dayOfLongMonths),
  joined(fc.constant('FREQ=YEARLY'), maybe(interval), months, fc.oneof(fc.constant(''), ordinals, monthDays, weekdays)),
)

const cases = fc.record({
  rule: rules,
  zone: fc.constantFrom(...zones),
  day: fc.integer({ min: Date.UTC(2019, 0, 1) / dayMs, max: Date.UTC(2027, 0, 1) / dayMs }),
  minute: fc.integer({ min: 300, max: 1439 }),
  end: fc.constantFrom('never', 'never', 'count', 'until', 'date'),
  endsAfter: fc.integer({ min: 1, max: 300 }),
  from: fc.integer({ min: Date.UTC(2024, 0, 1) / dayMs, max: Date.UTC(2028, 0, 1) / dayMs }),
})

const localStamp = (wallMs: number) => new Date(wallMs).toISOString().replace(/[-:]|\.\d+Z/g, '')

test('instances fall where an independent engine says they fall', () => {
  let compared = 0
  const property = fc.property(cases, ({ rule, zone, day, minute, end, endsAfter, from }) => {
    const drawn = new RRuleTemporal({ rruleString: ruleText(rule, zone, day * dayMs + minute * 60_000) })
    // The first of a later period: BYSETPOS then chooses from whole periods only.
    const start = drawn.between(new Date(day * dayMs + 2 * dayMs), new Date((day + 3000) * dayMs), true)[3]
    if (!start) return
    const wallMs = start.epochMilliseconds + start.offsetNanoseconds / 1e6
    const until = localStamp(wallMs + endsAfter * dayMs)
    const ending = { never: '', count: `;COUNT=${endsAfter}`, until: `;UNTIL=${until}Z`, date: '' }[end]
    const feedRule = rule + (end === 'date' ? `;UNTIL=${until.slice(0, 8)}` : ending)
    const oracleRule = rule + (end === 'date' ? `;UNTIL=${utcEndOfDay(until.slice(0, 8), zone)}` : ending)
    const window = [new Date(from * dayMs), new Date((from + 366) * dayMs)] as const
    const oracle = new RRuleTemporal({ rruleString: ruleText(oracleRule, zone, wallMs) })
    const expected = oracle
      .between(new Date(window[0].getTime() - 1), window[1], true)
      .map(({ epochMilliseconds }) => epochMilliseconds)
      .filter((ms) => ms >= window[0].getTime() && ms < window[1].getTime())
    const got = startsOf(feedRule, zone, wallMs, window)
    compared += expected.length
    assert.deepEqual(
      got.map((ms) => new Date(ms).toISOString()),
      [...new Set(expected)].map((ms) => new Date(ms).toISOString()),
      `${feedRule} from ${localStamp(wallMs)} ${zone}`,
    )
  })
  fc.assert(property, { seed, numRuns: Number(process.env.RUNS ?? 300) })
  assert.ok(compared > 1_000, `only ${compared} instances were compared`)
})

const ruleText = (rule: string, zone: string, wallMs: number) =>
  `DTSTART;TZID=${zone}:${localStamp(wallMs)}\nRRULE:${rule}`

/** The last second of a local day, in UTC: to the oracle a date is its midnight. */
function utcEndOfDay(date: string, zone: string): string {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const guess = Date.parse(`${day}T23:59:59Z`)
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  for (let offset = -14 * 60; offset <= 14 * 60; offset += 15) {
    if (clock.format(guess - offset * 60_000) === `${day} 23:59:59`) return `${localStamp(guess - offset * 60_000)}Z`
  }
  throw new Error(`no ${day} in ${zone}`)
}

function startsOf(rule: string, zone: string, wallMs: number, [from, until]: readonly [Date, Date]): number[] {
  const feed = [
    ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', `DTSTART;TZID=${zone}:${localStamp(wallMs)}`, 'DURATION:PT1M'],
    ...[`RRULE:${rule}`, 'END:VEVENT', 'END:VCALENDAR'],
  ]
  const reading = parseCalendar(Buffer.from(feed.join('\r\n')), { zone: 'UTC', from, until })
  assert.equal(reading.kind, 'parsed')
  const starts = reading.kind === 'parsed' ? reading.events.map(({ start }) => start.getTime()) : []
  return starts.filter((ms) => ms >= from.getTime()).sort((a, b) => a - b)
}

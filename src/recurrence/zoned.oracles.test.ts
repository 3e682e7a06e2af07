// Series by the wall clocks of twenty zones against two oracles, `rrule-temporal` and python-dateutil, in windows around changes of
// clocks. SEED=n repeats a run; ORACLE_RUNS=10000 is the long one.
//
// `rrule-temporal` leaves out what clocks skip, now and then: it is asked for the other occurrences.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { test } from 'vitest'
import { dayMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'
import { hasDateutil, pythonStarts } from '../testing/dateutil.ts'
import { clockOf, instantOf, wallOf } from './clock.ts'
import { countBetween, isOccurrence, nextOccurrence, occurrencesBetween, previousOccurrence } from './expand.ts'
import { parseRule } from './grammar.ts'
import { printRule } from './print.ts'
import { type Rule, weekdayCodes } from './rule.ts'
import { compileSeries, lastOccurrence, type Series } from './series.ts'
import { checkStart } from './start.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const numRuns = Number(process.env.ORACLE_RUNS ?? 1_000)
console.log(`zoned recurrence oracles: SEED=${seed}`)

const zones = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Dublin', 'America/New_York', 'America/Sao_Paulo', 'America/Santiago'],
  ...['America/St_Johns', 'America/Havana', 'Africa/Windhoek', 'Asia/Amman', 'Asia/Tehran', 'Asia/Kathmandu'],
  ...['Asia/Beirut', 'Asia/Hong_Kong', 'Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Chatham', 'Pacific/Apia'],
  ...['Atlantic/Azores', 'UTC'],
]
/** The zones that both oracles and ICU know alike. */
const years = { from: 1996, to: 2036 }

type Case = { zone: string; rule: Rule; start: Date; series: Series; fromMs: number; toMs: number }

const ingredients = fc.record({
  zone: fc.constantFrom(...zones),
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  interval: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 })),
  day: fc.integer({ min: Date.UTC(years.from, 1, 1) / dayMs, max: Date.UTC(years.to - 12, 0, 1) / dayMs }),
  // Mostly by night, when clocks change.
  minute: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.nat(1_439)),
  by: fc.constantFrom('nothing', 'weekday', 'weekdayFromEnd', 'monthDay'),
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  end: fc.constantFrom('never', 'count', 'date', 'second'),
  size: fc.integer({ min: 1, max: 400 }),
  window: fc.nat(4_000),
  change: fc.nat(40),
})
type Ingredients = typeof ingredients extends fc.Arbitrary<infer T> ? T : never

const changesOf = (zone: string): number[] =>
  offsetStretches(zone, Date.UTC(years.from, 0, 1), Date.UTC(years.to, 0, 1))
    .slice(1)
    .map(({ fromMs }) => fromMs)

function makeCase(drawn: Ingredients): Case {
  const { zone } = drawn
  const clock = clockOf(zone)
  const start = new Date(instantOf(clock, drawn.day * dayMs + drawn.minute * 60_000))
  const wall = new Date(wallOf(clock, start.getTime()))
  const periodDays = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }[drawn.freq]! * drawn.interval
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const untilMs = Math.min(start.getTime() + drawn.size * periodDays * dayMs, Date.UTC(2500, 0, 1))
  const text = [
    `FREQ=${drawn.freq};INTERVAL=${drawn.interval}`,
    drawn.end === 'count' && `COUNT=${drawn.size}`,
    drawn.end === 'date' && `UNTIL=${stamp(untilMs).slice(0, 8)}`,
    drawn.end === 'second' && `UNTIL=${stamp(untilMs)}`,
    byPart(drawn, wall),
  ]
    .filter(Boolean)
    .join(';')
  const parsed = parseRule(text)
  assert.ok(parsed.ok, text)
  assert.equal(checkStart(parsed.rule, start, zone), undefined, `${text} from ${start.toISOString()} in ${zone}`)
  const changes = changesOf(zone)
  const middle = changes[drawn.change % Math.max(1, changes.length)] ?? start.getTime() + drawn.window * dayMs
  const fromMs = drawn.change % 3 === 0 ? start.getTime() + drawn.window * dayMs : middle - 40 * dayMs
  const toMs = Math.min(fromMs + 80 * dayMs + 3 * periodDays * dayMs, Date.UTC(years.to, 0, 1))
  return { zone, rule: parsed.rule, start, series: compileSeries(parsed.rule, start, [], 0, { zone }), fromMs, toMs }
}

function byPart({ freq, by, weekdays }: Ingredients, wall: Date): string | false {
  const weekday = (wall.getUTCDay() + 6) % 7
  const date = wall.getUTCDate()
  const length = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
  if (freq === 'WEEKLY' && by !== 'nothing')
    return `BYDAY=${[...new Set([...weekdays, weekday])].map((day) => weekdayCodes[day]).join(',')}`
  if (freq !== 'MONTHLY' || by === 'nothing') return false
  if (by === 'weekday') return `BYDAY=${Math.ceil(date / 7)}${weekdayCodes[weekday]}`
  if (by === 'weekdayFromEnd') return `BYDAY=-${Math.ceil((length - date + 1) / 7)}${weekdayCodes[weekday]}`
  return date === length ? 'BYMONTHDAY=-1' : date <= 28 && `BYMONTHDAY=${date}`
}

const drawn = (): Case[] => fc.sample(ingredients, { seed, numRuns }).map(makeCase)
const show = (starts: readonly number[]): string[] => starts.map((ms) => new Date(ms).toISOString())
const describe = ({ rule, zone, start, fromMs, toMs }: Case) =>
  `${printRule(rule)} in ${zone} from ${start.toISOString()} in ${show([fromMs, toMs])}`
const ours = ({ series, fromMs, toMs }: Case) => show(occurrencesBetween(series, fromMs, toMs))

/** The bare rule, and the first and last moment that it allows: each oracle reads UNTIL in another way. */
const bare = ({ end, ...rule }: Rule): string =>
  `${printRule({ ...rule, end: end.kind === 'count' ? end : { kind: 'never' } } as Rule)};WKST=MO`

function isAllowed({ rule: { end }, zone, start, fromMs, toMs }: Case, ms: number): boolean {
  const isInside = ms >= fromMs && ms < toMs && ms >= start.getTime()
  if (end.kind !== 'until') return isInside
  return isInside && (end.form === 'second' ? ms : wallOf(clockOf(zone), ms)) <= end.lastMs
}

const timeOfDay = (zone: string, ms: number) => wallOf(clockOf(zone), ms) % dayMs

const isMissing = (zone: string, ms: number) => instantOf(clockOf(zone), wallOf(clockOf(zone), ms)) !== ms

/** Apia had no 30 December 2011: an occurrence of that day moves to the next day and keeps its time of day. */
const followsSkippedDay = (zone: string, ms: number) =>
  wallOf(clockOf(zone), ms) - wallOf(clockOf(zone), ms - dayMs) > 1.5 * dayMs

test('series by wall clocks agree with rrule-temporal', () => {
  let found = 0
  // It takes 80 ms for each rule.
  const cases = drawn().slice(0, numRuns / 5)
  for (const one of cases) {
    const { zone, start, fromMs, toMs } = one
    if (isMissing(zone, start.getTime())) continue
    const local = new Date(wallOf(clockOf(zone), start.getTime())).toISOString().replace(/[-:]|\.\d+Z/g, '')
    const oracle = new RRuleTemporal({ rruleString: `DTSTART;TZID=${zone}:${local}\nRRULE:${bare(one.rule)}` })
    const all = oracle.between(new Date(fromMs - dayMs), new Date(toMs + dayMs), true)
    const theirs = [...new Set(all.map((time) => time.epochMilliseconds))].filter((ms) => isAllowed(one, ms))
    const isAsked = (ms: number) =>
      timeOfDay(zone, ms) === timeOfDay(zone, start.getTime()) && !followsSkippedDay(zone, ms)
    const { series } = one
    const mine = occurrencesBetween(series, fromMs, toMs).filter(isAsked)
    assert.deepEqual(show(mine), show(theirs.filter(isAsked)), describe(one))
    found += theirs.length
  }
  assert.ok(found > 2 * cases.length, `only ${found} occurrences in all`)
})

test('series by wall clocks agree with python-dateutil', {
  skip: !hasDateutil() && process.env.CI !== 'true',
}, async () => {
  const cases = drawn()
  const asked = cases.map((one) => {
    const local = (ms: number) => new Date(ms).toISOString().slice(0, 19)
    const clock = clockOf(one.zone)
    return {
      ...{ zone: one.zone, rule: bare(one.rule), wall: local(wallOf(clock, one.start.getTime())) },
      ...{ from: local(one.fromMs - 2 * dayMs), to: local(one.toMs + 2 * dayMs) },
    }
  })
  const answers = await pythonStarts(asked)
  for (const [nth, one] of cases.entries()) {
    // The start itself keeps its moment, also if the clock shows it for the second time.
    const clock = clockOf(one.zone)
    const meant = instantOf(clock, wallOf(clock, one.start.getTime()))
    const moments = answers[nth]!.map((ms) => (ms === meant ? one.start.getTime() : ms))
    const theirs = [...new Set(moments)].filter((ms) => isAllowed(one, ms))
    assert.deepEqual(ours(one), show(theirs), describe(one))
  }
})

test('the answers about a series by a wall clock, with dates beside it, agree with each other', () => {
  for (const [nth, one] of drawn().entries()) {
    const { rule, start, zone, fromMs, toMs } = one
    const plain = occurrencesBetween(one.series, fromMs, toMs)
    const rdates = [
      ...plain.filter((_, place) => place % 4 === 0),
      ...[1, 5, 9].map((day) => fromMs + day * dayMs + nth),
    ]
      .filter((ms) => ms >= start.getTime())
      .reverse()
    const cancelled = [...plain.filter((_, place) => place % 5 === 2), ...rdates.slice(0, 1)]
    const series = compileSeries(rule, start, cancelled, 0, { zone, rdates })
    const wanted = [...new Set([...plain, ...rdates.filter((ms) => ms < toMs)])]
      .filter((ms) => !cancelled.includes(ms))
      .sort((a, b) => a - b)
    const note = describe(one)
    assert.deepEqual(show(occurrencesBetween(series, fromMs, toMs)), show(wanted), note)
    assert.equal(countBetween(series, fromMs, toMs), wanted.length, note)
    assert.deepEqual(occurrencesBetween(series, fromMs, toMs, 3), wanted.slice(0, 3), note)
    const stepped: number[] = []
    for (let at = nextOccurrence(series, fromMs - 1); at !== undefined && at < toMs; at = nextOccurrence(series, at))
      stepped.push(at)
    assert.deepEqual(stepped, wanted, note)
    const back: number[] = []
    for (
      let at = previousOccurrence(series, toMs);
      at !== undefined && at >= fromMs;
      at = previousOccurrence(series, at)
    )
      back.push(at)
    assert.deepEqual(back.reverse(), wanted, note)
    for (const ms of wanted) assert.ok(isOccurrence(series, ms) && !isOccurrence(series, ms + 1), note)
    for (const ms of cancelled) assert.ok(!isOccurrence(series, ms), note)
    const last = lastOccurrence(compileSeries(rule, start, [], 0, { zone, rdates }))
    if (last !== undefined) {
      assert.ok(isOccurrence(compileSeries(rule, start, [], 0, { zone, rdates }), last), note)
      assert.equal(nextOccurrence(series, last), undefined, note)
    }
  }
})

// The engine against three oracles on random rules, starts and windows: `rrule`, `rrule-temporal`, and a walk over every day
// that reads the specification literally. SEED=n repeats a run; ORACLE_RUNS=10000 is the long one.
//
// Where the libraries do not agree with the specification, they are asked something else or not at all:
// - UNTIL=YYYYMMDD is midnight to them and the whole day to us: they get the last second of that day.
// - Fractions of a second are dropped by both: their starts have none, and the shift property covers ours.
// - `rrule` walks from the start, milliseconds per hundred periods: it only gets near windows. (It also never returns on some
//   rules, but on none that our grammar has.)

import assert from 'node:assert/strict'
import fc from 'fast-check'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { test } from 'vitest'
import { dayMs } from '../shapes/durations.ts'
import { countBetween, isOccurrence, nextOccurrence, occurrencesBetween, previousOccurrence } from './expand.ts'
import { parseRule } from './grammar.ts'
import { busyIntervals } from './overlap.ts'
import { printRule } from './print.ts'
import { type Rule, weekdayCodes } from './rule.ts'
import { compileSeries, lastOccurrence, type Series } from './series.ts'
import { checkStart } from './start.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const numRuns = Number(process.env.ORACLE_RUNS ?? 2_000)
console.log(`recurrence oracles: SEED=${seed}`)

type Case = { text: string; rule: Rule; start: Date; series: Series; periodDays: number; fromMs: number; toMs: number }

const leapYears = Array.from({ length: 25 }, (_, i) => 1972 + 4 * i)
const startDay = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(1970, 0, 1) / dayMs, max: Date.UTC(2070, 0, 1) / dayMs }) },
  // Last days of months and their neighbours.
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1970, max: 2070 }), fc.nat(11), fc.integer({ min: -2, max: 1 }))
      .map(([year, month, shift]) => Date.UTC(year, month + 1, shift) / dayMs),
  },
  { weight: 1, arbitrary: fc.constantFrom(...leapYears).map((year) => Date.UTC(year, 1, 29) / dayMs) },
)

const fraction = fc.nat(1000).map((thousandths) => thousandths / 1000)

const ingredients = fc.record({
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  interval: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 99 })),
  startDay,
  second: fc.oneof(fc.constantFrom(0, 86_399), fc.nat(86_399)),
  by: fc.constantFrom('nothing', 'day', 'day', 'dayFromEnd', 'monthDay'),
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  end: fc.constantFrom('never', 'never', 'count', 'date', 'second'),
  endPeriods: fraction,
  offset: fc.integer({ min: -50, max: 1000 }).map((thousandths) => thousandths / 1000),
  length: fraction,
  snap: fc.constantFrom('nothing', 'from', 'to'),
})

type Ingredients = typeof ingredients extends fc.Arbitrary<infer T> ? T : never

/** A rule that fits its start, and a window that begins up to `farPeriods` periods after it and ends before the year 9999. */
const cases = (farPeriods: number) => ingredients.map((drawn) => makeCase(drawn, farPeriods))

function makeCase(drawn: Ingredients, wantedPeriods: number): Case {
  const start = new Date(drawn.startDay * dayMs + drawn.second * 1000)
  const periodDays = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }[drawn.freq]! * drawn.interval
  const farPeriods = Math.min(wantedPeriods, (7900 * 365) / periodDays - 40)
  const ending = new Date(start.getTime() + Math.round(drawn.endPeriods * farPeriods * periodDays) * dayMs)
  const stamp = ending.toISOString().replace(/[-:]|\.000/g, '')
  const text = [
    `FREQ=${drawn.freq};INTERVAL=${drawn.interval}`,
    drawn.end === 'count' && `COUNT=${Math.min(730, 1 + Math.round(drawn.endPeriods * farPeriods))}`,
    drawn.end === 'date' && `UNTIL=${stamp.slice(0, 8)}`,
    drawn.end === 'second' && `UNTIL=${stamp}`,
    byPart(drawn, start),
  ]
    .filter(Boolean)
    .join(';')
  const parsed = parseRule(text)
  assert.ok(parsed.ok, `${text}: ${JSON.stringify(parsed)}`)
  assert.equal(checkStart(parsed.rule, start), undefined, `${text} from ${start.toISOString()}`)
  const series = compileSeries(parsed.rule, start)
  let fromMs = start.getTime() + Math.round(drawn.offset * farPeriods * periodDays * dayMs)
  let toMs = fromMs + Math.round(drawn.length * 40 * periodDays * dayMs)
  if (drawn.snap === 'from') fromMs = Math.min(toMs, nextOccurrence(series, fromMs) ?? fromMs)
  if (drawn.snap === 'to') toMs = Math.max(fromMs, previousOccurrence(series, toMs) ?? toMs)
  return { text, rule: parsed.rule, start, series, periodDays, fromMs, toMs }
}

function byPart({ freq, by, weekdays }: Ingredients, start: Date): string | false {
  const weekday = (start.getUTCDay() + 6) % 7
  const date = start.getUTCDate()
  const length = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  if (freq === 'WEEKLY' && by !== 'nothing') {
    return `BYDAY=${[...new Set([...weekdays, weekday])].map((day) => weekdayCodes[day]).join(',')}`
  }
  if (freq !== 'MONTHLY' || by === 'nothing') return false
  if (by === 'day') return `BYDAY=${Math.ceil(date / 7)}${weekdayCodes[weekday]}`
  if (by === 'dayFromEnd') return `BYDAY=-${Math.ceil((length - date + 1) / 7)}${weekdayCodes[weekday]}`
  if (date === length) return 'BYMONTHDAY=-1'
  return date <= 28 && `BYMONTHDAY=${date}`
}

function check<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { seed, numRuns })
}

const show = (starts: readonly number[]): string[] => starts.map((start) => new Date(start).toISOString())
const expand = ({ series, fromMs, toMs }: Case): string[] => show(occurrencesBetween(series, fromMs, toMs))
const describe = ({ text, start, fromMs, toMs }: Case) =>
  `${text} from ${start.toISOString()} in ${show([fromMs, toMs])}`

function byRruleTemporal({ rule, start, fromMs, toMs }: Case): string[] {
  const until = rule.end.kind === 'until' ? new Date(rule.end.lastMs) : undefined
  const text = printRule(until ? { ...rule, end: { kind: 'never' } } : rule)
  const stamp = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '')
  const end = until ? `;UNTIL=${stamp(until)}` : ''
  const oracle = new RRuleTemporal({ rruleString: `DTSTART:${stamp(start)}\nRRULE:${text}${end};WKST=MO` })
  const found = oracle.between(new Date(fromMs), new Date(toMs), true).map((time) => time.epochMilliseconds)
  return show(found.filter((time) => time >= fromMs && time < toMs))
}

function byRrule({ rule, start, fromMs, toMs }: Case): string[] {
  const { RRule } = rrule
  const weekdays = [RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR, RRule.SA, RRule.SU]
  const on = rule.freq === 'MONTHLY' ? rule.on : undefined
  const oracle = new RRule({
    freq: RRule[rule.freq],
    interval: rule.interval,
    dtstart: start,
    wkst: RRule.MO,
    count: rule.end.kind === 'count' ? rule.end.count : null,
    until: rule.end.kind === 'until' ? new Date(rule.end.lastMs) : null,
    byweekday:
      on?.kind === 'weekday'
        ? [weekdays[on.weekday]!.nth(on.ordinal)]
        : rule.freq === 'WEEKLY' && rule.weekdays
          ? rule.weekdays.map((day) => weekdays[day]!)
          : null,
    bymonthday: on?.kind === 'monthDay' ? on.day : null,
  })
  const found = oracle.between(new Date(fromMs), new Date(toMs), true).map((time) => time.getTime())
  return show(found.filter((time) => time >= fromMs && time < toMs))
}

/** Every day from the start on, by the wording of the specification. */
function byWalking({ rule, start, fromMs, toMs }: Case): string[] {
  const found: number[] = []
  let count = 0
  for (let time = start.getTime(); time < toMs; time += dayMs) {
    if (rule.end.kind === 'until' && time > rule.end.lastMs) break
    if (!fits(rule, start, new Date(time))) continue
    count++
    if (rule.end.kind === 'count' && count > rule.end.count) break
    if (time >= fromMs) found.push(time)
  }
  return show(found)
}

function fits(rule: Rule, start: Date, day: Date): boolean {
  const years = day.getUTCFullYear() - start.getUTCFullYear()
  const months = years * 12 + day.getUTCMonth() - start.getUTCMonth()
  const mondayOf = (date: Date) => Math.floor(date.getTime() / dayMs) - ((date.getUTCDay() + 6) % 7)
  const sameDate = day.getUTCDate() === start.getUTCDate()
  switch (rule.freq) {
    case 'DAILY':
      return Math.round((day.getTime() - start.getTime()) / dayMs) % rule.interval === 0
    case 'WEEKLY': {
      const listed = rule.weekdays ? rule.weekdays.map((weekday) => (weekday + 1) % 7) : [start.getUTCDay()]
      return ((mondayOf(day) - mondayOf(start)) / 7) % rule.interval === 0 && listed.includes(day.getUTCDay())
    }
    case 'MONTHLY': {
      if (months % rule.interval !== 0) return false
      if (!rule.on) return sameDate
      const fromEnd =
        new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate() - day.getUTCDate() + 1
      if (rule.on.kind === 'monthDay') return rule.on.day === (rule.on.day < 0 ? -fromEnd : day.getUTCDate())
      const ordinal = rule.on.ordinal < 0 ? -Math.ceil(fromEnd / 7) : Math.ceil(day.getUTCDate() / 7)
      return day.getUTCDay() === (rule.on.weekday + 1) % 7 && ordinal === rule.on.ordinal
    }
    case 'YEARLY':
      return years % rule.interval === 0 && sameDate && day.getUTCMonth() === start.getUTCMonth()
  }
}

test('agrees with rrule in near windows, and with rrule-temporal in the same', () => {
  let found = 0
  check(cases(60), (drawn) => {
    assert.deepEqual(expand(drawn), byRruleTemporal(drawn), describe(drawn))
    found += expand(drawn).length
    assert.deepEqual(expand(drawn), byRrule(drawn), describe(drawn))
  })
  assert.ok(found >= 5 * numRuns, `only ${found} occurrences in all`)
})

test('agrees with rrule-temporal in windows far from the start', () => {
  check(cases(2000), (drawn) => {
    assert.deepEqual(expand(drawn), byRruleTemporal(drawn), describe(drawn))
  })
})

test('agrees with a walk over every day', () => {
  check(cases(100), (drawn) => {
    fc.pre(drawn.toMs - drawn.start.getTime() < 60 * 366 * dayMs)
    assert.deepEqual(expand(drawn), byWalking(drawn), describe(drawn))
  })
})

test('the answers agree with each other', () => {
  check(fc.tuple(cases(800), fraction, fc.nat(5)), ([drawn, part, cancel]) => {
    const { rule, start, fromMs, toMs } = drawn
    const all = occurrencesBetween(drawn.series, fromMs, toMs)
    const cancelled = all.filter((_, i) => i % 6 < cancel - 1).reverse()
    const series = compileSeries(rule, start, cancelled)
    const starts = occurrencesBetween(series, fromMs, toMs)
    const note = describe(drawn)

    assert.deepEqual(parseRule(printRule(rule)), { ok: true, rule }, note)
    assert.deepEqual(
      starts,
      all.filter((time) => !cancelled.includes(time)),
      note,
    )
    assert.equal(countBetween(series, fromMs, toMs), starts.length, note)
    const middle = Math.round(fromMs + part * (toMs - fromMs))
    const halves = [...occurrencesBetween(series, fromMs, middle), ...occurrencesBetween(series, middle, toMs)]
    assert.deepEqual(halves, starts, note)
    assert.deepEqual(occurrencesBetween(series, fromMs, toMs, 3), starts.slice(0, 3), note)

    const stepped: number[] = []
    for (let at = nextOccurrence(series, fromMs - 1); at !== undefined && at < toMs; at = nextOccurrence(series, at))
      stepped.push(at)
    assert.deepEqual(stepped, starts, note)
    const back: number[] = []
    for (
      let at = previousOccurrence(series, toMs);
      at !== undefined && at >= fromMs;
      at = previousOccurrence(series, at)
    )
      back.push(at)
    assert.deepEqual(back.reverse(), starts, note)
    for (const time of starts) assert.ok(isOccurrence(series, time) && !isOccurrence(series, time + 1), note)
    for (const time of cancelled) assert.ok(!isOccurrence(series, time), note)

    const last = lastOccurrence(series)
    if (last !== undefined) {
      assert.ok(isOccurrence(drawn.series, last), note)
      assert.equal(nextOccurrence(drawn.series, last), undefined, note)
    }
  })
})

test('a start shifted by milliseconds shifts every occurrence', () => {
  check(fc.tuple(cases(200), fc.integer({ min: 1, max: 999 })), ([drawn, shiftMs]) => {
    const shifted = compileSeries(drawn.rule, new Date(drawn.start.getTime() + shiftMs))
    const starts = occurrencesBetween(shifted, drawn.fromMs + shiftMs, drawn.toMs + shiftMs)
    assert.deepEqual(show(starts.map((time) => time - shiftMs)), expand(drawn), describe(drawn))
  })
})

test('busy intervals are the union of the occurrences that meet the window', () => {
  check(fc.tuple(cases(200), fc.integer({ min: 1, max: 3 * dayMs })), ([drawn, durationMs]) => {
    const { series, fromMs, toMs } = drawn
    const flat = busyIntervals(series, durationMs, { fromMs, toMs })
    const busy = Array.from({ length: flat.length / 2 }, (_, i) => ({ startMs: flat[2 * i]!, endMs: flat[2 * i + 1]! }))
    const taken = occurrencesBetween(series, fromMs - durationMs + 1, toMs)
    for (const [i, { startMs, endMs }] of busy.entries()) {
      assert.ok(fromMs <= startMs && startMs < endMs && endMs <= toMs, describe(drawn))
      assert.ok(i === 0 || busy[i - 1]!.endMs < startMs, describe(drawn))
    }
    const lies = (time: number) => busy.some(({ startMs, endMs }) => startMs <= time && time < endMs)
    const isTaken = (time: number) => taken.some((start) => start <= time && time < start + durationMs)
    const edges = [
      fromMs,
      toMs - 1,
      ...taken.flatMap((start) => [start - 1, start, start + durationMs - 1, start + durationMs]),
    ]
    for (const time of edges.filter((edge) => edge >= fromMs && edge < toMs)) {
      assert.equal(lies(time), isTaken(time), `${describe(drawn)} at ${new Date(time).toISOString()}`)
    }
  })
})

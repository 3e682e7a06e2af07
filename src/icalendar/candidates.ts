// A rule's periods (its years, its weeks, its hours) and the possible starts in each: the sets of RFC 5545 that BYSETPOS
// chooses from. A set is days times times of day, never written out: a year of seconds costs no more than its two lists.
import { firstDayOfMonth, monthLength, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import type { ForeignRule, WallWindow } from './rule.ts'
import { type DayTest, dayTest } from './ruleDays.ts'

/** `days` since 1970, `times` in milliseconds after midnight, both ascending; `cost` is the work of finding them. */
export type CandidateSet = { days: readonly number[]; times: readonly number[]; cost: number }

/** The sets of YEARLY to DAILY, from the period of the window's beginning on. All `BY…` parts of times are given. */
export function* dateSets(rule: ForeignRule, startMs: number, { fromMs, toMs }: WallWindow): Generator<CandidateSet> {
  const { hours, minutes, seconds } = rule
  const times = hours.flatMap((hour) => timesIn(hour * hourMs, minutes, seconds))
  const passes = dayTest(rule)
  const skippedTo = skippedDays(rule)
  yield { days: [], times, cost: times.length }
  const periods = periodsOf(rule, Math.floor(startMs / dayMs))
  const from = Math.floor(Math.max(fromMs, startMs) / dayMs)
  // A day that is skipped forward falls into the next period.
  const isForward = rule.skip === 'FORWARD'
  const first = Math.max(0, Math.floor((periods.numberOf(from) - periods.origin) / rule.interval) - Number(isForward))
  for (let nth = first; ; nth++) {
    const period = periods.origin + nth * rule.interval
    if (periods.firstDay(period) * dayMs >= toMs) return
    const stretches = periods.stretches(period)
    const days = stretches.flatMap((stretch) => [...daysIn(stretch, passes), ...skippedTo(stretch)])
    const cost = stretches.reduce((sum, { length }) => sum + length, 1)
    yield { days: isForward ? [...new Set(days)] : days, times, cost }
  }
}

type Stretch = { first: number; length: number }
type Periods = {
  /** The period of the start. */
  origin: number
  numberOf(day: number): number
  firstDay(period: number): number
  /** The days of a period that may be in question. */
  stretches(period: number): Stretch[]
}

function periodsOf(rule: ForeignRule, startDay: number): Periods {
  const monthStretch = (month: number): Stretch => ({ first: firstDayOfMonth(month), length: monthLength(month) })
  const isInMonths = (month: number) => rule.months.length === 0 || rule.months.includes((month % 12) + 1)
  if (rule.frequency === 'YEARLY') {
    const all = Array.from({ length: 12 }, (_, nth) => nth)
    return {
      origin: Math.floor(monthOfDay(startDay) / 12),
      numberOf: (day) => Math.floor(monthOfDay(day) / 12),
      firstDay: (year) => firstDayOfMonth(year * 12),
      stretches: (year) =>
        all
          .map((nth) => year * 12 + nth)
          .filter(isInMonths)
          .map(monthStretch),
    }
  }
  if (rule.frequency === 'MONTHLY') {
    return {
      origin: monthOfDay(startDay),
      numberOf: monthOfDay,
      firstDay: firstDayOfMonth,
      stretches: (month) => (isInMonths(month) ? [monthStretch(month)] : []),
    }
  }
  const length = rule.frequency === 'WEEKLY' ? 7 : 1
  // Weeks are numbered from the one that 1970-01-01, a Thursday, falls in.
  const offset = rule.frequency === 'WEEKLY' ? (weekdayOf(0) - rule.weekStart + 7) % 7 : 0
  const numberOf = (day: number) => Math.floor((day + offset) / length)
  return {
    origin: numberOf(startDay),
    numberOf,
    firstDay: (period) => period * length - offset,
    stretches: (period) => [{ first: period * length - offset, length }],
  }
}

function daysIn({ first, length }: Stretch, passes: DayTest): number[] {
  const days: number[] = []
  for (let day = first; day < first + length; day++) if (passes(day)) days.push(day)
  return days
}

/** The substitutes for days of BYMONTHDAY that a month does not have, unless they are among its days already. */
function skippedDays(rule: ForeignRule): (month: Stretch) => number[] {
  const isByMonth = rule.frequency === 'YEARLY' || rule.frequency === 'MONTHLY'
  if (rule.skip === 'OMIT' || !isByMonth) return () => []
  const { monthDays } = rule
  const passes = dayTest({ ...rule, months: [], monthDays: [] })
  return ({ first, length }) => {
    const last = first + length - 1
    const isListed = rule.skip === 'BACKWARD' && (monthDays.includes(length) || monthDays.includes(-1))
    if (isListed || !monthDays.some((day) => day > length)) return []
    return [rule.skip === 'FORWARD' ? last + 1 : last].filter(passes)
  }
}

/** The sets of HOURLY to SECONDLY: a day, hour or minute outside the rule is skipped whole. */
export function* clockSets(rule: ForeignRule, startMs: number, { fromMs, toMs }: WallWindow): Generator<CandidateSet> {
  const unitMs = { HOURLY: hourMs, MINUTELY: minuteMs, SECONDLY: 1000 }[rule.frequency as 'HOURLY']
  const stepMs = unitMs * rule.interval
  const originMs = Math.floor(startMs / unitMs) * unitMs
  const passes = dayTest(rule)
  const misfit = misfitOf(rule, unitMs, passes)
  for (let nth = Math.max(0, Math.floor((fromMs - originMs) / stepMs)); ; ) {
    const atMs = originMs + nth * stepMs
    if (atMs >= toMs) return
    const passedMs = misfit(atMs)
    if (passedMs === undefined) {
      const day = Math.floor(atMs / dayMs)
      const times = timesWithin(atMs - day * dayMs, unitMs, rule)
      yield { days: [day], times, cost: times.length }
      nth++
    } else {
      yield { days: [], times: [], cost: 1 }
      nth = Math.ceil((passedMs - originMs) / stepMs)
    }
  }
}

/** For a moment that cannot be: the end of the day, hour or minute that rules it out. */
function misfitOf(rule: ForeignRule, unitMs: number, passes: DayTest): (atMs: number) => number | undefined {
  const isIn = (list: readonly number[], value: number) => list.length === 0 || list.includes(value)
  const endOf = (atMs: number, lengthMs: number) => (Math.floor(atMs / lengthMs) + 1) * lengthMs
  let knownDay: number | undefined
  let isKnownDayFit = false
  return (atMs) => {
    const day = Math.floor(atMs / dayMs)
    if (day !== knownDay) isKnownDayFit = passes(day)
    knownDay = day
    if (!isKnownDayFit) return endOf(atMs, dayMs)
    const time = atMs - day * dayMs
    if (!isIn(rule.hours, Math.floor(time / hourMs))) return endOf(atMs, hourMs)
    if (unitMs <= minuteMs && !isIn(rule.minutes, Math.floor(time / minuteMs) % 60)) return endOf(atMs, minuteMs)
    if (unitMs === 1000 && !isIn(rule.seconds, (time / 1000) % 60)) return endOf(atMs, 1000)
    return undefined
  }
}

function timesWithin(timeMs: number, unitMs: number, { minutes, seconds }: ForeignRule): number[] {
  if (unitMs === hourMs) return timesIn(timeMs, minutes, seconds)
  return unitMs === minuteMs ? seconds.map((second) => timeMs + second * 1000) : [timeMs]
}

/** Second 60 is a leap second: no clock of ours shows it, it is the second before. */
const timesIn = (hourOfDayMs: number, minutes: readonly number[], seconds: readonly number[]): number[] =>
  minutes.flatMap((minute) => seconds.map((second) => hourOfDayMs + minute * minuteMs + Math.min(second, 59) * 1000))

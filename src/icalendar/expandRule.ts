// The starts of a foreign rule, by the wall clock: times are counted as if they were UTC, without a time zone. It jumps to the
// window by arithmetic unless the rule has a COUNT, and the steps of every loop are bounded.
import { firstDayOfMonth, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { type CandidateSet, clockSets, dateSets } from './candidates.ts'
import { type ForeignRule, frequencies, type WallWindow } from './rule.ts'
import type { Work } from './unreadable.ts'

/** Enough for an event every hour for more than a year. */
const maxStarts = 10_000
const maxSteps = 1_000_000
/** The cost of placing one in its time zone. */
const stepsPerStart = 10

type Span = {
  startMs: number
  /** The last moment by the wall clock. */
  untilMs: number | undefined
  /** With a count the first so many starts are enough; the result names the moment from which on they are unknown. */
  cut?: { maxStarts: number; at(wallMs: number): void } | undefined
}

/**
 * Ascending; undefined when there are too many or they take too long to find. The series' own start is always the first,
 * whether the rule gives it or not (RFC 5545, 3.8.5.3), and COUNT counts it.
 */
export function expandRule(
  rule: ForeignRule,
  { startMs, untilMs, cut }: Span,
  { fromMs, toMs }: WallWindow,
  work: Work,
): number[] | undefined {
  const starts = startMs >= fromMs && startMs < toMs ? [startMs] : []
  const lastMs = Math.min(untilMs ?? toMs - 1, toMs - 1)
  const count = rule.count ?? Number.POSITIVE_INFINITY
  const isWithoutTimes = frequencies.indexOf(rule.frequency) < frequencies.indexOf('HOURLY')
  const sets = isWithoutTimes ? dateSets : clockSets
  let counted = 1
  let steps = 0
  let latestMs = startMs
  for (const set of sets(withStart(rule, startMs), startMs, {
    fromMs: rule.count ? startMs : fromMs,
    toMs: lastMs + 1,
  })) {
    steps += set.cost
    work.spend(set.cost)
    if (steps > maxSteps) return undefined
    for (const wallMs of chosen(set, rule.positions)) {
      // A day that is skipped forward may be a day of the next period, too.
      if (wallMs <= latestMs) continue
      latestMs = wallMs
      if (counted >= count || wallMs > lastMs) return starts
      counted++
      if (++steps > maxSteps) return undefined
      work.spend(1)
      if (wallMs < fromMs) continue
      if (starts.length >= (cut?.maxStarts ?? maxStarts)) {
        cut?.at(wallMs)
        return cut && starts
      }
      starts.push(wallMs)
      work.spend(stepsPerStart)
    }
  }
  return starts
}

/** Parts that the rule leaves open come from the start. */
function withStart(rule: ForeignRule, startMs: number): ForeignRule {
  const day = Math.floor(startMs / dayMs)
  const second = (startMs - day * dayMs) / 1000
  const fineness = frequencies.indexOf(rule.frequency)
  const finerThan = (frequency: (typeof frequencies)[number]) => fineness > frequencies.indexOf(frequency)
  return {
    ...rule,
    ...daysOfStart(rule, day),
    hours: rule.hours.length > 0 || finerThan('DAILY') ? rule.hours : [Math.floor(second / 3600)],
    minutes: rule.minutes.length > 0 || finerThan('HOURLY') ? rule.minutes : [Math.floor(second / 60) % 60],
    seconds: rule.seconds.length > 0 || finerThan('MINUTELY') ? rule.seconds : [second % 60],
  }
}

function daysOfStart(rule: ForeignRule, day: number): Partial<ForeignRule> {
  const { frequency, months, weekNumbers, yearDays, monthDays, days } = rule
  if (yearDays.length > 0 || monthDays.length > 0 || days.length > 0) return {}
  const weekday = { ordinal: 0, weekday: weekdayOf(day) }
  if (frequency === 'WEEKLY' || (frequency === 'YEARLY' && weekNumbers.length > 0)) return { days: [weekday] }
  const month = monthOfDay(day)
  const monthDay = [day - firstDayOfMonth(month) + 1]
  if (frequency === 'MONTHLY') return { monthDays: monthDay }
  if (frequency === 'YEARLY') return { monthDays: monthDay, months: months.length > 0 ? months : [(month % 12) + 1] }
  return {}
}

/** The members of the set that BYSETPOS selects, or all without it; ascending. */
function* chosen({ days, times }: CandidateSet, positions: readonly number[]): Generator<number> {
  if (positions.length === 0) {
    for (const day of days) for (const time of times) yield day * dayMs + time
    return
  }
  const size = days.length * times.length
  const indexes = new Set(positions.map((position) => (position > 0 ? position - 1 : size + position)))
  for (const index of [...indexes].filter((nth) => nth >= 0 && nth < size).sort((a, b) => a - b)) {
    yield days[Math.floor(index / times.length)]! * dayMs + times[index % times.length]!
  }
}

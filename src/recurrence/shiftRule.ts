// The rule of a series that moves as a whole: every occurrence by the same time. Rules count days in UTC, so a move to another
// UTC day needs other days in the rule. Some series have no such rule: of the days after each second Tuesday, some are third
// Wednesdays. Pure.
import { dayMs } from '../shapes/durations.ts'
import { firstDayOfMonth, latestMs, monthLength, monthOfDay } from './civil.ts'
import { occurrencesBetween } from './expand.ts'
import { parseRule } from './grammar.ts'
import { printRule } from './print.ts'
import { type DayInMonth, maxMonthDay, type Rule, type RuleEnd, weekdayCodes } from './rule.ts'
import { compileSeries } from './series.ts'

/**
 * The text of the rule whose occurrences lie `byMs` after those of `text` from `start`; undefined if no such rule exists. Parts
 * that need no change keep their spelling.
 */
export function shiftRule(text: string, start: Date, byMs: number): string | undefined {
  const parsed = parseRule(text)
  if (!parsed.ok) return undefined
  const { rule } = parsed
  const days = dayOf(start.getTime() + byMs) - dayOf(start.getTime())
  const shifted = shiftRuleByDays(rule, start, days)
  if (!shifted) return undefined
  return rewritten(text, rule, { ...shifted, end: shiftedEnd(rule.end, days, byMs) }, days)
}

/** The same for a whole number of days. */
export function shiftRuleByDays(rule: Rule, start: Date, days: number): Rule | undefined {
  const end = shiftedEnd(rule.end, days, days * dayMs)
  if (days === 0 || rule.freq === 'DAILY') return { ...rule, end }
  const was = startsOf(rule, start, 0)
  const moved = new Date(start.getTime() + days * dayMs)
  return candidates(rule, dayOf(start.getTime()) + days, days)
    .map((candidate) => ({ ...candidate, end }))
    .find((candidate) => sameStarts(startsOf(candidate, moved, days), was))
}

const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** A date stays the end of its day, a time stays where it lies from the occurrences. */
function shiftedEnd(end: RuleEnd, days: number, byMs: number): RuleEnd {
  if (end.kind !== 'until') return end
  return { ...end, lastMs: Math.min(end.lastMs + (end.form === 'date' ? days * dayMs : byMs), latestMs) }
}

/** COUNT is at most 730, and rules that differ do so within a few years. */
const compared = 800

/** In days, less `days`. */
const startsOf = (rule: Rule, start: Date, days: number): number[] =>
  occurrencesBetween(compileSeries(rule, start), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, compared).map(
    (ms) => dayOf(ms) - days,
  )

const sameStarts = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((day, nth) => day === b[nth])

/** Rules that might do, the likeliest first. `startDay`: of the series when it has moved. */
function candidates(rule: Rule, startDay: number, days: number): Rule[] {
  if (rule.freq === 'WEEKLY') {
    if (!rule.weekdays) return [rule]
    return [{ ...rule, weekdays: rule.weekdays.map((day) => shiftedWeekday(day, days)).sort((a, b) => a - b) }]
  }
  if (rule.freq !== 'MONTHLY') return [rule]
  return monthDays(rule.on, startDay, days).map((on) => {
    const { on: _, ...bare } = rule
    return on ? { ...bare, on } : bare
  })
}

/** Undefined: as the start. */
function monthDays(on: DayInMonth | undefined, startDay: number, days: number): (DayInMonth | undefined)[] {
  if (on?.kind === 'weekday') return [{ ...on, weekday: shiftedWeekday(on.weekday, days) }]
  const month = monthOfDay(startDay)
  const day = startDay - firstDayOfMonth(month) + 1
  const named = on && day <= maxMonthDay ? ({ kind: 'monthDay', day } as const) : undefined
  return day === monthLength(month) ? [named, { kind: 'monthDay', day: -1 }] : [named]
}

const shiftedWeekday = (day: number, days: number): number => (((day + days) % 7) + 7) % 7

/** The parts stay in their order, and weekdays in theirs. */
function rewritten(text: string, was: Rule, rule: Rule, days: number): string {
  const [before, after] = [partsOf(printRule(was)), partsOf(printRule(rule))]
  const kept = partsOf(text)
  for (const [key, value] of kept) {
    const next = after.get(key)
    if (next === before.get(key)) continue
    if (next === undefined) kept.delete(key)
    else kept.set(key, key === 'BYDAY' && was.freq === 'WEEKLY' ? shiftedCodes(value, days) : next)
  }
  for (const [key, value] of after) if (!before.has(key)) kept.set(key, value)
  return [...kept].map(([key, value]) => `${key}=${value}`).join(';')
}

const partsOf = (text: string): Map<string, string> =>
  new Map(text.split(';').map((part) => part.split('=') as [string, string]))

const codes: readonly string[] = weekdayCodes
const shiftedCodes = (list: string, days: number): string =>
  list
    .split(',')
    .map((code) => codes[shiftedWeekday(codes.indexOf(code), days)])
    .join(',')

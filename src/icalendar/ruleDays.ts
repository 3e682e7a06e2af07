// Which days a rule picks in a stretch of days. A day passes when it passes every part the rule has: so the parts that
// RFC 5545 says expand and those it says limit come out the same.
import { firstDayOfMonth, monthLength, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import type { ForeignRule, RuleDay } from './rule.ts'

export type DayTest = (day: number) => boolean

export function dayTest(rule: ForeignRule): DayTest {
  const tests: DayTest[] = []
  const { months, weekNumbers, yearDays, monthDays, days } = rule
  if (months.length > 0) tests.push(within(months, (day) => (monthOfDay(day) % 12) + 1))
  if (monthDays.length > 0) tests.push(fromEitherEnd(monthDays, dayOfMonth))
  if (yearDays.length > 0) tests.push(fromEitherEnd(yearDays, dayOfYear))
  if (weekNumbers.length > 0) tests.push(fromEitherEnd(weekNumbers, (day) => weekOfYear(day, rule.weekStart)))
  if (days.length > 0) tests.push(weekdayTest(days, positionOfWeekdays(rule)))
  return (day) => tests.every((test) => test(day))
}

/** Where something stands in its month or year, counted from 1, and how long that is. */
type Position = { nth: number; of: number }

const within = (list: readonly number[], numberOf: (day: number) => number): DayTest => {
  const allowed = new Set(list)
  return (day) => allowed.has(numberOf(day))
}

function fromEitherEnd(list: readonly number[], positionOf: (day: number) => Position): DayTest {
  const allowed = new Set(list)
  return (day) => {
    const { nth, of } = positionOf(day)
    return allowed.has(nth) || allowed.has(nth - of - 1)
  }
}

function dayOfMonth(day: number): Position {
  const month = monthOfDay(day)
  return { nth: day - firstDayOfMonth(month) + 1, of: monthLength(month) }
}

function dayOfYear(day: number): Position {
  const january = Math.floor(monthOfDay(day) / 12) * 12
  const first = firstDayOfMonth(january)
  return { nth: day - first + 1, of: firstDayOfMonth(january + 12) - first }
}

/** The first week of a year is the first with at least four of its days. */
function weekOfYear(day: number, weekStart: number): Position {
  // The fourth day of a week is always in the year that the week belongs to.
  const fourthDay = day - ((weekdayOf(day) - weekStart + 7) % 7) + 3
  const { nth, of } = dayOfYear(fourthDay)
  const week = Math.floor((nth - 1) / 7) + 1
  return { nth: week, of: week + Math.floor((of - nth) / 7) }
}

/** The span that the ordinals of weekdays count in; undefined where they mean nothing. */
function positionOfWeekdays({ frequency, months }: ForeignRule): ((day: number) => Position) | undefined {
  if (frequency === 'MONTHLY') return dayOfMonth
  if (frequency === 'YEARLY') return months.length > 0 ? dayOfMonth : dayOfYear
  return undefined
}

function weekdayTest(days: readonly RuleDay[], positionOf: ((day: number) => Position) | undefined): DayTest {
  const every = new Set(days.filter(({ ordinal }) => ordinal === 0 || !positionOf).map(({ weekday }) => weekday))
  const nth = new Set(days.map(({ ordinal, weekday }) => ordinal * 7 + weekday))
  return (day) => {
    const weekday = weekdayOf(day)
    if (every.has(weekday)) return true
    if (!positionOf) return false
    const position = positionOf(day)
    const fromStart = Math.ceil(position.nth / 7)
    const fromEnd = Math.ceil((position.of - position.nth + 1) / 7)
    return nth.has(fromStart * 7 + weekday) || nth.has(-fromEnd * 7 + weekday)
  }
}

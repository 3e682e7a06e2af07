// A rule of ours as a pattern of Microsoft's calendars, where there is one. Pure.
import { parseRule } from '../recurrence/grammar.ts'
import { type Rule, weekdayCodes } from '../recurrence/rule.ts'
import { dayMs } from '../shapes/durations.ts'

type Pattern = {
  type: 'daily' | 'weekly' | 'absoluteMonthly' | 'relativeMonthly' | 'absoluteYearly'
  interval: number
  daysOfWeek?: string[]
  firstDayOfWeek?: 'monday'
  dayOfMonth?: number
  month?: number
  index?: string
}

type Range = { startDate: string; recurrenceTimeZone: 'UTC' } & (
  | { type: 'noEnd' }
  | { type: 'numbered'; numberOfOccurrences: number }
  | { type: 'endDate'; endDate: string }
)

export type GraphRecurrence = { pattern: Pattern; range: Range }

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const indexes = new Map([
  [1, 'first'],
  [2, 'second'],
  [3, 'third'],
  [4, 'fourth'],
  [-1, 'last'],
])

/** Later days of a month are moved to its last one by Microsoft, where our rules pass the month over. */
const lastSafeDay = 28

/** `start` counts like UTC, also that of whole days. Undefined if there is no such pattern. */
export function graphRecurrence(text: string, start: Date): GraphRecurrence | undefined {
  const parsed = parseRule(text)
  const pattern = parsed.ok ? patternOf(parsed.rule, start) : undefined
  return parsed.ok && pattern ? { pattern, range: rangeOf(parsed.rule, start) } : undefined
}

/** Whether there is a pattern for some start. */
export function hasPattern(text: string): boolean {
  // The first day of a month suits every rule that has a pattern at all.
  return graphRecurrence(text, new Date(0)) !== undefined
}

function patternOf(rule: Rule, start: Date): Pattern | undefined {
  const { interval } = rule
  switch (rule.freq) {
    case 'DAILY':
      return { type: 'daily', interval }
    case 'WEEKLY': {
      const days = rule.weekdays ?? [(start.getUTCDay() + weekdayCodes.length - 1) % weekdayCodes.length]
      return { type: 'weekly', interval, daysOfWeek: days.map((day) => weekdays[day]!), firstDayOfWeek: 'monday' }
    }
    case 'MONTHLY': {
      if (rule.on?.kind === 'weekday') {
        const index = indexes.get(rule.on.ordinal)
        const daysOfWeek = [weekdays[rule.on.weekday]!]
        return index === undefined ? undefined : { type: 'relativeMonthly', interval, daysOfWeek, index }
      }
      const dayOfMonth = rule.on?.day ?? start.getUTCDate()
      const isSafe = dayOfMonth >= 1 && dayOfMonth <= lastSafeDay
      return isSafe ? { type: 'absoluteMonthly', interval, dayOfMonth } : undefined
    }
    case 'YEARLY': {
      const [month, dayOfMonth] = [start.getUTCMonth() + 1, start.getUTCDate()]
      return month === 2 && dayOfMonth > lastSafeDay
        ? undefined
        : { type: 'absoluteYearly', interval, month, dayOfMonth }
    }
  }
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function rangeOf({ end }: Rule, start: Date): Range {
  const range = { startDate: dateOf(start.getTime()), recurrenceTimeZone: 'UTC' } as const
  switch (end.kind) {
    case 'never':
      return { type: 'noEnd', ...range }
    case 'count':
      return { type: 'numbered', numberOfOccurrences: end.count, ...range }
    case 'until': {
      // The last day on which an occurrence still begins in time.
      const timeOfDayMs = start.getTime() - Math.floor(start.getTime() / dayMs) * dayMs
      return { type: 'endDate', endDate: dateOf(end.lastMs - timeOfDayMs), ...range }
    }
  }
}

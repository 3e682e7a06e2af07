import { dayMs } from '../shapes/durations.ts'
import { earliestMs, firstDayOfMonth, latestMs, monthLength, monthOfDay, weekdayOf } from './civil.ts'
import { clockOf, wallOf } from './clock.ts'
import { dayInMonth } from './grid.ts'
import { printDayInMonth } from './print.ts'
import { type Rule, weekdayCodes } from './rule.ts'

/**
 * The start is the first occurrence: `undefined` if it fits the rule by the clock of the zone, else one sentence that says why
 * not. Fractions of a second are allowed; every occurrence then has them.
 */
export function checkStart(rule: Rule, start: Date, zone?: string, skippedMs = 0): string | undefined {
  const startMs = start.getTime()
  if (!(startMs >= earliestMs && startMs <= latestMs)) return 'The start must lie in the years 0001 to 9999'
  const wallMs = wallOf(clockOf(zone), startMs) - skippedMs
  const { end } = rule
  if (end.kind === 'until' && end.lastMs < (end.form === 'date' ? wallMs : startMs))
    return 'UNTIL lies before the start: name a later moment'
  return misfit(rule, Math.floor(wallMs / dayMs), zone ?? 'UTC')
}

function misfit(rule: Rule, startDay: number, zone: string): string | undefined {
  const weekday = weekdayOf(startDay)
  if (rule.freq === 'WEEKLY' && rule.weekdays && !rule.weekdays.includes(weekday)) {
    const listed = rule.weekdays.map((day) => weekdayCodes[day]).join(',')
    return `The start must be on a day of BYDAY=${listed} in ${zone}, but is on ${weekdayCodes[weekday]}`
  }
  if (rule.freq !== 'MONTHLY' || !rule.on) return undefined
  const month = monthOfDay(startDay)
  if (dayInMonth(rule.on, month) === startDay) return undefined
  const date = startDay - firstDayOfMonth(month) + 1
  const is = rule.on.kind === 'weekday' ? `a ${weekdayCodes[weekday]}, ` : ''
  return `The start must fit ${printDayInMonth(rule.on)} in ${zone}, but is on ${is}day ${date} of ${monthLength(month)}`
}

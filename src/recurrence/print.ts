import { dayMs } from '../shapes/durations.ts'
import { firstDayOfMonth, monthOfDay } from './civil.ts'
import { type DayInMonth, type Rule, type RuleEnd, weekdayCodes } from './rule.ts'

/**
 * The canonical text: parts in the order FREQ, INTERVAL, COUNT or UNTIL, BYDAY or BYMONTHDAY; defaults left out; days in
 * week order. Two texts of the same rule print alike, and parsing the result gives the rule back.
 */
export function printRule(rule: Rule): string {
  const parts = [`FREQ=${rule.freq}`]
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`)
  if (rule.end.kind === 'count') parts.push(`COUNT=${rule.end.count}`)
  if (rule.end.kind === 'until') parts.push(`UNTIL=${printUntil(rule.end)}`)
  if (rule.freq === 'WEEKLY' && rule.weekdays)
    parts.push(`BYDAY=${rule.weekdays.map((day) => weekdayCodes[day]).join(',')}`)
  if (rule.freq === 'MONTHLY' && rule.on) parts.push(printDayInMonth(rule.on))
  return parts.join(';')
}

export function printDayInMonth(on: DayInMonth): string {
  return on.kind === 'monthDay' ? `BYMONTHDAY=${on.day}` : `BYDAY=${on.ordinal}${weekdayCodes[on.weekday]}`
}

function printUntil({ form, lastMs }: RuleEnd & { kind: 'until' }): string {
  const day = Math.floor(lastMs / dayMs)
  const month = monthOfDay(day)
  const date = digits(Math.floor(month / 12), 4) + digits((month % 12) + 1) + digits(day - firstDayOfMonth(month) + 1)
  if (form === 'date') return date
  const second = Math.floor((lastMs - day * dayMs) / 1000)
  return `${date}T${digits(Math.floor(second / 3600))}${digits(Math.floor(second / 60) % 60)}${digits(second % 60)}Z`
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

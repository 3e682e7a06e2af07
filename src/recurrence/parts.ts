// The values of the rule's parts, one reader each. A reader returns the value, or the reason for refusing it as a string.
import { dayMs } from '../shapes/durations.ts'
import { charCodeAt } from '../shapes/strings.ts'
import { firstDayOfMonth, monthLength } from './civil.ts'
import { type DayInMonth, maxCount, maxMonthDay, maxOrdinal, type RuleEnd, weekdayCodes } from './rule.ts'

type Refusal = string

/** A refused value, shortened and stripped of everything unprintable, for use inside a reason. */
export function quote(text: string): string {
  const printable = text.slice(0, 24).replace(/[^\x20-\x7e]/g, '?')
  return text.length > 24 ? `${printable}…` : printable
}

/** No leading zeros, signs or blanks: a number has one spelling. */
export function readWhole(key: string, text: string, max: number): number | Refusal {
  const value = text.length <= 3 && text[0] !== '0' ? digitsAt(text, 0, text.length) : -1
  return value >= 1 && value <= max ? value : `${key} must be a whole number from 1 to ${max}, got ${quote(text)}`
}

const never: RuleEnd = { kind: 'never' }

export function readEnd(count: string | undefined, until: string | undefined): RuleEnd | Refusal {
  if (count !== undefined && until !== undefined) return 'COUNT and UNTIL exclude each other: keep one'
  if (until !== undefined) return readUntil(until)
  if (count === undefined) return never
  const value = readWhole('COUNT', count, maxCount)
  return typeof value === 'string' ? value : { kind: 'count', count: value }
}

function readUntil(text: string): RuleEnd | Refusal {
  const isDate = text.length === 8
  const isTime = text.length === 16 && text[8] === 'T' && text[15] === 'Z'
  const date = digitsAt(text, 0, 8)
  const time = isTime ? digitsAt(text, 9, 6) : 0
  if (!(isDate || isTime) || date < 0 || time < 0) {
    return `UNTIL must be a UTC time YYYYMMDDTHHMMSSZ or a date YYYYMMDD, got ${quote(text)}`
  }
  const monthOfYear = Math.floor(date / 100) % 100
  const month = Math.floor(date / 10_000) * 12 + monthOfYear - 1
  const dayOfMonth = date % 100
  if (monthOfYear < 1 || monthOfYear > 12 || dayOfMonth < 1 || dayOfMonth > monthLength(month)) {
    return `UNTIL must be a date that exists in the calendar, got ${text}`
  }
  const [hour, minute, second] = [Math.floor(time / 10_000), Math.floor(time / 100) % 100, time % 100]
  if (hour > 23 || minute > 59 || second > 59) return `UNTIL must have a time from 000000 to 235959, got ${text}`
  const civilDayMs = (firstDayOfMonth(month) + dayOfMonth - 1) * dayMs
  if (isDate) return { kind: 'until', form: 'date', lastMs: civilDayMs + dayMs - 1 }
  // The whole second, as a date means the whole day: a start at 10:00:00.500 is within UNTIL=…T100000Z.
  return { kind: 'until', form: 'second', lastMs: civilDayMs + ((hour * 60 + minute) * 60 + second) * 1000 + 999 }
}

/** Weekday numbers in week order, whatever the order of the list. */
export function readWeekdays(text: string): readonly number[] | Refusal {
  let listed = 0
  for (let at = 0; at <= text.length; at += 3) {
    const weekday = weekdayAt(text, at)
    if (weekday < 0 || (at + 2 < text.length && text[at + 2] !== ',')) {
      return `BYDAY of a WEEKLY rule must list days out of ${weekdayCodes.join(',')}, got ${quote(text)}`
    }
    if (listed & (1 << weekday)) return `BYDAY repeats ${weekdayCodes[weekday]}: name each day once`
    listed |= 1 << weekday
  }
  const weekdays: number[] = []
  for (let weekday = 0; weekday < 7; weekday++) if (listed & (1 << weekday)) weekdays.push(weekday)
  return weekdays
}

export function readOrdinalDay(text: string): DayInMonth | Refusal {
  const sign = text[0] === '-' ? -1 : 1
  const digitAt = sign < 0 ? 1 : 0
  const ordinal = digitsAt(text, digitAt, 1)
  const weekday = weekdayAt(text, digitAt + 1)
  if (text.length !== digitAt + 3 || ordinal < 1 || ordinal > maxOrdinal || weekday < 0) {
    return `BYDAY of a MONTHLY rule must be one day with an ordinal from 1 to 5 or -1 to -5, such as 2TU or -1FR, got ${quote(text)}`
  }
  return { kind: 'weekday', ordinal: sign * ordinal, weekday }
}

export function readMonthDay(text: string): DayInMonth | Refusal {
  const day = text === '-1' ? -1 : readWhole('BYMONTHDAY', text, maxMonthDay)
  if (typeof day === 'number') return { kind: 'monthDay', day }
  return `BYMONTHDAY must be one whole number from 1 to ${maxMonthDay}, or -1 for the last day, got ${quote(text)}`
}

/** The number that `length` ASCII digits spell, or -1 if one of them is not a digit. */
function digitsAt(text: string, at: number, length: number): number {
  let value = 0
  for (let i = at; i < at + length; i++) {
    const digit = charCodeAt(text, i) - 48
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

const weekdayPairs = weekdayCodes.map((code) => pairAt(code, 0))

function weekdayAt(text: string, at: number): number {
  const pair = pairAt(text, at)
  for (let weekday = 0; weekday < 7; weekday++) if (weekdayPairs[weekday] === pair) return weekday
  return -1
}

/** Two characters as one number; NaN beyond the end. */
function pairAt(text: string, at: number): number {
  return charCodeAt(text, at) * 65_536 + charCodeAt(text, at + 1)
}

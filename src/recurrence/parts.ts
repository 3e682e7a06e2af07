// The values of the rule's parts, one reader each. A reader returns the value, or the reason for refusing it as a string.

import { DAY_MS, firstDayOfMonth, monthLength } from './civil.ts'
import { type DayInMonth, MAX_BYMONTHDAY, MAX_COUNT, MAX_ORDINAL, type RuleEnd, WEEKDAY_CODES } from './rule.ts'

type Refusal = string

const WHOLE_NUMBER = /^[1-9]\d{0,2}$/
const UNTIL = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/
const UNTIL_FORMS = 'UNTIL must be a UTC time YYYYMMDDTHHMMSSZ or a date YYYYMMDD'

/** A refused value, shortened and stripped of everything unprintable, for use inside a reason. */
export function quote(text: string): string {
  const printable = text.slice(0, 24).replace(/[^\x20-\x7e]/g, '?')
  return text.length > 24 ? `${printable}…` : printable
}

/** No leading zeros, signs or blanks: a number has one spelling. */
export function readWhole(key: string, text: string, max: number): number | Refusal {
  const value = WHOLE_NUMBER.test(text) ? Number(text) : 0
  return value >= 1 && value <= max ? value : `${key} must be a whole number from 1 to ${max}, got ${quote(text)}`
}

export function readEnd(count: string | undefined, until: string | undefined): RuleEnd | Refusal {
  if (count !== undefined && until !== undefined) return 'COUNT and UNTIL exclude each other: keep one'
  if (until !== undefined) return readUntil(until)
  if (count === undefined) return { kind: 'never' }
  const value = readWhole('COUNT', count, MAX_COUNT)
  return typeof value === 'string' ? value : { kind: 'count', count: value }
}

function readUntil(text: string): RuleEnd | Refusal {
  const match = UNTIL.exec(text)
  if (!match) return `${UNTIL_FORMS}, got ${quote(text)}`
  const [year, monthOfYear, date, hour, minute, second] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0)) as SixNumbers
  const month = year * 12 + monthOfYear - 1
  if (monthOfYear < 1 || monthOfYear > 12 || date < 1 || date > monthLength(month)) {
    return `UNTIL must be a date that exists in the calendar, got ${quote(text)}`
  }
  if (hour > 23 || minute > 59 || second > 59) return `UNTIL must be a time from 000000 to 235959, got ${quote(text)}`
  const dayMs = (firstDayOfMonth(month) + date - 1) * DAY_MS
  if (match[4] === undefined) return { kind: 'until', form: 'date', lastMs: dayMs + DAY_MS - 1 }
  // The whole second, as a date means the whole day: a start at 10:00:00.500 is within UNTIL=…T100000Z.
  return { kind: 'until', form: 'second', lastMs: dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + 999 }
}

type SixNumbers = [number, number, number, number, number, number]

/** Weekday numbers in week order, whatever the order of the list. */
export function readWeekdays(text: string): readonly number[] | Refusal {
  let listed = 0
  for (let at = 0; at <= text.length; at += 3) {
    const weekday = WEEKDAY_CODES.findIndex((code) => text.startsWith(code, at))
    if (weekday < 0 || (at + 2 < text.length && text[at + 2] !== ',')) {
      return `BYDAY of a WEEKLY rule must list days out of ${WEEKDAY_CODES.join(',')}, got ${quote(text)}`
    }
    if (listed & (1 << weekday)) return `BYDAY repeats ${WEEKDAY_CODES[weekday]}: name each day once`
    listed |= 1 << weekday
  }
  return [0, 1, 2, 3, 4, 5, 6].filter((weekday) => listed & (1 << weekday))
}

export function readOrdinalDay(text: string): DayInMonth | Refusal {
  const weekday = (WEEKDAY_CODES as readonly string[]).indexOf(text.slice(-2))
  const ordinal = /^-?[1-9]$/.test(text.slice(0, -2)) ? Number(text.slice(0, -2)) : 0
  if (weekday < 0 || ordinal === 0 || Math.abs(ordinal) > MAX_ORDINAL) {
    return `BYDAY of a MONTHLY rule must be one day with an ordinal from 1 to 5 or -1 to -5, such as 2TU or -1FR, got ${quote(text)}`
  }
  return { kind: 'weekday', ordinal, weekday }
}

export function readMonthDay(text: string): DayInMonth | Refusal {
  const day = text === '-1' ? -1 : readWhole('BYMONTHDAY', text, MAX_BYMONTHDAY)
  if (typeof day === 'number') return { kind: 'monthDay', day }
  return `BYMONTHDAY must be one whole number from 1 to ${MAX_BYMONTHDAY}, or -1 for the last day, got ${quote(text)}`
}

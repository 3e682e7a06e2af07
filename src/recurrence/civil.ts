// Day and month arithmetic of the proleptic Gregorian calendar in UTC, on plain integers: a day counts from 1970-01-01,
// a month is year × 12 + (0 for January … 11). No Date objects: this is the inner loop of every expansion.

export const DAY_MS = 86_400_000

/** Every existence pattern of the calendar (leap days, fifth weekdays) repeats after 400 years = 20,871 whole weeks. */
export const CYCLE_MONTHS = 4800

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Days from 0000-03-01 to 1970-01-01. Years are counted from March, so that the leap day is a year's last. */
const MARCH_0000_TO_EPOCH = 719_468

export function firstDayOfMonth(month: number): number {
  const marchYear = quotient(month - 2, 12)
  const monthOfYear = month - 2 - marchYear * 12
  const leapDays = quotient(marchYear, 4) - quotient(marchYear, 100) + quotient(marchYear, 400)
  return marchYear * 365 + leapDays + quotient(153 * monthOfYear + 2, 5) - MARCH_0000_TO_EPOCH
}

export function monthOfDay(day: number): number {
  const shifted = day + MARCH_0000_TO_EPOCH
  const era = quotient(shifted, 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays = quotient(dayOfEra, 1460) - quotient(dayOfEra, 36_524) + quotient(dayOfEra, 146_096)
  const yearOfEra = quotient(dayOfEra - leapDays, 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + quotient(yearOfEra, 4) - quotient(yearOfEra, 100))
  return (era * 400 + yearOfEra) * 12 + quotient(5 * dayOfYear + 2, 153) + 2
}

export function monthLength(month: number): number {
  const year = quotient(month, 12)
  const monthOfYear = month - year * 12
  const isLeapFebruary = monthOfYear === 1 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeapFebruary ? 29 : MONTH_LENGTHS[monthOfYear]!
}

/** 0 is Monday, 6 is Sunday; 0000-03-01 was a Wednesday. */
export function weekdayOf(day: number): number {
  return (day + MARCH_0000_TO_EPOCH + 2) % 7
}

/** Integer division of 32-bit numbers. It truncates, which is flooring here: nothing before the year 0001 is asked for. */
export function quotient(dividend: number, divisor: number): number {
  return (dividend / divisor) | 0
}

/** First and last moment (epoch ms) that a series may touch: the years 0001 to 9999, which ISO 8601 writes in four digits. */
export const EARLIEST_MS = firstDayOfMonth(12) * DAY_MS
export const LATEST_MS = firstDayOfMonth(10_000 * 12) * DAY_MS - 1

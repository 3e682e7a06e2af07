// Day and month arithmetic of the proleptic Gregorian calendar in UTC, on plain integers: a day counts from 1970-01-01,
// a month is year × 12 + (0 for January … 11). No Date objects: this is the inner loop of every expansion.

export const DAY_MS = 86_400_000

/** Every existence pattern of the calendar (leap days, fifth weekdays) repeats after 400 years = 20,871 whole weeks. */
export const CYCLE_MONTHS = 4800

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Days from 0000-03-01 to 1970-01-01. Years are counted from March, so that the leap day is a year's last. */
const MARCH_0000_TO_EPOCH = 719_468

export function firstDayOfMonth(month: number): number {
  const marchYear = Math.floor((month - 2) / 12)
  const monthOfYear = month - 2 - marchYear * 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * monthOfYear + 2) / 5) - MARCH_0000_TO_EPOCH
}

export function monthOfDay(day: number): number {
  const shifted = day + MARCH_0000_TO_EPOCH
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  return (era * 400 + yearOfEra) * 12 + Math.floor((5 * dayOfYear + 2) / 153) + 2
}

export function monthLength(month: number): number {
  const year = Math.floor(month / 12)
  const monthOfYear = month - year * 12
  const isLeapFebruary = monthOfYear === 1 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeapFebruary ? 29 : MONTH_LENGTHS[monthOfYear]!
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/** First and last moment (epoch ms) that a series may touch: the years 0001 to 9999, which ISO 8601 writes in four digits. */
export const EARLIEST_MS = firstDayOfMonth(12) * DAY_MS
export const LATEST_MS = firstDayOfMonth(10_000 * 12) * DAY_MS - 1

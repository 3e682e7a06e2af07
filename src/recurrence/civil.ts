// Day and month arithmetic of the proleptic Gregorian calendar in UTC, on plain integers: a day counts from 1970-01-01,
// a month is year × 12 + (0 for January … 11). No Date objects: this is the inner loop of every expansion. `| 0` tells the
// compiler that a number is a 32-bit integer; nothing before the year 0 is asked for, so it truncates as it should.
import { dayMs } from '../shapes/durations.ts'

/** The calendar, leap days and weekdays included, repeats after 400 years = 20,871 whole weeks. */
export const gregorianCycleMonths = 4800
const gregorianCycleDays = 146_097

/** Days from 0000-01-01, a Saturday, to 1970-01-01. */
const year0ToEpochDays = 719_528

/** On which day of a cycle each of its months begins, and the day after its last. */
const firstDays = new Int32Array(gregorianCycleMonths + 1)
for (let month = 0; month < gregorianCycleMonths; month++)
  firstDays[month + 1] = firstDays[month]! + lengthByRule(month)

function lengthByRule(month: number): number {
  const year = Math.floor(month / 12)
  const isLeapFebruary = month % 12 === 1 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeapFebruary ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month % 12]!
}

export function firstDayOfMonth(month: number): number {
  const cycle = quotient(month, gregorianCycleMonths)
  return firstDays[(month | 0) - cycle * gregorianCycleMonths]! + cycle * gregorianCycleDays - year0ToEpochDays
}

export function monthOfDay(day: number): number {
  const dayOfYear0 = (day + year0ToEpochDays) | 0
  const cycle = quotient(dayOfYear0, gregorianCycleDays)
  const dayOfCycle = dayOfYear0 - cycle * gregorianCycleDays
  // As if all months were of one length: never off by more than one.
  const about = quotient(dayOfCycle * gregorianCycleMonths, gregorianCycleDays)
  const off = firstDays[about]! > dayOfCycle ? -1 : firstDays[about + 1]! <= dayOfCycle ? 1 : 0
  return cycle * gregorianCycleMonths + about + off
}

export function monthLength(month: number): number {
  const monthOfCycle = (month | 0) % gregorianCycleMonths
  return firstDays[monthOfCycle + 1]! - firstDays[monthOfCycle]!
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: number): number {
  return ((day + year0ToEpochDays + 5) | 0) % 7
}

/** Division of 32-bit integers. */
export function quotient(dividend: number, divisor: number): number {
  return ((dividend | 0) / (divisor | 0)) | 0
}

/** First and last moment (epoch ms) that a series may touch: the years 0001 to 9999, which ISO 8601 writes in four digits. */
export const earliestMs = firstDayOfMonth(12) * dayMs
export const latestMs = firstDayOfMonth(10_000 * 12) * dayMs - 1

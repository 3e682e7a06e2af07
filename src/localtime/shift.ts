// Moments moved by days or years of the wall clock: the local time stays.
import { firstDayOfMonth, monthOfDay } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { instantsAroundGap, instantsOf, offsetAt } from './offsets.ts'
import { dayOf } from './spelling.ts'

/** When the clock shows this time: the first of two moments, and the usual reading of a time that is skipped. */
const momentAt = (zone: string, wallMs: number): number =>
  instantsOf(zone, wallMs)[0] ?? instantsAroundGap(zone, wallMs)[0]!

/** Fewer than 0 days are earlier ones. */
export const movedByDays = (ms: number, zone: string, days: number): number =>
  momentAt(zone, ms + offsetAt(zone, ms) + days * dayMs)

/** How many days later the same date is, that many years on; undefined for 29 February in a year without it. */
export function daysOfYears(ms: number, zone: string, years: number): number | undefined {
  const day = dayOf(ms + offsetAt(zone, ms))
  const month = monthOfDay(day)
  const later = firstDayOfMonth(month + 12 * years) + day - firstDayOfMonth(month)
  return monthOfDay(later) === month + 12 * years ? later - day : undefined
}

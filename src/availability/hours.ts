// The time outside working hours, by the wall clock of their zone. When clocks go back, a start means the first of two equal
// wall times and an end the second; a wall time that is skipped counts as the moment after the gap.
import { firstMoment, lastMoment } from '../localtime/offsets.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'
import type { Intervals, Window } from './intervals.ts'

/** The week begins on Monday; the index is the number of the weekday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Times are `HH:MM`; only within a list an end may be `24:00`. */
export type Stretch = { start: string; end: string }

/** One stretch or a list of them, as the caller sent it; a missing day, or one with an empty list, is entirely non-working. */
export type WorkingHours = Partial<Record<(typeof weekdays)[number], Stretch | Stretch[]>>

export const stretchesOf = (day: Stretch | Stretch[] | undefined): readonly Stretch[] =>
  day === undefined ? [] : 'start' in day ? [day] : day

/** The parts of the window outside the hours. */
export const outsideHours = (hours: WorkingHours, zone: string, window: Window): Intervals =>
  outside(openings(hours, zone, window), window)

/** The parts of the window that lie in none of the openings, which are in order. */
export function outside(open: readonly Opening[], { fromMs, toMs }: Window): Intervals {
  const closed: number[] = []
  let cursor = fromMs
  for (const { startMs, endMs } of open) {
    const end = Math.min(endMs, toMs)
    if (end <= Math.max(startMs, cursor)) continue
    if (startMs > cursor) closed.push(cursor, startMs)
    cursor = end
  }
  if (cursor < toMs) closed.push(cursor, toMs)
  return closed
}

/** One stretch of a local day, epoch ms, half-open. */
export type Opening = { startMs: number; endMs: number }

/** The openings of a day in milliseconds of its wall clock; undefined: all of it, from one midnight to the next. */
type DayHours = readonly Opening[] | undefined

/**
 * The openings of all days that may overlap the window, in order, not cut to it. Without hours each day is open from one
 * midnight to the next.
 */
export const openings = (hours: WorkingHours | null, zone: string, window: Window): Opening[] =>
  openingsBy(hoursByDay(hours), zone, window)

/** The hours of each day, by its number since 1970. */
export function hoursByDay(hours: WorkingHours | null): (day: number) => DayHours {
  const week = hours && weekdays.map((weekday) => stretchesOf(hours[weekday]).map(wallTimesOf))
  return (day) => week?.[weekdayOf(day)]
}

/** As `openings`, of days whose hours follow from another rule. */
export function openingsBy(hoursOn: (day: number) => DayHours, zone: string, window: Window): Opening[] {
  const found: Opening[] = []
  const { stretches, firstDay, lastDay } = daysAround(zone, window)
  for (let day = firstDay; day <= lastDay; day++) {
    const midnight = day * dayMs
    const open = hoursOn(day)
    if (!open)
      found.push({ startMs: firstMoment(stretches, midnight), endMs: firstMoment(stretches, midnight + dayMs) })
    for (const { startMs, endMs } of open ?? []) {
      // The day ends where the next one begins, also where its last hour comes twice.
      const endOf = endMs === dayMs ? firstMoment : lastMoment
      found.push({
        startMs: firstMoment(stretches, midnight + startMs),
        endMs: endOf(stretches, midnight + endMs),
      })
    }
  }
  return found
}

/** The numbers of all days that may overlap the window. */
export function daysAround(zone: string, { fromMs, toMs }: Window) {
  return {
    // Offsets are less than a day, and no zone has ever skipped or repeated more than a day.
    stretches: offsetStretches(zone, fromMs - 3 * dayMs, toMs + 3 * dayMs),
    firstDay: Math.floor(fromMs / dayMs) - 2,
    lastDay: Math.floor(toMs / dayMs) + 2,
  }
}

/** 1970-01-01, day 0, was a Thursday. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

export const wallTimesOf = ({ start, end }: Stretch) => ({ startMs: wallMs(start), endMs: wallMs(end) })

/** Of a valid `HH:MM`, `24:00` included. */
export const minutesSinceMidnight = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const wallMs = (time: string) => minutesSinceMidnight(time) * minuteMs

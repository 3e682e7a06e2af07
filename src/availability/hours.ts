// The time outside working hours, by the wall clock of their zone. When clocks go back, a start means the first of two equal
// wall times and an end the second; a wall time that is skipped counts as the moment after the gap.
import { firstMoment, lastMoment } from '../localtime/offsets.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'
import type { Intervals, Window } from './intervals.ts'

/** The week begins on Monday; the index is the number of the weekday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Times are `HH:MM`; a day that is missing is entirely non-working. */
export type WorkingHours = Partial<Record<(typeof weekdays)[number], { start: string; end: string }>>

/** The parts of the window outside the hours. */
export function outsideHours(hours: WorkingHours, zone: string, window: Window): Intervals {
  const { fromMs, toMs } = window
  const outside: number[] = []
  let cursor = fromMs
  for (const { startMs, endMs } of openings(hours, zone, window)) {
    const end = Math.min(endMs, toMs)
    if (end <= Math.max(startMs, cursor)) continue
    if (startMs > cursor) outside.push(cursor, startMs)
    cursor = end
  }
  if (cursor < toMs) outside.push(cursor, toMs)
  return outside
}

/** One local day's opening, epoch ms, half-open. */
export type Opening = { startMs: number; endMs: number }

/**
 * The openings of all days that may overlap the window, in order, not cut to it. Without hours each day is open from one
 * midnight to the next.
 */
export function openings(hours: WorkingHours | null, zone: string, { fromMs, toMs }: Window): Opening[] {
  const found: Opening[] = []
  // Offsets are less than a day, and no zone has ever skipped or repeated more than a day.
  const stretches = offsetStretches(zone, fromMs - 3 * dayMs, toMs + 3 * dayMs)
  const week = hours && weekdays.map((weekday) => hours[weekday] && minutesOf(hours[weekday]))
  const lastDay = Math.floor(toMs / dayMs) + 2
  for (let day = Math.floor(fromMs / dayMs) - 2; day <= lastDay; day++) {
    const midnight = day * dayMs
    if (!week)
      found.push({ startMs: firstMoment(stretches, midnight), endMs: firstMoment(stretches, midnight + dayMs) })
    const open = week?.[weekdayOf(day)]
    if (!open) continue
    found.push({
      startMs: firstMoment(stretches, midnight + open.startMs),
      endMs: lastMoment(stretches, midnight + open.endMs),
    })
  }
  return found
}

/** 1970-01-01, day 0, was a Thursday. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

const minutesOf = ({ start, end }: { start: string; end: string }) => ({ startMs: wallMs(start), endMs: wallMs(end) })

/** Of a valid `HH:MM`. */
export const minutesSinceMidnight = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const wallMs = (time: string) => minutesSinceMidnight(time) * minuteMs

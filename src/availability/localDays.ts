// The local days of a zone, from one midnight to the next, and their dates. Pure.
import { firstMoment } from '../localtime/offsets.ts'
import { isoTimeOf } from '../shapes/datetimes.ts'
import { dayMs } from '../shapes/durations.ts'
import { daysAround } from './hours.ts'
import type { Window } from './intervals.ts'

/** `day`: its number since 1970-01-01. */
export type LocalDay = { readonly day: number; readonly startMs: number; readonly endMs: number }

/** Those that overlap the window, whole and in order. A date that the zone skips is no day. */
export function localDays(zone: string, window: Window): LocalDay[] {
  const { stretches, firstDay, lastDay } = daysAround(zone, window)
  const days: LocalDay[] = []
  let startMs = firstMoment(stretches, firstDay * dayMs)
  for (let day = firstDay; day <= lastDay; day++) {
    const endMs = firstMoment(stretches, (day + 1) * dayMs)
    if (startMs < endMs && startMs < window.toMs && endMs > window.fromMs) days.push({ day, startMs, endMs })
    startMs = endMs
  }
  return days
}

/** The number of the day that a text begins with: `YYYY-MM-DD`. Rules name hundreds, and `Date.parse` is slow. */
export function dayOfDate(text: string): number {
  const [year, month, day] = [numberIn(text, 0, 4), numberIn(text, 5, 7), numberIn(text, 8, 10)]
  // `Date.UTC` takes the year 49 for 1949.
  return (year < 100 ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : Date.UTC(year, month - 1, day)) / dayMs
}

function numberIn(text: string, from: number, to: number): number {
  let found = 0
  for (let at = from; at < to; at++) found = 10 * found + text.charCodeAt(at) - 48
  return found
}

export const dateOfDay = (day: number): string => isoTimeOf(day * dayMs).slice(0, 10)

// The local days of a zone, from one midnight to the next, and their dates. Pure.
import { firstMoment } from '../localtime/offsets.ts'
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

export const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

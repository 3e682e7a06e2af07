// The times of an event that is to be written. Pure; a rule that is not accepted counts as absent.
import { offsetAt } from '../localtime/offsets.ts'
import { firstOccurrenceFrom, occurrencesBetween } from '../recurrence/expand.ts'
import type { Series } from '../recurrence/series.ts'
import { dayMs } from '../shapes/durations.ts'
import { besideOf, type Recurring, seriesOf } from '../timers/series.ts'
import { decideRule } from './rule.ts'

/** Undefined for an event that happens once. */
export function acceptedSeries(event: Recurring): Series | undefined {
  const { recurrenceRule, startTime } = event
  if (recurrenceRule === null) return undefined
  const isAccepted = decideRule(recurrenceRule, startTime, true, 'start_time', besideOf(event)).kind === 'accepted'
  return isAccepted ? seriesOf(event) : undefined
}

/** Whether all of it has ended. */
export function isOver(event: Recurring, now: Date): boolean {
  const lengthMs = event.endTime.getTime() - event.startTime.getTime()
  const series = acceptedSeries(event)
  if (!series) return event.endTime <= now
  return firstOccurrenceFrom(series, now.getTime() - lengthMs + 1) === undefined
}

/** The starts of its next occurrences, those that last included. */
export function nextStarts(event: Recurring, now: Date, max: number): number[] {
  const series = acceptedSeries(event)
  const lengthMs = event.endTime.getTime() - event.startTime.getTime()
  return series ? occurrencesBetween(series, now.getTime() - lengthMs + 1, Number.POSITIVE_INFINITY, max) : []
}

const shiftDays = 366

/** The first occurrence of a series whose local hour is another one: clocks change, and the series repeats in UTC or in another zone. */
export function firstShift(event: Recurring, zone: string): number | undefined {
  const series = acceptedSeries(event)
  if (!series) return undefined
  const startMs = event.startTime.getTime()
  const offsetMs = offsetAt(zone, startMs)
  return occurrencesBetween(series, startMs, startMs + shiftDays * dayMs).find((ms) => offsetAt(zone, ms) !== offsetMs)
}

/** The first `max` starts in `[fromMs, toMs)`. */
export function startsWithin(event: Recurring, fromMs: number, toMs: number, max: number): number[] {
  const series = acceptedSeries(event)
  return series ? occurrencesBetween(series, fromMs, toMs, max) : []
}

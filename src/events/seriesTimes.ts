// The times of an event that is to be written. Pure; a rule that is not accepted counts as absent.
import { offsetAt } from '../localtime/offsets.ts'
import { firstOccurrenceFrom, isOccurrence, occurrencesBetween } from '../recurrence/expand.ts'
import type { Series } from '../recurrence/series.ts'
import { dayMs } from '../shapes/durations.ts'
import { besideOf, type Recurring, seriesOf } from '../timers/series.ts'
import type { Window } from './occurrences.ts'
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
function nextStarts(event: Recurring, now: Date, max: number): number[] {
  const series = acceptedSeries(event)
  const lengthMs = event.endTime.getTime() - event.startTime.getTime()
  return series ? occurrencesBetween(series, now.getTime() - lengthMs + 1, Number.POSITIVE_INFINITY, max) : []
}

/** An occurrence as it happens; `originalMs` is the start that its series gives it. */
export type OccurrenceTimes = { originalMs: number; startMs: number; endMs: number }

/** One that has been edited by itself. */
export type EditedOccurrence = OccurrenceTimes & { isCancelled: boolean }

/** The next occurrences of a series, those that last included, each at its own time. */
export function nextOccurrences(
  event: Recurring,
  edited: readonly EditedOccurrence[],
  now: Date,
  max: number,
): OccurrenceTimes[] {
  const lengthMs = event.endTime.getTime() - event.startTime.getTime()
  const overriddenStarts = edited.map(({ originalMs }) => new Date(originalMs))
  const plain = nextStarts({ ...event, overriddenStarts }, now, max).map((startMs) => ({
    ...{ originalMs: startMs, startMs, endMs: startMs + lengthMs },
  }))
  const whole = acceptedSeries({ ...event, overriddenStarts: [] })
  const isThere = ({ originalMs }: EditedOccurrence) => whole !== undefined && isOccurrence(whole, originalMs)
  const own = edited.filter((one) => !one.isCancelled && one.endMs > now.getTime() && isThere(one))
  return [...plain, ...own].sort((a, b) => a.startMs - b.startMs || a.originalMs - b.originalMs).slice(0, max)
}

const shiftDays = 366

/** The first occurrence of a rule whose local hour is another one: clocks change, and the series repeats in UTC or in another zone. */
export function firstShift(event: Recurring, zone: string): number | undefined {
  const series = event.recurrenceTimezone === zone ? undefined : acceptedSeries({ ...event, recurrenceRdates: [] })
  if (!series) return undefined
  const startMs = event.startTime.getTime()
  const timeOfDay = (ms: number) => (ms + offsetAt(zone, ms)) % dayMs
  const first = timeOfDay(startMs)
  return occurrencesBetween(series, startMs, startMs + shiftDays * dayMs).find((ms) => timeOfDay(ms) !== first)
}

/** The first `max` occurrences that the series starts in `[fromMs, toMs)`, each at its own time. */
export function occurrencesStartingWithin(
  event: Recurring,
  edited: readonly EditedOccurrence[],
  { fromMs, toMs }: Window,
  max: number,
): OccurrenceTimes[] {
  const series = acceptedSeries(event)
  const lengthMs = event.endTime.getTime() - event.startTime.getTime()
  const own = new Map(edited.map((one) => [one.originalMs, one]))
  const starts = series ? occurrencesBetween(series, fromMs, toMs, max) : []
  return starts.map((startMs) => own.get(startMs) ?? { originalMs: startMs, startMs, endMs: startMs + lengthMs })
}

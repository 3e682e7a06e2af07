// The moments of an event that recurs: one timer per kind and offset, which moves from occurrence to occurrence. Pure.
import { firstOccurrenceFrom, nextOccurrence, occurrencesBetween } from '../recurrence/expand.ts'
import type { Beside, Series } from '../recurrence/series.ts'
import { storedSeries } from '../recurrence/stored.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { PendingTimer } from './pendingTimers.ts'
import type { Timer } from './timers.ts'

export type Recurring = {
  startTime: Date
  endTime: Date
  recurrenceRule: string | null
  recurrenceExdates: readonly Date[]
  recurrenceTimezone?: string | null
  recurrenceRdates?: readonly Date[]
  recurrenceSkippedMs?: number
  /** Occurrences that have a row of their own happen there. */
  overriddenStarts?: readonly Date[]
  /** Of an event that stands for one occurrence: the start that its series gives it. */
  originalStart?: Date | null
}

/** Undefined for a stored event that happens once. */
export function seriesOf(event: Recurring): Series | undefined {
  const { recurrenceRule, startTime, endTime, recurrenceExdates, overriddenStarts = [] } = event
  if (recurrenceRule === null) return undefined
  const cancelled = overriddenStarts.length > 0 ? [...recurrenceExdates, ...overriddenStarts] : recurrenceExdates
  return storedSeries(recurrenceRule, startTime.getTime(), endTime.getTime(), cancelled.map(Number), besideOf(event))
}

/** The parts of a series besides its rule; undefined for a rule in UTC alone. */
export function besideOf(event: Recurring): Beside | undefined {
  const { recurrenceTimezone, recurrenceRdates = [], recurrenceSkippedMs: skippedMs } = event
  const zone = recurrenceTimezone ?? undefined
  if (zone === undefined && recurrenceRdates.length === 0) return undefined
  return { zone, rdates: recurrenceRdates.map(Number), ...(skippedMs !== undefined && { skippedMs }) }
}

/** Where a timer's moment lies from its occurrence's start, in milliseconds. */
export function momentShiftMs(timer: Pick<Timer, 'kind' | 'offsetMinutes'>, event: Recurring): number {
  if (timer.kind === 'event_end') return event.endTime.getTime() - event.startTime.getTime()
  return -timer.offsetMinutes * minuteMs
}

/** Which timers an event has. */
export const kindsOf = (reminders: readonly number[]) => [
  { kind: 'event_start' as const, offsetMinutes: 0 },
  { kind: 'event_end' as const, offsetMinutes: 0 },
  ...reminders.map((offsetMinutes) => ({ kind: 'event_reminder' as const, offsetMinutes })),
]

/** The moments of a confirmed event that happens once, past ones too. */
export const singleTimers = (event: Recurring, reminders: readonly number[]): Timer[] =>
  kindsOf(reminders).map((timer) => ({
    ...timer,
    dueAt: new Date(event.startTime.getTime() + momentShiftMs(timer, event)),
    occurrenceStart: event.originalStart ?? null,
  }))

/** The first moments after `now` of every kind: the timers of a confirmed series. */
export function seriesTimers(event: Recurring, series: Series, reminders: readonly number[], now: Date): Timer[] {
  return kindsOf(reminders).flatMap((timer) => {
    const shiftMs = momentShiftMs(timer, event)
    const startMs = nextOccurrence(series, now.getTime() - shiftMs)
    return startMs === undefined ? [] : [timerAt(timer, startMs, shiftMs)]
  })
}

/** Times that the edited series still has between the pending timer and `now`. They must fire. */
export const pendingMoments = (
  event: Recurring,
  series: Series,
  reminders: readonly number[],
  pending: readonly PendingTimer[],
  now: Date,
): Timer[] =>
  kindsOf(reminders).flatMap((timer) => {
    const since = pending.find(
      ({ kind, offsetMinutes }) => kind === timer.kind && offsetMinutes === timer.offsetMinutes,
    )
    if (!since) return []
    const shiftMs = momentShiftMs(timer, event)
    const starts = occurrencesBetween(series, since.dueAt.getTime() - shiftMs, now.getTime() - shiftMs + 1)
    return starts.map((startMs) => timerAt(timer, startMs, shiftMs))
  })

/** The next moment of a timer when its occurrence has fired or was cancelled; undefined after the last one. */
export function timerAfter(
  timer: Pick<Timer, 'kind' | 'offsetMinutes'>,
  event: Recurring,
  series: Series,
  occurrenceStart: Date,
): Timer | undefined {
  const startMs = firstOccurrenceFrom(series, occurrenceStart.getTime() + 1)
  return startMs === undefined ? undefined : timerAt(timer, startMs, momentShiftMs(timer, event))
}

const timerAt = (timer: Pick<Timer, 'kind' | 'offsetMinutes'>, startMs: number, shiftMs: number): Timer => ({
  kind: timer.kind,
  offsetMinutes: timer.offsetMinutes,
  dueAt: new Date(startMs + shiftMs),
  occurrenceStart: new Date(startMs),
})

// Whole days in another zone: each stays on its date there. Pure.
import { offsetAt, windowStart } from '../localtime/offsets.ts'
import { dayOf } from '../localtime/spelling.ts'
import { earliestMs, latestMs } from '../recurrence/civil.ts'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { shiftRule } from '../recurrence/shiftRule.ts'
import { dayMs } from '../shapes/durations.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow, RecurringRow } from './columns.ts'

/** When an event happens. */
export type Times = RecurringRow & Pick<EventRow, 'seriesLastStart'>

/** The same dates in the other zone. Undefined for a series that no rule in UTC keeps on its dates. */
export function movedToZone(times: Times, from: string, to: string): Times | undefined {
  const isSeries = times.recurrenceRule !== null
  const lengthMs = times.endTime.getTime() - times.startTime.getTime()
  const startMs = isSeries ? movedSeries(times, from, to) : movedMoment(times.startTime.getTime(), from, to)
  const endMs = isSeries ? startMs + lengthMs : movedMoment(times.endTime.getTime(), from, to)
  // A day at the edge of the allowed range does not move.
  if (startMs < earliestMs || endMs > latestMs) return times
  const byMs = startMs - times.startTime.getTime()
  const moved = {
    ...times,
    startTime: new Date(startMs),
    // Clocks may skip all of it.
    endTime: new Date(endMs > startMs ? endMs : startMs + lengthMs),
  }
  if (times.recurrenceRule === null) return moved
  const recurrenceRule = shiftRule(times.recurrenceRule, times.startTime, byMs)
  if (recurrenceRule === undefined) return undefined
  const shifted = (at: Date) => new Date(at.getTime() + byMs)
  return {
    ...moved,
    recurrenceRule,
    recurrenceExdates: times.recurrenceExdates.map(shifted),
    recurrenceRdates: times.recurrenceRdates.map(shifted),
    overriddenStarts: times.overriddenStarts.map(shifted),
    seriesLastStart: times.seriesLastStart && shifted(times.seriesLastStart),
  }
}

/** The wall clock stays; the beginning of a day stays one, also where midnight is skipped. */
function movedMoment(ms: number, from: string, to: string): number {
  const { day, wallMs } = wallOf(ms, from)
  return ms === windowStart(from, day * dayMs) ? windowStart(to, day * dayMs) : windowStart(to, wallMs)
}

/**
 * A series repeats in UTC, so its local hour changes with the clocks: it begins at midnight, or later by so much that no
 * occurrence begins on the day before.
 */
function movedSeries(times: Times, from: string, to: string): number {
  const startMs = times.startTime.getTime()
  const { day } = wallOf(startMs, from)
  const starts = occurrencesBetween(seriesOf(times)!, startMs, startMs + lookDays * dayMs)
  const isDayStart = startMs === safeStart(day, starts, from)
  const movedMs = isDayStart ? windowStart(to, day * dayMs) : movedMoment(startMs, from, to)
  const movedStarts = starts.map((ms) => ms + movedMs - startMs)
  return Math.max(movedMs, safeStart(day, movedStarts, to))
}

/** Clocks go through all their changes in a year. */
const lookDays = 366

/** The first moment that lies on the day whichever of the offsets at these moments counts. */
const safeStart = (day: number, starts: readonly number[], zone: string): number =>
  starts.reduce((ms, at) => Math.max(ms, day * dayMs - offsetAt(zone, at)), Number.NEGATIVE_INFINITY)

function wallOf(ms: number, zone: string): { day: number; wallMs: number } {
  const wallMs = ms + offsetAt(zone, ms)
  return { day: dayOf(wallMs), wallMs }
}

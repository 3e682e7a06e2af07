// The times that an event takes, as they are judged if it must be free. Pure.
import type { Spans } from '../availability/inTheWay.ts'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow } from './columns.ts'
import { decideRule } from './rule.ts'

type Timed = Pick<EventRow, 'startTime' | 'endTime' | 'recurrenceRule' | 'recurrenceExdates'>

/** What is to be known of an event that is judged. */
export type Wanted = Timed & Pick<EventRow, 'orgId' | 'calendarId'>

/** Of a series every occurrence is judged that starts in its first days, up to a number. */
const judgedDays = 366
const judgedOccurrences = 730

/** A longer event is not judged: what it could meet has no bound. */
export const isJudgeable = ({ startTime, endTime }: Timed): boolean =>
  endTime.getTime() - startTime.getTime() <= judgedDays * dayMs

/** A flat list, empty if every occurrence is cancelled. */
export function spansOf(event: Timed): Spans {
  const startMs = event.startTime.getTime()
  const lengthMs = event.endTime.getTime() - startMs
  const series = seriesOf(event)
  const starts = series
    ? occurrencesBetween(series, startMs, startMs + judgedDays * dayMs, judgedOccurrences)
    : [startMs]
  return starts.flatMap((start) => [start, start + lengthMs])
}

/** The times of the event if it started then; undefined if its rule does not fit that start. */
export function spansFrom(event: Timed, startMs: number): Spans | undefined {
  const startTime = new Date(startMs)
  const endTime = new Date(startMs + event.endTime.getTime() - event.startTime.getTime())
  const { recurrenceRule } = event
  if (recurrenceRule !== null && decideRule(recurrenceRule, startTime, true, 'start_time').kind !== 'accepted') {
    return undefined
  }
  return spansOf({ startTime, endTime, recurrenceRule, recurrenceExdates: [] })
}

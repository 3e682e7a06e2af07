// The times of the other occurrences of a series near one that changes: they count for the daily limits of its calendar.
import type { Spans } from '../availability/conflictingPieces.ts'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { type Recurring, seriesOf } from '../timers/series.ts'
import type { EventRow } from './columns.ts'

/** No local day reaches further. */
const reachMs = 3 * dayMs

type Occurrence = Pick<EventRow, 'startTime' | 'endTime' | 'status'>
type SeriesRow = Recurring & Pick<EventRow, 'status'>

/** `overrides`: the occurrences that have rows of their own. */
export function siblingsNear(
  series: SeriesRow,
  overrides: readonly Occurrence[],
  { startTime, endTime }: Occurrence,
): Spans {
  const window = { fromMs: startTime.getTime() - reachMs, toMs: endTime.getTime() + reachMs }
  const compiled = series.status === 'cancelled' ? undefined : seriesOf(series)
  const lengthMs = series.endTime.getTime() - series.startTime.getTime()
  const starts = compiled ? occurrencesBetween(compiled, window.fromMs, window.toMs) : []
  const own = overrides
    .filter((one) => one.status !== 'cancelled' && +one.startTime < window.toMs && +one.endTime > window.fromMs)
    .flatMap((one) => [one.startTime.getTime(), one.endTime.getTime()])
  return [...starts.flatMap((start) => [start, start + lengthMs]), ...own]
}

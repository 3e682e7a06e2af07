// The next occurrences of many series, in the order of lists. Looks ahead day by day, then ever further, so that a page costs what
// it shows and not what the whole window holds. Pure, and in slices.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { sliceTimer } from '../shapes/slices.ts'
import { seriesOf } from '../timers/series.ts'
import type { ListedSeries } from './listQueries.ts'
import { byStartAndId, type Window } from './occurrences.ts'
import type { Item } from './timeline.ts'

/** The first `max` that overlap the window and come behind `after`. */
export async function firstOccurrences(
  rows: readonly ListedSeries[],
  window: Window,
  after: Item | undefined,
  max: number,
): Promise<Item[]> {
  const known = rows.map((row) => ({ id: row.id, series: seriesOf(row)!, fromMs: firstStart(row, window, after) }))
  const items: Item[] = []
  const isOver = sliceTimer()
  let fromMs = known.reduce((earliest, one) => Math.min(earliest, one.fromMs), window.toMs)
  for (let aheadMs = dayMs; fromMs < window.toMs && items.length < max; aheadMs *= 2) {
    const toMs = Math.min(window.toMs, fromMs + aheadMs)
    for (const { id, series, fromMs: own } of known) {
      // One start more: the first may be that of `after`.
      for (const startMs of occurrencesBetween(series, Math.max(fromMs, own), toMs, max + 1)) {
        const item = { id, startMs, isOccurrence: true }
        if (!after || byStartAndId(after, item) < 0) items.push(item)
      }
      if (isOver()) await nextTurn()
    }
    fromMs = toMs
  }
  return items.sort(byStartAndId).slice(0, max)
}

/** Where occurrences of a series may begin: half-open, one that ends as the window begins does not overlap it. */
function firstStart({ startTime, endTime }: ListedSeries, { fromMs }: Window, after: { startMs: number } | undefined) {
  const lengthMs = endTime.getTime() - startTime.getTime()
  return Math.max(fromMs - lengthMs + 1, startTime.getTime(), after?.startMs ?? Number.NEGATIVE_INFINITY)
}

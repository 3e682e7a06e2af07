// Expanded lists: the occurrences of series merged with the events that happen once, by start, then id. Pure.
import { countBetween, occurrencesBetween } from '../recurrence/expand.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow } from './queries.ts'

/** Half-open on the start, epoch ms. */
export type Window = { fromMs: number; toMs: number }

/** An event as it happens at one time; `row` is the series' for an occurrence. */
export type Instance<Row extends EventRow = EventRow> = {
  row: Row
  startMs: number
  endMs: number
  isOccurrence: boolean
}

export const single = <Row extends EventRow>(row: Row): Instance<Row> => ({
  row,
  startMs: row.startTime.getTime(),
  endMs: row.endTime.getTime(),
  isOccurrence: false,
})

/** The first `most` occurrences of one series in a window. */
export function occurrencesOf<Row extends EventRow>(master: Row, window: Window, most: number): Instance<Row>[] {
  const series = seriesOf(master)
  if (!series) return []
  const durationMs = master.endTime.getTime() - master.startTime.getTime()
  return occurrencesBetween(series, window.fromMs, window.toMs, most).map((startMs) => ({
    row: master,
    startMs,
    endMs: startMs + durationMs,
    isOccurrence: true,
  }))
}

export function countOccurrences(masters: readonly EventRow[], window: Window): number {
  return masters.reduce((sum, master) => {
    const series = seriesOf(master)
    return series ? sum + countBetween(series, window.fromMs, window.toMs) : sum
  }, 0)
}

export const byStart = (a: Instance, b: Instance): number =>
  a.startMs - b.startMs || (a.row.id < b.row.id ? -1 : a.row.id > b.row.id ? 1 : 0)

/**
 * One page of the merged list. `singles` and each master contribute no more than the page's end needs, so the cost grows
 * with the page and the number of series, not with the window.
 */
export function mergedPage(
  singles: readonly EventRow[],
  masters: readonly EventRow[],
  window: Window,
  page: { limit: number; offset: number },
): Instance[] {
  const end = page.offset + page.limit
  const all = [...singles.map(single), ...masters.flatMap((master) => occurrencesOf(master, window, end))]
  return all.sort(byStart).slice(page.offset, end)
}

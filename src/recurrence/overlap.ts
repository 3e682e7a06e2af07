// A series as time that is taken. Intervals are half-open: an occurrence that ends at 10:00 does not meet a window from 10:00.
import { occurrencesBetween, previousOccurrence } from './expand.ts'
import type { Series } from './series.ts'

/**
 * The taken time inside `[fromMs, toMs)`, merged and clipped, ascending: start, end, start, end … in epoch ms. The work is
 * bounded by the window whatever the duration: all occurrences are equally long, so of those that began before the window
 * only the last can matter.
 */
export function busyIntervals(series: Series, durationMs: number, window: { fromMs: number; toMs: number }): number[] {
  const { fromMs, toMs } = window
  const busy: number[] = []
  if (fromMs >= toMs || durationMs <= 0) return busy
  const earlier = previousOccurrence(series, fromMs)
  const starts = occurrencesBetween(series, fromMs, toMs)
  if (earlier !== undefined && earlier + durationMs > fromMs) starts.unshift(earlier)
  for (const start of starts) {
    const end = Math.min(start + durationMs, toMs)
    if (busy.length > 0 && start <= busy[busy.length - 1]!) busy[busy.length - 1] = end
    else busy.push(Math.max(start, fromMs), end)
  }
  return busy
}

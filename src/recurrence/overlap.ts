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
  for (const start of startsOver(series, durationMs, window, 1)) {
    const end = Math.min(start + durationMs, toMs)
    if (busy.length > 0 && start <= busy[busy.length - 1]!) busy[busy.length - 1] = end
    else busy.push(Math.max(start, fromMs), end)
  }
  return busy
}

/** The starts of the occurrences that overlap the window, ascending: of those that began before it only the last `maxEarlier`. */
export function startsOver(
  series: Series,
  durationMs: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  maxEarlier: number,
): number[] {
  if (fromMs >= toMs || durationMs <= 0) return []
  const starts = occurrencesBetween(series, fromMs, toMs)
  const earlier: number[] = []
  let start = previousOccurrence(series, fromMs)
  while (start !== undefined && start + durationMs > fromMs && earlier.length < maxEarlier) {
    earlier.push(start)
    start = previousOccurrence(series, start)
  }
  return earlier.length === 0 ? starts : [...earlier.reverse(), ...starts]
}

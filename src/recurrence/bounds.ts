import { dayMs } from '../shapes/durations.ts'
import { lastOccurrence, type Series } from './series.ts'

/** Days from the first start to the last that a rule on the Free plan may span. */
export const freeSpanDays = 90

/** Whether the series has no end, or its last start comes more than `days` × 24 h after its first; exactly `days` is within. */
export function exceedsSpan(series: Series, days: number): boolean {
  const lastMs = lastOccurrence(series)
  return lastMs === undefined || lastMs - series.startMs > days * dayMs
}

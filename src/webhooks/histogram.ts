// How attempts are counted: by stretches of time, and their durations per range, so that all of it can be summed.
import { minuteMs } from '../shapes/durations.ts'

export const stretchMs = 10 * minuteMs

/** The stretch in which attempts that end now are counted, by its beginning. */
export const stretchAt = (at: Date): Date => new Date(Math.floor(at.getTime() / stretchMs) * stretchMs)

/** The upper bounds of the ranges in milliseconds. Stored histograms are in this order: a new one goes to another column. */
const boundsMs = [5, 10, 15, 25, 40, 65, 100, 160, 250, 400, 650, 1_000, 1_600, 2_500, 4_000, 6_500, 10_000]

export const emptyHistogram = (): number[] => boundsMs.map(() => 0)

/** Counts a duration. */
export function countDuration(histogram: number[], durationMs: number): void {
  const range = boundsMs.findIndex((bound) => durationMs <= bound)
  histogram[range === -1 ? boundsMs.length - 1 : range]!++
}

/** The duration that the share `of` of all attempts did not exceed, in whole milliseconds; null if there were none. */
export function percentile(histogram: readonly number[], of: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [range, count] of histogram.entries()) {
    if (before + count >= total * of) {
      const from = boundsMs[range - 1] ?? 0
      return Math.round(from + ((total * of - before) / count) * (boundsMs[range]! - from))
    }
    before += count
  }
  return boundsMs.at(-1)!
}

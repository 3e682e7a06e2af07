// Questions about a series' occurrences. All times are epoch ms, all windows half-open on the occurrence's start, and
// cancelled occurrences are left out. The cost depends on what is returned or skipped, never on the distance from the start.
import { countExisting } from './grid.ts'
import { isLocalStart, localBetween, previousLocal } from './local.ts'
import { cancelledBefore, isCancelled, type Series, slotStart } from './series.ts'
import { liveWindow, startsOfSlots } from './walk.ts'

/** Starts in `[fromMs, toMs)`, ascending, at most `limit` of them. */
export function occurrencesBetween(
  series: Series,
  fromMs: number,
  toMs: number,
  limit = Number.POSITIVE_INFINITY,
): number[] {
  if (series.local) return localBetween(series, series.local, fromMs, toMs, limit)
  return startsOfSlots(series, liveWindow(series, fromMs, toMs), limit)
}

/** How many starts lie in `[fromMs, toMs)`; of a rule in UTC, without listing them. */
export function countBetween(series: Series, fromMs: number, toMs: number): number {
  if (series.local) return localBetween(series, series.local, fromMs, toMs).length
  const { from, to, first, end } = liveWindow(series, fromMs, toMs)
  if (end <= first) return 0
  let count = countExisting(series.grid, first, end)
  // Only the outermost months can hold a start outside the window.
  if (slotStart(series, first) < from) count--
  if (slotStart(series, end - 1) >= to) count--
  const cancelledEnd = cancelledBefore(series, to)
  for (let i = cancelledBefore(series, from); i < cancelledEnd; i++) {
    const startMs = series.cancelled[i]!
    if (startMs !== series.cancelled[i - 1] && isStart(series, startMs)) count--
  }
  return count
}

/** The first start at `fromMs` or later; `undefined` without one. */
export function firstOccurrenceFrom(series: Series, fromMs: number): number | undefined {
  return occurrencesBetween(series, fromMs, Number.POSITIVE_INFINITY, 1)[0]
}

/** The first start strictly after `afterMs`; `undefined` without one. */
export function nextOccurrence(series: Series, afterMs: number): number | undefined {
  return firstOccurrenceFrom(series, afterMs + 1)
}

/** The last start strictly before `beforeMs`; `undefined` without one. */
export function previousOccurrence(series: Series, beforeMs: number): number | undefined {
  if (series.local) return previousLocal(series, series.local, beforeMs)
  const { to, first, end } = liveWindow(series, Number.NEGATIVE_INFINITY, beforeMs)
  for (let slot = end - 1; slot >= first; slot--) {
    const startMs = slotStart(series, slot)
    if (startMs < to && !isCancelled(series, startMs)) return startMs
  }
  return undefined
}

/** Whether an occurrence that is not cancelled starts exactly at `ms`. */
export function isOccurrence(series: Series, ms: number): boolean {
  return !isCancelled(series, ms) && isStart(series, ms)
}

function isStart(series: Series, ms: number): boolean {
  if (series.local) return isLocalStart(series, series.local, ms)
  const { first, end } = liveWindow(series, ms, ms + 1)
  return first < end && slotStart(series, first) === ms
}

// A series by a wall clock, or with dates beside its rule. The rule is expanded in wall times, each of which is looked up once if its
// occurrence is returned; the dates are merged in.
import { earliestWall, latestWall } from './clock.ts'
import { isCancelled, type Local, lastLocalStart, localStart, placeIn, type Series } from './series.ts'
import { liveWindow, passes, sieveOf, startsOfSlots } from './walk.ts'

/** How many wall times at the edges of a window may turn out to lie outside of it. */
const edges = 2

/** Starts in `[fromMs, toMs)` that are not cancelled, ascending, at most `limit` of them. Two that are one moment count once. */
export function localBetween(
  series: Series,
  local: Local,
  fromMs: number,
  toMs: number,
  limit = Number.POSITIVE_INFINITY,
): number[] {
  const { added, clock, wall } = local
  const from = Math.max(fromMs, series.startMs)
  const to = Math.min(toMs, local.lastMs + 1)
  const starts: number[] = []
  const sieve = sieveOf(series, { from, to: toMs })
  let next = placeIn(added, from)
  const addUntil = (ms: number) => {
    for (; next < added.length && added[next]! < ms; next++) {
      const date = added[next]!
      if (date !== starts.at(-1) && passes(sieve, date)) starts.push(date)
    }
  }
  let previous = Number.NaN
  const hasRule = from < to
  const wallTo = hasRule ? latestWall(clock, to) : from
  for (let wallFrom = hasRule ? earliestWall(clock, from) : from; starts.length < limit; ) {
    const asked = limit - starts.length + edges
    const walls = startsOfSlots(wall, liveWindow(wall, wallFrom, wallTo), asked)
    for (const wallMs of walls) {
      const ms = localStart(series, local, wallMs)
      if (ms >= to) break
      if (next < added.length) addUntil(ms)
      if (ms !== previous && passes(sieve, ms)) starts.push(ms)
      previous = ms
    }
    if (walls.length < asked) {
      addUntil(toMs)
      break
    }
    wallFrom = walls.at(-1)! + 1
  }
  if (starts.length > limit) starts.length = limit
  return starts
}

/** The last start before `beforeMs` that is not cancelled. */
export function previousLocal(series: Series, local: Local, beforeMs: number): number | undefined {
  const { added } = local
  let ofRule = lastLocalStart(series, local, beforeMs)
  while (ofRule !== undefined && isCancelled(series, ofRule)) ofRule = lastLocalStart(series, local, ofRule)
  let place = placeIn(added, beforeMs) - 1
  while (place >= 0 && isCancelled(series, added[place]!)) place--
  const ofDates = added[place]
  return ofRule !== undefined && ofDates !== undefined ? Math.max(ofRule, ofDates) : (ofRule ?? ofDates)
}

/** Whether an occurrence, cancelled or not, starts exactly at `ms`. */
export const isLocalStart = (series: Series, local: Local, ms: number): boolean =>
  localBetween({ ...series, cancelled: [] }, local, ms, ms + 1, 1).length > 0

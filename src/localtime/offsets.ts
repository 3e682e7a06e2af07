// A zone's wall clock beside UTC, in both directions. Wall times count like UTC, in milliseconds from 1970.
import { latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { type OffsetStretch, offsetStretches } from '../shapes/zones.ts'

const maxZones = 1_000

/** Where the last question about a zone fell. The next one mostly falls there too: the times of a list are close together. */
const lastStretches = new Map<string, OffsetStretch>()

export function offsetAt(zone: string, ms: number): number {
  const last = lastStretches.get(zone)
  if (last && last.fromMs <= ms && ms < last.toMs) return last.offsetMs
  const year = new Date(ms).getUTCFullYear()
  const found = offsetStretches(zone, startOfYear(year), startOfYear(year + 1)).find(({ toMs }) => ms < toMs)!
  remember(lastStretches, zone, found)
  return found.offsetMs
}

/** Local places differ from UTC by less than a day, and no change of clocks moves them by more than one. */
const reachMs = 2 * dayMs

const stretchesAround = (zone: string, ms: number) => offsetStretches(zone, ms - reachMs, ms + reachMs)

/** The moments at which the wall clock shows `wallMs`, ascending: usually one, none if it is skipped, two if it is doubled. */
export const instantsOf = (zone: string, wallMs: number): number[] =>
  stretchesAround(zone, wallMs)
    .filter(({ fromMs, toMs, offsetMs }) => fromMs <= wallMs - offsetMs && wallMs - offsetMs < toMs)
    .map(({ offsetMs }) => wallMs - offsetMs)

/**
 * The possible readings of a skipped wall time, the usual one first: the time as far after the change as it lies behind the
 * gap's start (RFC 5545, 3.3.5), and the one as far before the change.
 */
export function instantsAroundGap(zone: string, wallMs: number): number[] {
  const stretches = stretchesAround(zone, wallMs)
  const after = stretches.findIndex(({ fromMs, offsetMs }) => wallMs < fromMs + offsetMs)
  return [stretches[after - 1]!, stretches[after]!].map(({ offsetMs }) => wallMs - offsetMs)
}

/** When the wall clock first shows `wallMs` or later: of a doubled time the first moment, of a skipped one that after the gap. */
export function firstMoment(stretches: readonly OffsetStretch[], wallMs: number): number {
  const stretch = stretches.find(({ toMs, offsetMs }) => toMs + offsetMs > wallMs) ?? stretches.at(-1)!
  return Math.max(stretch.fromMs, wallMs - stretch.offsetMs)
}

/** When the wall clock passes `wallMs` for the last time: of a doubled time the second moment. */
export function lastMoment(stretches: readonly OffsetStretch[], wallMs: number): number {
  const stretch = stretches.findLast(({ fromMs, offsetMs }) => fromMs + offsetMs <= wallMs) ?? stretches[0]!
  return Math.min(stretch.toMs, wallMs - stretch.offsetMs)
}

/** The moment at which a window begins whose start is given on a wall clock. */
export const windowStart = (zone: string, wallMs: number): number => firstMoment(stretchesAround(zone, wallMs), wallMs)

/** The moment at which such a window ends. */
export const windowEnd = (zone: string, wallMs: number): number => lastMoment(stretchesAround(zone, wallMs), wallMs)

type OffsetChange = { readonly atMs: number; readonly offsetMs: number }

/** From this year on a zone changes its clocks every year or never: the list of single changes in the tz database is over. */
const rulesYear = 2100

/** The time after which a zone has no more changes. */
const quietFromMs = new Map<string, number>()

/** The first change after `afterMs`. */
export function nextOffsetChange(zone: string, afterMs: number): OffsetChange | undefined {
  const lastYear = Math.max(rulesYear, new Date(afterMs).getUTCFullYear() + 1)
  const endMs = Math.min(startOfYear(lastYear + 1), latestMs)
  for (let fromMs = afterMs; fromMs < endMs && fromMs < quietSince(zone); ) {
    const toMs = Math.min(startOfYear(new Date(fromMs).getUTCFullYear() + 1), endMs)
    // A change at midnight of New Year is seen only from before it.
    const [, next] = offsetStretches(zone, fromMs, toMs + 1)
    if (next) return { atMs: next.fromMs, offsetMs: next.offsetMs }
    fromMs = toMs
  }
  if (lastYear === rulesYear) remember(quietFromMs, zone.toLowerCase(), Math.min(afterMs, quietSince(zone)))
  return undefined
}

const quietSince = (zone: string): number => quietFromMs.get(zone.toLowerCase()) ?? Number.POSITIVE_INFINITY

function startOfYear(year: number): number {
  const start = new Date(0)
  return start.setUTCFullYear(year)
}

/** A name may be spelled in any number of ways: upper and lower case mean the same zone. */
function remember<T>(known: Map<string, T>, zone: string, value: T): void {
  if (known.size >= maxZones) known.clear()
  known.set(zone, value)
}

// The wall clock of a zone, as expansions ask it: once for each occurrence. Wall times count like UTC, in milliseconds from 1970.
import { dayMs } from '../shapes/durations.ts'
import { type OffsetStretch, offsetStretches } from '../shapes/zones.ts'

/** `last`: where the last question fell. The next one mostly falls there too. `years`: the stretches around each year. */
export type Clock = {
  readonly zone: string | undefined
  readonly years: Map<number, readonly OffsetStretch[]>
  last: OffsetStretch
}

/** Two days: local places differ from UTC by less than one, and no change of clocks moves them by more than one. */
const reachMs = 2 * dayMs

const always = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
const never = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY }
const utc: Clock = { zone: undefined, years: new Map(), last: { ...always, offsetMs: 0 } }

const clocks = new Map<string, Clock>()
const maxClocks = 1_000
const maxYears = 32

/** `zone` undefined: UTC. */
export function clockOf(zone: string | undefined): Clock {
  if (zone === undefined) return utc
  const known = clocks.get(zone)
  if (known) return known
  const clock: Clock = { zone, years: new Map(), last: { ...never, offsetMs: 0 } }
  if (clocks.size >= maxClocks) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

/**
 * When the clock shows this time: the first of two moments. A time that is skipped counts by the offset before the gap
 * (RFC 5545, 3.3.5). A later time never gives an earlier moment.
 */
export function instantOf(clock: Clock, wallMs: number): number {
  const { fromMs, toMs, offsetMs } = clock.last
  const ms = wallMs - offsetMs
  return ms >= fromMs + reachMs && ms < toMs - reachMs ? ms : instantNearChange(clock, wallMs)
}

function instantNearChange(clock: Clock, wallMs: number): number {
  const stretches = stretchesAround(clock, wallMs)
  const shown = stretches.find(({ fromMs, toMs, offsetMs }) => fromMs <= wallMs - offsetMs && wallMs - offsetMs < toMs)
  if (shown) return wallMs - shown.offsetMs
  const after = stretches.findIndex(({ fromMs, offsetMs }) => wallMs < fromMs + offsetMs)
  return wallMs - stretches[Math.max(0, after - 1)]!.offsetMs
}

/** The wall clock at that moment. */
export function wallOf(clock: Clock, ms: number): number {
  const { last } = clock
  if (ms >= last.fromMs && ms < last.toMs) return ms + last.offsetMs
  return ms + stretchesAround(clock, ms).find(({ toMs }) => ms < toMs)!.offsetMs
}

/** No time before this one gives a moment at `ms` or later. */
export const earliestWall = (clock: Clock, ms: number): number => ms + offsetsAround(clock, ms, Math.min)

/** No time from this one on gives a moment before `ms`. */
export const latestWall = (clock: Clock, ms: number): number => ms + offsetsAround(clock, ms, Math.max)

function offsetsAround(clock: Clock, ms: number, pick: (...offsets: number[]) => number): number {
  const { fromMs, toMs, offsetMs } = clock.last
  if (!Number.isFinite(ms) || (ms >= fromMs + reachMs && ms < toMs - reachMs)) return offsetMs
  const near = stretchesAround(clock, ms).filter((one) => one.fromMs < ms + reachMs && one.toMs > ms - reachMs)
  return pick(...near.map((one) => one.offsetMs))
}

/** The stretches of the year around, with some days at both ends. Remembers the one that `ms` most likely lies in. */
function stretchesAround(clock: Clock, ms: number): readonly OffsetStretch[] {
  const year = new Date(ms).getUTCFullYear()
  const stretches = clock.years.get(year) ?? stretchesOfYear(clock, year)
  clock.last = stretches.find(({ toMs }) => ms < toMs) ?? stretches.at(-1)!
  return stretches
}

function stretchesOfYear({ zone, years }: Clock, year: number): readonly OffsetStretch[] {
  const stretches = offsetStretches(zone!, startOf(year) - 2 * reachMs, startOf(year + 1) + 2 * reachMs)
  if (years.size >= maxYears) years.clear()
  years.set(year, stretches)
  return stretches
}

function startOf(year: number): number {
  const start = new Date(0)
  return start.setUTCFullYear(year)
}

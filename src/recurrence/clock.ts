// The wall clock of a zone, as expansions ask it: once for each occurrence. Wall times count like UTC, in milliseconds from 1970.
import { dayMs } from '../shapes/durations.ts'
import { type OffsetStretch, offsetStretches } from '../shapes/zones.ts'

/**
 * Moments `[fromMs, toMs)` and wall times `[wallFromMs, wallToMs)` that count by one offset. A wall time that clocks skip counts by
 * the offset before the gap (RFC 5545, 3.3.5), and one that they show twice by the first, so each belongs to one stretch.
 * `leastMs`, `mostMs`: of this offset and the one before it.
 */
type Stretch = OffsetStretch & {
  readonly wallFromMs: number
  readonly wallToMs: number
  readonly leastMs: number
  readonly mostMs: number
}

/** `last`, `other`: where the last questions fell. The next one mostly falls there too. `years`: the stretches around each year. */
export type Clock = {
  readonly zone: string | undefined
  readonly years: Map<number, readonly Stretch[]>
  last: Stretch
  other: Stretch
}

/** Two days: local places differ from UTC by less than one, and no change of clocks moves them by more than one. */
const reachMs = 2 * dayMs

/** No clock is ahead of UTC by so much. */
export const maxAheadMs = dayMs

const zero = { offsetMs: 0, leastMs: 0, mostMs: 0 }
const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const always: Stretch = { ...zero, fromMs: least, toMs: most, wallFromMs: least, wallToMs: most }
const never: Stretch = { ...zero, fromMs: most, toMs: least, wallFromMs: most, wallToMs: least }
const utc: Clock = { zone: undefined, years: new Map(), last: always, other: always }

const clocks = new Map<string, Clock>()
const maxClocks = 1_000
const maxYears = 32

/** `zone` undefined: UTC. */
export function clockOf(zone: string | undefined): Clock {
  if (zone === undefined) return utc
  const known = clocks.get(zone)
  if (known) return known
  const clock: Clock = { zone, years: new Map(), last: never, other: never }
  if (clocks.size >= maxClocks) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

/** When the clock shows this time. Of times that are a day or more apart, the later one never gives an earlier moment. */
export function instantOf(clock: Clock, wallMs: number): number {
  const { wallFromMs, wallToMs, offsetMs } = clock.last
  return wallMs - (wallMs >= wallFromMs && wallMs < wallToMs ? offsetMs : stretchOfWall(clock, wallMs).offsetMs)
}

/** The wall clock at that moment. */
export const wallOf = (clock: Clock, ms: number): number => ms + stretchOf(clock, ms).offsetMs

/** No time before this one gives a moment at `ms` or later. */
export const earliestWall = (clock: Clock, ms: number): number => ms + stretchOf(clock, ms).leastMs

/** No time from this one on gives a moment before `ms`. */
export const latestWall = (clock: Clock, ms: number): number => ms + stretchOf(clock, ms).mostMs

function stretchOf(clock: Clock, ms: number): Stretch {
  const { last, other } = clock
  if (ms >= last.fromMs && ms < last.toMs) return last
  if (ms >= other.fromMs && ms < other.toMs) return turnTo(clock, other)
  return turnTo(clock, stretchesAround(clock, ms).find(({ toMs }) => ms < toMs)!)
}

function stretchOfWall(clock: Clock, wallMs: number): Stretch {
  const { other } = clock
  if (wallMs >= other.wallFromMs && wallMs < other.wallToMs) return turnTo(clock, other)
  return turnTo(clock, stretchesAround(clock, wallMs).find(({ wallToMs }) => wallMs < wallToMs)!)
}

function turnTo(clock: Clock, stretch: Stretch): Stretch {
  clock.other = clock.last
  clock.last = stretch
  return stretch
}

/** Of the year of `ms`, a moment or a wall time, with some days at both ends. */
function stretchesAround(clock: Clock, ms: number): readonly Stretch[] {
  const year = new Date(ms).getUTCFullYear()
  return clock.years.get(year) ?? stretchesOfYear(clock, year)
}

/** The changes of clocks beyond the ends are not known, so the outer stretches end where these do not count. */
function stretchesOfYear({ zone, years }: Clock, year: number): readonly Stretch[] {
  const [fromMs, toMs] = [startOf(year) - reachMs, startOf(year + 1) + reachMs]
  const all = offsetStretches(zone!, fromMs - reachMs, toMs + reachMs)
  const stretches = all.map((one, nth): Stretch => {
    const { offsetMs } = one
    const [before, after] = [(all[nth - 1] ?? one).offsetMs, (all[nth + 1] ?? one).offsetMs]
    return {
      offsetMs,
      fromMs: Math.max(one.fromMs, fromMs),
      toMs: Math.min(one.toMs, toMs),
      wallFromMs: Math.max(one.fromMs + Math.max(before, offsetMs), fromMs),
      wallToMs: Math.min(one.toMs + Math.max(offsetMs, after), toMs),
      leastMs: Math.min(before, offsetMs),
      mostMs: Math.max(before, offsetMs),
    }
  })
  if (years.size >= maxYears) years.clear()
  years.set(year, stretches)
  return stretches
}

function startOf(year: number): number {
  const start = new Date(0)
  return start.setUTCFullYear(year)
}

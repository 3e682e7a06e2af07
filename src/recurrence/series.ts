import { dayMs } from '../shapes/durations.ts'
import { latestMs } from './civil.ts'
import { type Clock, clockOf, instantOf, latestWall, maxAheadMs, wallOf } from './clock.ts'
import { type Grid, gridOf, slotDay, slotOfExisting, slotsBefore } from './grid.ts'
import type { Rule } from './rule.ts'

/**
 * A rule bound to its start, ready for any number of queries. All times are epoch ms. No occurrence starts after
 * `lastMs`, whether one starts there or not; `bounded` says whether that is the rule's own end or the year 9999;
 * `cancelled` is ascending. With `local`, the rule is expanded there, and `grid` and `timeOfDayMs` are not used.
 */
export type Series = {
  readonly grid: Grid
  readonly startMs: number
  readonly timeOfDayMs: number
  readonly lastMs: number
  readonly bounded: boolean
  readonly cancelled: readonly number[]
  readonly local: Local | undefined
}

/**
 * A rule by a wall clock, and dates beside it. `wall` has the rule's occurrences as the clock shows them, `startWallMs` the first;
 * those that count start at the moment `lastMs` or before. `added` is ascending.
 */
export type Local = {
  readonly clock: Clock
  readonly wall: Series
  readonly startWallMs: number
  readonly lastMs: number
  readonly added: readonly number[]
}

/**
 * The parts of a series besides its rule. `zone`: the clock by which it repeats, else UTC. `rdates`: further starts (epoch ms,
 * in any order). `skippedMs`: the distance of the rule's own time before the clock at the start, because clocks skipped it
 * there.
 */
export type Beside = { zone?: string | undefined; rdates?: readonly number[]; skippedMs?: number }

/**
 * The start must have passed `checkStart`. An occurrence that would end after the year 9999 does not exist: its end could not
 * be written. `cancelled` are starts of occurrences (epoch ms, in any order), which only `lastOccurrence` returns; repeated
 * values, and values at which no occurrence starts, change nothing.
 */
export function compileSeries(
  rule: Rule,
  start: Date,
  cancelled: readonly number[] = [],
  durationMs = 0,
  beside?: Beside,
): Series {
  const startMs = start.getTime()
  const lastMs = latestMs - durationMs
  const isPlain = beside === undefined || (beside.zone === undefined && !beside.rdates?.length)
  if (isPlain) return bound(rule, startMs, lastMs, ascending(cancelled), undefined)
  const { zone, rdates = [], skippedMs = 0 } = beside
  const clock = clockOf(zone)
  const startWallMs = wallOf(clock, startMs) - skippedMs
  const { end } = rule
  // A second of UTC is compared with moments, a date and a count with wall times.
  const isUtc = end.kind === 'until' && end.form === 'second'
  const lastOfRuleMs = isUtc ? Math.min(end.lastMs, lastMs) : lastMs
  const walked: Rule = isUtc ? { ...rule, end: { kind: 'never' } } : rule
  const wall = bound(walked, startWallMs, lastOfRuleMs + maxAheadMs, [], undefined)
  const { grid, timeOfDayMs } = wall
  const added =
    rdates.length === 0 ? rdates : ascending(rdates).filter((ms, nth, all) => ms !== all[nth - 1] && ms <= lastMs)
  const local = { clock, wall, startWallMs, lastMs: lastOfRuleMs, added }
  const bounded = end.kind !== 'never'
  return { grid, startMs, timeOfDayMs, lastMs, bounded, cancelled: ascending(cancelled), local }
}

function bound(
  rule: Rule,
  startMs: number,
  limitMs: number,
  cancelled: readonly number[],
  local: Local | undefined,
): Series {
  const startDay = Math.floor(startMs / dayMs) | 0
  const timeOfDayMs = startMs - startDay * dayMs
  const grid = gridOf(rule, startDay)
  let lastMs = limitMs
  if (rule.end.kind === 'until') lastMs = Math.min(lastMs, rule.end.lastMs)
  if (rule.end.kind === 'count') {
    const lastDay = slotDay(grid, slotOfExisting(grid, rule.end.count - 1))
    lastMs = Math.min(lastMs, lastDay * dayMs + timeOfDayMs)
  }
  return { grid, startMs, timeOfDayMs, lastMs, bounded: rule.end.kind !== 'never', cancelled, local }
}

/**
 * The last start (epoch ms) that the series has, cancelled or not: cancelling an occurrence does not shorten a series.
 * `undefined` if the rule has neither COUNT nor UNTIL.
 */
export function lastOccurrence(series: Series): number | undefined {
  const { bounded, startMs, lastMs, local } = series
  if (!bounded) return undefined
  if (!local) return lastStart(series, lastMs)
  return Math.max(lastLocalStart(series, local, local.lastMs + 1) ?? startMs, local.added.at(-1) ?? startMs)
}

/** The rule's last start at `untilMs` or before; the first one if there is no other. */
export function lastStart(series: Series, untilMs: number): number {
  for (let slot = slotsBefore(series.grid, dayFrom(series, untilMs + 1)) - 1; slot > 0; slot--) {
    const startMs = slotStart(series, slot)
    if (startMs <= untilMs) return startMs
  }
  return series.startMs
}

/** When the occurrence starts that the rule puts at this wall time. The first one starts where the series does. */
export const localStart = ({ startMs }: Series, { clock, startWallMs }: Local, wallMs: number): number =>
  wallMs === startWallMs ? startMs : instantOf(clock, wallMs)

/** The rule's last start before `beforeMs`. */
export function lastLocalStart(series: Series, local: Local, beforeMs: number): number | undefined {
  const { wall, startWallMs, clock, lastMs } = local
  const before = Math.min(beforeMs, lastMs + 1)
  for (let untilMs = Math.min(latestWall(clock, before), wall.lastMs); untilMs >= startWallMs; ) {
    const wallMs = lastStart(wall, untilMs)
    const ms = localStart(series, local, wallMs)
    if (ms < before) return ms
    untilMs = wallMs - 1
  }
  return undefined
}

/** The first day on which an occurrence, at the series' time of day, starts at `ms` or later. */
export function dayFrom(series: Series, ms: number): number {
  return Math.ceil((ms - series.timeOfDayMs) / dayMs) | 0
}

/** When the slot's occurrence starts (epoch ms), or NaN for a slot that does not exist. */
export function slotStart(series: Series, slot: number): number {
  return slotDay(series.grid, slot) * dayMs + series.timeOfDayMs
}

/** How many cancelled starts lie before `ms`. */
export const cancelledBefore = ({ cancelled }: Series, ms: number): number => placeIn(cancelled, ms)

export const isCancelled = ({ cancelled }: Series, ms: number): boolean =>
  cancelled.length > 0 && cancelled[placeIn(cancelled, ms)] === ms

/** How many of the ascending values lie before `ms`, by halving. */
export function placeIn(values: readonly number[], ms: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < ms) low = middle + 1
    else high = middle
  }
  return low
}

function ascending(values: readonly number[]): readonly number[] {
  for (let i = 1; i < values.length; i++) if (values[i - 1]! > values[i]!) return values.toSorted((a, b) => a - b)
  return values
}

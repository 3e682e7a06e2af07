import { dayMs } from '../shapes/durations.ts'
import { latestMs } from './civil.ts'
import { type Grid, gridOf, slotDay, slotOfExisting, slotsBefore } from './grid.ts'
import type { Rule } from './rule.ts'

/**
 * A rule bound to its start, ready for any number of queries. All times are epoch ms. No occurrence starts after
 * `lastMs`, whether one starts there or not; `bounded` says whether that is the rule's own end or the year 9999;
 * `cancelled` is ascending.
 */
export type Series = {
  readonly grid: Grid
  readonly startMs: number
  readonly timeOfDayMs: number
  readonly lastMs: number
  readonly bounded: boolean
  readonly cancelled: readonly number[]
}

/**
 * The start must have passed `checkStart`. An occurrence that would end after the year 9999 does not exist: its end could not
 * be written. `cancelled` are starts of occurrences (epoch ms, in any order), which only `lastOccurrence` returns; repeated
 * values, and values at which no occurrence starts, change nothing.
 */
export function compileSeries(rule: Rule, start: Date, cancelled: readonly number[] = [], durationMs = 0): Series {
  const startMs = start.getTime()
  const startDay = Math.floor(startMs / dayMs) | 0
  const timeOfDayMs = startMs - startDay * dayMs
  const grid = gridOf(rule, startDay)
  let lastMs = latestMs - durationMs
  if (rule.end.kind === 'until') lastMs = Math.min(lastMs, rule.end.lastMs)
  if (rule.end.kind === 'count') {
    const lastDay = slotDay(grid, slotOfExisting(grid, rule.end.count - 1))
    lastMs = Math.min(lastMs, lastDay * dayMs + timeOfDayMs)
  }
  return { grid, startMs, timeOfDayMs, lastMs, bounded: rule.end.kind !== 'never', cancelled: ascending(cancelled) }
}

/**
 * The last start (epoch ms) that the rule gives, cancelled or not: cancelling an occurrence does not shorten a series.
 * `undefined` if the rule has neither COUNT nor UNTIL.
 */
export function lastOccurrence(series: Series): number | undefined {
  if (!series.bounded) return undefined
  for (let slot = slotsBefore(series.grid, dayFrom(series, series.lastMs + 1)) - 1; slot > 0; slot--) {
    const startMs = slotStart(series, slot)
    if (startMs <= series.lastMs) return startMs
  }
  return series.startMs
}

/** The first day on which an occurrence, at the series' time of day, starts at `ms` or later. */
export function dayFrom(series: Series, ms: number): number {
  return Math.ceil((ms - series.timeOfDayMs) / dayMs) | 0
}

/** When the slot's occurrence starts (epoch ms), or NaN for a slot that does not exist. */
export function slotStart(series: Series, slot: number): number {
  return slotDay(series.grid, slot) * dayMs + series.timeOfDayMs
}

/** How many cancelled starts lie before `ms`, by halving. */
export function cancelledBefore({ cancelled }: Series, ms: number): number {
  let low = 0
  let high = cancelled.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (cancelled[middle]! < ms) low = middle + 1
    else high = middle
  }
  return low
}

function ascending(values: readonly number[]): readonly number[] {
  for (let i = 1; i < values.length; i++) if (values[i - 1]! > values[i]!) return values.toSorted((a, b) => a - b)
  return values
}

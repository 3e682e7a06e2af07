// The inner loop of every expansion: one slot after the other. Each kind of grid has its own, which steps by addition.
import { dayMs } from '../shapes/durations.ts'
import { quotient } from './civil.ts'
import { type DayGrid, dayInMonth, firstSlotFrom, type MonthGrid, slotsBefore } from './grid.ts'
import { cancelledBefore, dayFrom, type Series } from './series.ts'

/** `[from, to)` in epoch ms, and the slots `[first, end)`, some of which may start outside of it. */
type LiveWindow = { from: number; to: number; first: number; end: number }

/** The part of the window in which the series lives, and the slots that can lie in it. */
export function liveWindow(series: Series, fromMs: number, toMs: number): LiveWindow {
  const from = Math.max(fromMs, series.startMs)
  const to = Math.min(toMs, series.lastMs + 1)
  if (!(from < to)) return { from, to, first: 0, end: 0 }
  return {
    from,
    to,
    first: firstSlotFrom(series.grid, dayFrom(series, from)),
    end: slotsBefore(series.grid, dayFrom(series, to)),
  }
}

/** Ascending, at most `limit` of them. */
export function startsOfSlots(series: Series, window: LiveWindow, limit: number): number[] {
  const { grid } = series
  if (window.first >= window.end) return []
  return grid.kind === 'days' ? walkDays(series, grid, window, limit) : walkMonths(series, grid, window, limit)
}

function walkDays(series: Series, grid: DayGrid, window: LiveWindow, limit: number): number[] {
  const { anchorDay, periodDays, offsets, skipped } = grid
  const { first, end } = window
  const position = first + skipped
  const period = quotient(position, offsets.length)
  let index = position - period * offsets.length
  let periodMs = (anchorDay + period * periodDays) * dayMs + series.timeOfDayMs
  const sieve = sieveOf(series, window)
  const starts: number[] = []
  for (let slot = first; slot < end && starts.length < limit; slot++) {
    const startMs = periodMs + offsets[index]! * dayMs
    if (passes(sieve, startMs)) starts.push(startMs)
    if (++index < offsets.length) continue
    index = 0
    periodMs += periodDays * dayMs
  }
  return starts
}

function walkMonths(series: Series, grid: MonthGrid, window: LiveWindow, limit: number): number[] {
  const { on, anchorMonth, periodMonths } = grid
  const { first, end } = window
  const { timeOfDayMs } = series
  const sieve = sieveOf(series, window)
  const starts: number[] = []
  for (let slot = first; slot < end && starts.length < limit; slot++) {
    const startMs = dayInMonth(on, anchorMonth + slot * periodMonths) * dayMs + timeOfDayMs
    if (passes(sieve, startMs)) starts.push(startMs)
  }
  return starts
}

/** Lets starts in `[from, to)` through that are not cancelled. They come ascending; `behind` counts the cancelled ones that are earlier. */
type Sieve = { readonly from: number; readonly to: number; readonly cancelled: readonly number[]; behind: number }

export function sieveOf(series: Series, { from, to }: Pick<LiveWindow, 'from' | 'to'>): Sieve {
  return { from, to, cancelled: series.cancelled, behind: cancelledBefore(series, from) }
}

export function passes(sieve: Sieve, startMs: number): boolean {
  const { from, to, cancelled } = sieve
  if (!(startMs >= from && startMs < to)) return false
  while (sieve.behind < cancelled.length && cancelled[sieve.behind]! < startMs) sieve.behind++
  return sieve.behind === cancelled.length || cancelled[sieve.behind] !== startMs
}

// The free starts of a page, kept as runs: the first and the last start of each, one step apart within. There are about as many runs
// as openings and busy times, however short the slots are. Pure; times are epoch ms.
import { allowedFrom, barredStarts, type Rooms } from '../availability/dailyLimits.ts'
import { firstEndingAt, type Intervals, type Window } from '../availability/intervals.ts'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import { type Offer, pageOpenings } from './openings.ts'
import { lastStartOf, stepMsOf } from './slots.ts'
import { datesOf } from './times.ts'

/** `runs` is a flat list, ascending. */
export type FreeStarts = { runs: readonly number[]; stepMs: number; durationMs: number }

export const nothingFree: FreeStarts = { runs: [], stepMs: minuteMs, durationMs: minuteMs }

/**
 * The starts of slots that lie wholly in the window and are free. Slots may overlap: of two days without a break, or with an
 * interval of their own. `rooms`: what the days of the calendar have room for.
 */
export function freeStarts(offer: Offer, window: Window, busy: Intervals, rooms: Rooms = []): FreeStarts {
  const durationMs = offer.durationMinutes * minuteMs
  const stepMs = stepMsOf(offer)
  const runs: number[] = []
  let next = 0
  let latest = Number.NEGATIVE_INFINITY
  for (const opening of pageOpenings(offer, window)) {
    const { startMs, gridMs = startMs } = opening
    const onGrid = (ms: number) => gridMs + Math.ceil((Math.max(ms, startMs) - gridMs) / stepMs) * stepMs
    const lastStart = Math.min(lastStartOf(offer, opening, durationMs), window.toMs - durationMs)
    // Two openings overlap if clocks go back at the end of a day: no slot is offered twice.
    let start = onGrid(Math.max(window.fromMs, latest + 1))
    while (start <= lastStart) {
      while (next < busy.length && busy[next + 1]! <= start) next += 2
      const freeUntil = busy[next] ?? Number.POSITIVE_INFINITY
      const last = start + Math.floor((Math.min(lastStart, freeUntil - durationMs) - start) / stepMs) * stepMs
      if (last >= start) runs.push(start, last)
      latest = last >= start ? last : onGrid(Math.min(busy[next + 1]!, lastStart + 1)) - stepMs
      start = latest + stepMs
    }
  }
  return { runs: allowedRuns(runs, stepMs, barredStarts(rooms, durationMs)), stepMs, durationMs }
}

function allowedRuns(runs: readonly number[], stepMs: number, barred: Intervals): readonly number[] {
  if (barred.length === 0) return runs
  const allowed: number[] = []
  for (let at = 0; at < runs.length; at += 2) {
    const [first, last] = [runs[at]!, runs[at + 1]!]
    for (let start = first; start <= last; ) {
      const from = allowedFrom(barred, start)
      if (from > start) {
        start = first + Math.ceil((from - first) / stepMs) * stepMs
        continue
      }
      const next = barred[firstEndingAt(barred, start + 1)] ?? Number.POSITIVE_INFINITY
      const end = start + Math.floor((Math.min(last, next - 1) - start) / stepMs) * stepMs
      allowed.push(start, end)
      start = end + stepMs
    }
  }
  return allowed
}

/** All of them in order, or those from `fromMs` until `toMs`. */
export function* eachStart(
  { runs, stepMs }: FreeStarts,
  { fromMs, toMs }: Window = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY },
): Generator<number, void> {
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at]!
    const end = Math.min(runs[at + 1]! + 1, toMs)
    const skipped = Math.max(0, Math.ceil((fromMs - first) / stepMs))
    for (let start = first + skipped * stepMs; start < end; start += stepMs) yield start
  }
}

export function firstStarts(free: FreeStarts, count: number): number[] {
  const starts: number[] = []
  for (const start of eachStart(free)) {
    if (starts.length === count) break
    starts.push(start)
  }
  return starts
}

/** The slots as a flat list, like `Intervals`. */
export const slotsFrom = (starts: Iterable<number>, { durationMs }: FreeStarts): number[] =>
  [...starts].flatMap((start) => [start, start + durationMs])

export function isFree({ runs, stepMs }: FreeStarts, startMs: number): boolean {
  return runs.some(
    (first, at) => at % 2 === 0 && first <= startMs && startMs <= runs[at + 1]! && (startMs - first) % stepMs === 0,
  )
}

/** The local dates that have a free start, in order. */
export function freeDates({ runs, stepMs }: FreeStarts, zone: string, window: Window): number[] {
  // No local day is shorter than this, so none is passed over.
  const strideMs = Math.max(1, Math.floor((6 * hourMs) / stepMs)) * stepMs
  function* samples() {
    for (let at = 0; at < runs.length; at += 2) {
      for (let ms = runs[at]!; ms < runs[at + 1]!; ms += strideMs) yield ms
      yield runs[at + 1]!
    }
  }
  return [...new Set(datesOf(samples(), zone, window))]
}

export function startsOn(free: FreeStarts, date: number, zone: string): number[] {
  // No offset reaches further than a day.
  const around = { fromMs: date - dayMs, toMs: date + 2 * dayMs }
  const starts = [...eachStart(free, around)]
  const dates = [...datesOf(starts, zone, around)]
  return starts.filter((_, nth) => dates[nth] === date)
}

/** The `count` free starts closest to a time, in order. */
export function nearestStarts({ runs, stepMs }: FreeStarts, ms: number, count: number): number[] {
  const near: number[] = []
  for (let at = 0; at < runs.length; at += 2) {
    const [first, last] = [runs[at]!, runs[at + 1]!]
    const middle = first + Math.round((Math.min(Math.max(ms, first), last) - first) / stepMs) * stepMs
    const reachMs = count * stepMs
    for (let start = Math.max(first, middle - reachMs); start <= Math.min(last, middle + reachMs); start += stepMs) {
      near.push(start)
    }
  }
  return near
    .sort((a, b) => Math.abs(a - ms) - Math.abs(b - ms) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b)
}

/** At most this many slots are in one answer. */
const maxSlots = 2_000

/** The part of the window with the first starts, free or not, and where the next part begins if there is one. */
export function firstPart(offer: Offer, window: Window, max = maxSlots): { window: Window; nextMs?: number } {
  if (window.fromMs >= window.toMs) return { window }
  const possible = freeStarts(offer, window, [])
  const starts = firstStarts(possible, max + 1)
  const nextMs = starts[max]
  if (nextMs === undefined) return { window }
  return { window: { fromMs: window.fromMs, toMs: Math.max(starts[max - 1]! + possible.durationMs, nextMs) }, nextMs }
}

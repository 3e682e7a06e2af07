// Intervals of time as flat lists of epoch ms, `[start, end, start, end, …]`, half-open. They are plain numbers, because an
// answer may hold a hundred thousand of them.

export type Window = { readonly fromMs: number; readonly toMs: number }

/** Ascending, none empty, with a gap between any two. */
export type Intervals = readonly number[]

/** The union of `pieces` (pairs in any order, overlapping or not) inside the window. */
export function merged(pieces: readonly number[], { fromMs, toMs }: Window): Intervals {
  const { starts, ends } = sortedEdges(pieces)
  const union: number[] = []
  // Where as many pieces have ended as have started, none is open: there the n-th end closes the union.
  for (let opened = 0, first = 0; opened < starts.length; opened++) {
    if (opened + 1 < starts.length && starts[opened + 1]! <= ends[opened]!) continue
    const start = Math.max(starts[first]!, fromMs)
    const end = Math.min(ends[opened]!, toMs)
    if (start < end) union.push(start, end)
    first = opened + 1
  }
  return union
}

/** Starts and ends in separate lists, each in order: sorting numbers is several times as fast as sorting pairs. */
function sortedEdges(pieces: readonly number[]) {
  const count = pieces.length / 2
  const starts = new Float64Array(count)
  const ends = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    starts[i] = pieces[2 * i]!
    ends[i] = pieces[2 * i + 1]!
  }
  return { starts: starts.sort(), ends: ends.sort() }
}

/** Whether one of the intervals holds all of `[startMs, endMs)`. */
export function isWithin(intervals: Intervals, startMs: number, endMs: number): boolean {
  const at = firstEndingAt(intervals, endMs)
  return at < intervals.length && intervals[at]! <= startMs
}

/** Where the first interval stands that ends then or later. Binary search. */
export function firstEndingAt(intervals: Intervals, endMs: number): number {
  let low = 0
  let high = intervals.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (intervals[2 * middle + 1]! < endMs) low = middle + 1
    else high = middle
  }
  return 2 * low
}

/** The parts of the window that are not busy. `busy` lies inside the window. */
export function gaps(busy: Intervals, { fromMs, toMs }: Window): Intervals {
  const free: number[] = []
  let cursor = fromMs
  for (let i = 0; i < busy.length; i += 2) {
    if (busy[i]! > cursor) free.push(cursor, busy[i]!)
    cursor = busy[i + 1]!
  }
  if (cursor < toMs) free.push(cursor, toMs)
  return free
}

/** Slots of exactly `durationMs`, back to back from the start of each free interval. A shorter rest at its end is dropped. */
export function slotsWithin(free: Intervals, durationMs: number): number[] {
  const slots: number[] = []
  for (let i = 0; i < free.length; i += 2) {
    const lastStart = free[i + 1]! - durationMs
    for (let start = free[i]!; start <= lastStart; start += durationMs) slots.push(start, start + durationMs)
  }
  return slots
}

/** The parts before a moment. */
export const cutOff = (intervals: Intervals, endMs: number): Intervals =>
  intervals.filter((_, at) => intervals[at - (at % 2)]! < endMs).map((ms) => Math.min(ms, endMs))

/** The parts that lie in both. `others` ascend and may touch each other. */
export function overlap(intervals: Intervals, others: readonly number[]): Intervals {
  const common: number[] = []
  for (let i = 0, j = 0; i < intervals.length && j < others.length; ) {
    const startMs = Math.max(intervals[i]!, others[j]!)
    const endMs = Math.min(intervals[i + 1]!, others[j + 1]!)
    if (startMs < endMs) common.push(startMs, endMs)
    if (intervals[i + 1]! < others[j + 1]!) i += 2
    else j += 2
  }
  return common
}

// Stretches of time as flat lists of epoch ms, `[start, end, start, end, …]`, half-open: plain numbers, because an answer
// may be made of a hundred thousand of them.

export type Window = { readonly fromMs: number; readonly toMs: number }

/** Ascending, apart from each other (what touches is one), none empty. */
export type Intervals = readonly number[]

/** The union of `pieces` (pairs in any order, overlapping or not) inside the window. */
export function merged(pieces: readonly number[], { fromMs, toMs }: Window): Intervals {
  const { starts, ends } = sortedEdges(pieces)
  const union: number[] = []
  // As many starts as ends lie behind exactly where no piece is open, so the n-th end closes whatever began by then.
  for (let opened = 0, first = 0; opened < starts.length; opened++) {
    if (opened + 1 < starts.length && starts[opened + 1]! <= ends[opened]!) continue
    const start = Math.max(starts[first]!, fromMs)
    const end = Math.min(ends[opened]!, toMs)
    if (start < end) union.push(start, end)
    first = opened + 1
  }
  return union
}

/** Starts and ends apart, each in order: sorting numbers is several times as fast as sorting pairs. */
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

/** Whether one of the stretches holds all of `[startMs, endMs)`: by halving. */
export function isWithin(stretches: Intervals, startMs: number, endMs: number): boolean {
  let low = 0
  let high = stretches.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (stretches[2 * middle + 1]! < endMs) low = middle + 1
    else high = middle
  }
  return 2 * low < stretches.length && stretches[2 * low]! <= startMs
}

/** What the window has beside `taken`, which lies inside it. */
export function gaps(taken: Intervals, { fromMs, toMs }: Window): Intervals {
  const free: number[] = []
  let cursor = fromMs
  for (let i = 0; i < taken.length; i += 2) {
    if (taken[i]! > cursor) free.push(cursor, taken[i]!)
    cursor = taken[i + 1]!
  }
  if (cursor < toMs) free.push(cursor, toMs)
  return free
}

// When a group would fit instead: by how much all its times would have to move. Pure; times are epoch ms.
import type { Intervals } from '../availability/intervals.ts'

type WantedTime = {
  startMs: number
  endMs: number
  need: number
  /** The free time of each of its calendars. */
  free: readonly Intervals[]
}

/** A flat list of closed ranges. */
type Shifts = readonly number[]

const maxOffered = 5

/** The first times of the group itself, as a flat list: back to back in each range in which all requirements are met. */
export function groupTimes(
  wanted: readonly WantedTime[],
  [startMs, endMs]: readonly [number, number],
  untilMs: number,
): number[] {
  const ranges = wanted.map(shiftsOf).reduce(inBoth)
  const lengthMs = endMs - startMs
  const found: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const to = Math.min(ranges[i + 1]!, untilMs - endMs)
    for (let shift = Math.max(0, ranges[i]!); shift <= to; shift += lengthMs) {
      found.push(startMs + shift, endMs + shift)
      if (found.length === 2 * maxOffered) return found
    }
  }
  return found
}

/** By how much the time may move so that enough of its calendars are free. */
function shiftsOf({ startMs, endMs, need, free }: WantedTime): Shifts {
  const edges = free.flatMap((stretches) => {
    const own: [at: number, step: 1 | -1][] = []
    for (let i = 0; i < stretches.length; i += 2) {
      const [from, to] = [stretches[i]! - startMs, stretches[i + 1]! - endMs]
      if (from <= to) own.push([from, 1], [to, -1])
    }
    return own
  })
  // Ranges are closed: of edges at one place the beginnings go first.
  edges.sort(([a, aStep], [b, bStep]) => a - b || bStep - aStep)
  const ranges: number[] = []
  let count = 0
  for (const [at, step] of edges) {
    const before = count
    count += step
    if (before < need && count >= need) ranges.push(at)
    else if (before >= need && count < need) ranges.push(at)
  }
  return ranges
}

function inBoth(a: Shifts, b: Shifts): Shifts {
  const both: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [from, to] = [Math.max(a[i]!, b[j]!), Math.min(a[i + 1]!, b[j + 1]!)]
    if (from <= to) both.push(from, to)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return both
}

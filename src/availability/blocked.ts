// Pieces of busy time as maximal stretches of one set of causes: a sweep over their edges. Pure.
import type { Cause } from './causes.ts'
import type { Piece } from './explained.ts'

type Stretch = { readonly startMs: number; readonly endMs: number; readonly by: readonly Cause[] }

/** So many stretches, and so many causes in all of them together, are given at most. */
export const maxStretches = 2_000
export const maxNamed = 20_000

/** Ascending. Their union is that of the pieces, unless it is `truncated`: then the first ones are given. */
export function blockedBy(pieces: readonly Piece[]): { stretches: Stretch[]; truncated: boolean } {
  const byStart = pieces.toSorted((a, b) => a.startMs - b.startMs)
  const byEnd = pieces.toSorted((a, b) => a.endMs - b.endMs)
  const open = new Map<Cause, number>()
  const stretches: Stretch[] = []
  let [started, ended, named, sinceMs] = [0, 0, 0, 0]
  while (ended < byEnd.length) {
    const atMs = Math.min(byStart[started]?.startMs ?? Number.POSITIVE_INFINITY, byEnd[ended]!.endMs)
    const by = [...open.keys()]
    for (; byStart[started]?.startMs === atMs; started++) count(open, byStart[started]!.cause, 1)
    for (; byEnd[ended]?.endMs === atMs; ended++) count(open, byEnd[ended]!.cause, -1)
    // A cause that ends here and begins again, as hidden events that follow each other, changes nothing.
    if (open.size === by.length && by.every((cause) => open.has(cause))) continue
    if (by.length > 0) {
      named += by.length
      if (stretches.length === maxStretches || named > maxNamed) return { stretches, truncated: true }
      stretches.push({ startMs: sinceMs, endMs: atMs, by })
    }
    sinceMs = atMs
  }
  return { stretches, truncated: false }
}

/** Causes that are counted down to 0 are gone. */
function count(counts: Map<Cause, number>, cause: Cause, by: number): void {
  const counted = (counts.get(cause) ?? 0) + by
  if (counted === 0) counts.delete(cause)
  else counts.set(cause, counted)
}

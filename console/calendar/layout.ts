// Where the tiles of a day stand beside each other. Pure.

type Part = { from: number; to: number }

/** `lane` of `lanes`, counted from 0. */
export type Place = { lane: number; lanes: number }

export type Layout<S extends Part> = {
  placed: readonly (S & Place)[]
  /** Those for which there is no place, under one button where the first of them begins. */
  more: readonly (Place & { at: number; to: number; hidden: readonly S[] })[]
  /** How many stand beside each other at most. */
  widest: number
}

const sideBySide = 6
/** A tile is at least as high as a target for the finger, which is half an hour. */
const leastMinutes = 30

const endOf = ({ from, to }: Part) => Math.max(to, from + leastMinutes)

/** `parts` in the order of their starts. */
export function layOut<S extends Part>(parts: readonly S[]): Layout<S> {
  const layouts = clusters(parts).map(layOutCluster)
  return {
    placed: layouts.flatMap(({ placed }) => placed),
    more: layouts.flatMap(({ more }) => more),
    widest: Math.max(1, ...layouts.map(({ widest }) => widest)),
  }
}

/** Groups that do not touch each other. */
function clusters<S extends Part>(parts: readonly S[]): S[][] {
  const found: S[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const part of parts) {
    if (part.from >= end) found.push([part])
    else found.at(-1)!.push(part)
    end = Math.max(end, endOf(part))
  }
  return found
}

function layOutCluster<S extends Part>(parts: readonly S[]): Layout<S> {
  const ends: number[] = []
  const lanes = parts.map((part) => {
    const free = ends.findIndex((end) => end <= part.from)
    const lane = free >= 0 ? free : ends.length
    if (lane < sideBySide) ends[lane] = endOf(part)
    return lane
  })
  const hidden = parts.filter((_, nth) => lanes[nth]! >= sideBySide)
  const widest = ends.length + (hidden.length > 0 ? 1 : 0)
  return {
    placed: parts.flatMap((part, nth) =>
      lanes[nth]! < sideBySide ? [{ ...part, lane: lanes[nth]!, lanes: widest }] : [],
    ),
    more: gathered(hidden).map((hidden) => ({
      ...{ at: hidden[0]!.from, to: hidden[0]!.from + leastMinutes, hidden },
      ...{ lane: sideBySide, lanes: widest },
    })),
    widest,
  }
}

/** Those that begin while the button of the first one stands there. */
function gathered<S extends Part>(parts: readonly S[]): S[][] {
  const found: S[][] = []
  for (const part of parts) {
    const group = found.at(-1)
    if (group && part.from < group[0]!.from + leastMinutes) group.push(part)
    else found.push([part])
  }
  return found
}

// The conflicts of a time, and the next times that fit. Pure; times are epoch ms.
import { latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Cause } from './causes.ts'
import { allowedFrom } from './dailyLimits.ts'
import type { Piece } from './explained.ts'
import { type Intervals, isWithin } from './intervals.ts'

/** How far ahead of the asked start a free time is looked for: it ends within this. */
const lookAheadMs = 14 * dayMs

/** Until when a free time after this start is looked for; no time is written after the year 9999. */
export const lookAheadUntil = (startMs: number): number => Math.min(startMs + lookAheadMs, latestMs)

/** How many free times are offered. */
const maxOffered = 5
/** How many times are tried that must fit more than one stretch. */
const maxTried = 200

/** Times that are wanted, as a flat list: starts and ends ascend. */
export type Spans = readonly number[]

/**
 * The pieces that overlap one of the times, by where they do so first. Of those that begin together what holds the time
 * goes before its buffers, and these before the closed hours.
 */
export function conflictingPieces(pieces: readonly Piece[], spans: Spans): Piece[] {
  const met = pieces.flatMap((piece) => {
    const atMs = firstMeeting(piece, spans)
    return atMs === undefined ? [] : [{ piece, atMs }]
  })
  met.sort((a, b) => a.atMs - b.atMs || order[a.piece.cause.kind] - order[b.piece.cause.kind])
  return met.map(({ piece }) => piece)
}

const order: Record<Cause['kind'], number> = {
  event: 0,
  hold: 0,
  external: 0,
  busy: 0,
  buffer: 1,
  working_hours: 2,
  closed_date: 2,
  holiday: 2,
  time_off: 2,
  daily_limit: 3,
}

function firstMeeting({ startMs, endMs }: Piece, spans: Spans): number | undefined {
  let low = 0
  let high = spans.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[2 * middle + 1]! <= startMs) low = middle + 1
    else high = middle
  }
  const start = spans[2 * low]
  return start !== undefined && start < endMs ? Math.max(start, startMs) : undefined
}

/** Whether two events, each of one span, would be in each other's way on a calendar that keeps them so far apart. */
export const wouldMeet = ([aStart, aEnd]: Spans, [bStart, bEnd]: Spans, apartMs: number): boolean =>
  aStart! < bEnd! + apartMs && bStart! < aEnd! + apartMs

/** Each cause once, in the order of the pieces. */
export const causesOf = (pieces: readonly Piece[]): Cause[] => [...new Set(pieces.map(({ cause }) => cause))]

/**
 * The first free times of a length, as a flat list: back to back in each stretch of `free`. None starts within `barred`. `fits` may
 * ask for more than that the time itself is free.
 */
export function nextFree(
  free: Intervals,
  lengthMs: number,
  { barred = [], fits = () => true }: { barred?: Intervals; fits?: (startMs: number) => boolean } = {},
): number[] {
  const found: number[] = []
  let tried = 0
  for (let i = 0; i < free.length; i += 2) {
    for (
      let start = allowedFrom(barred, free[i]!);
      start + lengthMs <= free[i + 1]!;
      start = allowedFrom(barred, start + lengthMs)
    ) {
      if (++tried > maxTried) return found
      if (!fits(start)) continue
      found.push(start, start + lengthMs)
      if (found.length === 2 * maxOffered) return found
    }
  }
  return found
}

/** Whether each of the times lies in a stretch of `free`. */
export function areFree(free: Intervals, spans: Spans): boolean {
  for (let i = 0; i < spans.length; i += 2) if (!isWithin(free, spans[i]!, spans[i + 1]!)) return false
  return true
}

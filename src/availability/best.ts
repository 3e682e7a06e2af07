// The best of the times at which something of one length fits: candidates on a grid of wall-clock time, scored 0 to 100.
// Pure; times are epoch ms.
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'
import { allowedFrom } from './dailyLimits.ts'
import type { Intervals, Window } from './intervals.ts'

export const ranks = ['soonest', 'compact', 'spread'] as const

export type BestOrder = {
  count: number
  rank: (typeof ranks)[number]
  stepMinutes: number
  /** Minutes since local midnight; undefined: any time of day. */
  prefer: { from: number; to: number } | undefined
  zone: string
  /** No candidate starts within these. */
  barred?: Intervals
}

export type Candidate = { startMs: number; endMs: number; score: number; reasons: string[] }

/** A candidate in its free stretch. `prefers`: whether it lies in the preferred hours; undefined without preferred hours. */
type TimedCandidate = { startMs: number; endMs: number; fromMs: number; toMs: number; prefers: boolean | undefined }

const maxScore = 100
const outsidePrefer = 50
const touch = 50
/** Of `spread`: minutes to the nearer end that count. */
const farMinutes = 120

/** By score, then start; one that overlaps a chosen one is passed over. `free` lies inside the window. */
export function bestTimes(free: Intervals, window: Window, durationMs: number, order: BestOrder): Candidate[] {
  // Candidates come by their start, so each score has its candidates in order.
  const byScore: TimedCandidate[][] = Array.from({ length: maxScore + 1 }, () => [])
  for (const one of candidates(free, window, durationMs, order)) byScore[scoreOf(one, window, order)]!.push(one)
  const chosen: Candidate[] = []
  for (let score = maxScore; score >= 0; score--) {
    for (const one of byScore[score]!) {
      if (chosen.length === order.count) return chosen
      if (chosen.some(({ startMs, endMs }) => startMs < one.endMs && one.startMs < endMs)) continue
      chosen.push({ startMs: one.startMs, endMs: one.endMs, score, reasons: reasonsOf(one, window) })
    }
  }
  return chosen
}

/** Starts at multiples of the step from local midnight, in order. */
function* candidates(free: Intervals, window: Window, durationMs: number, order: BestOrder): Generator<TimedCandidate> {
  const stepMs = order.stepMinutes * minuteMs
  const inZone = offsetStretches(order.zone, window.fromMs, window.toMs)
  const isPreferred = order.prefer && hoursOf(inZone, order.prefer)
  const { barred = [] } = order
  let nth = 0
  for (let i = 0; i < free.length; i += 2) {
    const [fromMs, toMs] = [free[i]!, free[i + 1]!]
    while (inZone[nth]!.toMs <= fromMs) nth++
    for (let at = nth; at < inZone.length && inZone[at]!.fromMs < toMs; at++) {
      const { offsetMs } = inZone[at]!
      const earliest = Math.max(fromMs, inZone[at]!.fromMs)
      const before = Math.min(inZone[at]!.toMs, toMs - durationMs + 1)
      const first = Math.ceil((earliest + offsetMs) / stepMs) * stepMs - offsetMs
      for (let startMs = first; startMs < before; startMs += stepMs) {
        const endMs = startMs + durationMs
        if (barred.length > 0 && allowedFrom(barred, startMs) !== startMs) continue
        yield { startMs, endMs, fromMs, toMs, prefers: isPreferred?.(startMs, endMs) }
      }
    }
  }
}

/** Whether a time lies wholly inside the hours of one local day. */
function hoursOf(inZone: ReturnType<typeof offsetStretches>, { from, to }: { from: number; to: number }) {
  const wallOf = (ms: number) => ms + (inZone.find(({ toMs }) => ms < toMs) ?? inZone.at(-1)!).offsetMs
  return (startMs: number, endMs: number): boolean => {
    const start = wallOf(startMs)
    // The last moment inside: an end at a change of clocks is shown by the clock before it.
    const end = wallOf(endMs - 1) + 1
    const midnight = Math.floor(start / dayMs) * dayMs
    return start >= midnight + from * minuteMs && end <= midnight + to * minuteMs
  }
}

function scoreOf(one: TimedCandidate, window: Window, { rank }: BestOrder): number {
  return Math.max(0, rankScore(one, window, rank) - (one.prefers === false ? outsidePrefer : 0))
}

function rankScore(one: TimedCandidate, window: Window, rank: BestOrder['rank']): number {
  const { startMs, endMs, fromMs, toMs } = one
  switch (rank) {
    case 'soonest':
      return maxScore - Math.floor((maxScore * (startMs - window.fromMs)) / (window.toMs - window.fromMs))
    case 'compact':
      return (touchesBefore(one, window) ? touch : 0) + (touchesAfter(one, window) ? touch : 0)
    case 'spread': {
      const minutes = Math.min(startMs - fromMs, toMs - endMs) / minuteMs
      return Math.floor((maxScore * Math.min(farMinutes, minutes)) / farMinutes)
    }
  }
}

/** The window's own ends are not something that a candidate touches. */
const beginsAfter = ({ fromMs }: TimedCandidate, window: Window) => fromMs > window.fromMs
const endsBefore = ({ toMs }: TimedCandidate, window: Window) => toMs < window.toMs
const touchesBefore = (one: TimedCandidate, window: Window) => beginsAfter(one, window) && one.startMs === one.fromMs
const touchesAfter = (one: TimedCandidate, window: Window) => endsBefore(one, window) && one.endMs === one.toMs

function reasonsOf(one: TimedCandidate, window: Window): string[] {
  const reasons: string[] = []
  const before = Math.floor((one.startMs - one.fromMs) / minuteMs)
  const after = Math.floor((one.toMs - one.endMs) / minuteMs)
  if (touchesBefore(one, window)) reasons.push('touches_before')
  if (touchesAfter(one, window)) reasons.push('touches_after')
  if (one.prefers) reasons.push('in_preferred_hours')
  if (beginsAfter(one, window) && one.startMs > one.fromMs) reasons.push(`minutes_before:${before}`)
  if (endsBefore(one, window) && one.endMs < one.toMs) reasons.push(`minutes_after:${after}`)
  return reasons
}

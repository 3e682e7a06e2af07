// A rule cut before one of its occurrences: what comes before, and what goes on from there. Pure.
import { clockOf, instantOf, wallOf } from './clock.ts'
import { countBetween } from './expand.ts'
import { parseRule } from './grammar.ts'
import { type Beside, compileSeries, lastStart, type Series } from './series.ts'

type Cut = { before: string; after: string; skippedMs: number }

/** `at` is an occurrence of the rule itself, and not its first; undefined otherwise. Other parts stay as they are written. */
export function splitRule(text: string, start: Date, at: Date, beside: Beside = {}): Cut | undefined {
  const parsed = parseRule(text)
  if (!parsed.ok) return undefined
  const { rule } = parsed
  const { zone, skippedMs } = beside
  const series = compileSeries(rule, start, [], 0, { zone, ...(skippedMs !== undefined && { skippedMs }) })
  const atMs = at.getTime()
  if (atMs <= start.getTime() || countBetween(series, atMs, atMs + 1) === 0) return undefined
  const { earlier, dropped, skippedMs: nextSkippedMs } = placeOf(series, atMs)
  const count = rule.end.kind === 'count' ? rule.end.count : undefined
  const lastSecond = new Date(atMs - 1_000).toISOString().replace(/[-:]|\.\d+/g, '')
  const bare = text.replace(/;?UNTIL=[^;]*/, '')
  return {
    before: count === undefined ? `${bare};UNTIL=${lastSecond}` : text.replace(/COUNT=\d+/, `COUNT=${earlier}`),
    after: count === undefined ? text : text.replace(/COUNT=\d+/, `COUNT=${count - earlier - dropped}`),
    skippedMs: nextSkippedMs,
  }
}

/**
 * COUNT counts times on the clock, and several of them are one moment where clocks skip a day. `earlier`: how many come before the
 * moment; `dropped`: how many of those at the moment come before the last of them, with which the new series begins; `skippedMs`: by
 * how much that one lies before what the clock shows.
 */
function placeOf(series: Series, atMs: number): { earlier: number; dropped: number; skippedMs: number } {
  const { local } = series
  if (!local) return { earlier: countBetween(series, series.startMs, atMs), dropped: 0, skippedMs: 0 }
  const { wall, startWallMs, clock } = local
  const shownMs = wallOf(clock, atMs)
  const isThen = (wallMs: number) => wallMs > startWallMs && instantOf(clock, wallMs) === atMs
  const lastMs = lastStart(wall, Math.min(shownMs, wall.lastMs))
  let firstMs = lastMs
  for (let ms = lastStart(wall, lastMs - 1); isThen(ms); ms = lastStart(wall, ms - 1)) firstMs = ms
  return {
    earlier: countBetween(wall, startWallMs, firstMs),
    dropped: countBetween(wall, firstMs, lastMs),
    skippedMs: shownMs - lastMs,
  }
}

/** Moments that move with a series whose first start moves: by the same time on its clock. */
export function shifterOf(from: { at: Date; skippedMs: number }, to: Date, zone: string | undefined) {
  const clock = clockOf(zone)
  const byMs = wallOf(clock, to.getTime()) - wallOf(clock, from.at.getTime())
  return (moment: Date): Date => {
    if (byMs === 0) return moment
    if (moment.getTime() === from.at.getTime()) return to
    return new Date(instantOf(clock, wallOf(clock, moment.getTime()) + byMs))
  }
}

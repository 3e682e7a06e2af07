// A rule cut before one of its occurrences: what comes before, and what goes on from there. Pure.
import { dayMs } from '../shapes/durations.ts'
import { type Clock, clockOf, instantOf, wallOf } from './clock.ts'
import { countBetween } from './expand.ts'
import { parseRule } from './grammar.ts'
import { type Beside, compileSeries } from './series.ts'

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
  const earlier = countBetween(series, start.getTime(), atMs)
  const count = rule.end.kind === 'count' ? rule.end.count : undefined
  const lastSecond = new Date(atMs - 1_000).toISOString().replace(/[-:]|\.\d+/g, '')
  const bare = text.replace(/;?UNTIL=[^;]*/, '')
  return {
    before: count === undefined ? `${bare};UNTIL=${lastSecond}` : text.replace(/COUNT=\d+/, `COUNT=${earlier}`),
    after: count === undefined ? text : text.replace(/COUNT=\d+/, `COUNT=${count - earlier}`),
    skippedMs: skippedAt(clockOf(zone), series.local?.wall.timeOfDayMs, atMs),
  }
}

/** By how much the rule's time of day lies before what the clock shows. Half a day or more is no gap. */
function skippedAt(clock: Clock, timeOfDayMs: number | undefined, atMs: number): number {
  if (timeOfDayMs === undefined) return 0
  const wallMs = wallOf(clock, atMs)
  const laterMs = (((wallMs - timeOfDayMs) % dayMs) + dayMs) % dayMs
  return laterMs > 0 && laterMs < dayMs / 2 && instantOf(clock, wallMs - laterMs) === atMs ? laterMs : 0
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

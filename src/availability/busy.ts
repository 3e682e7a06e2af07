// From rows to taken time: events widened by the calendar's buffers, series by their occurrences, and what lies outside
// the working hours. Pure.
import { parseRule } from '../recurrence/grammar.ts'
import { busyIntervals } from '../recurrence/overlap.ts'
import { compileSeries } from '../recurrence/series.ts'
import { outsideHours } from './hours.ts'
import type { Intervals, Window } from './intervals.ts'

/** A series that can take time. `cancelled` holds ISO datetimes. */
export type BusySeries = { startMs: number; endMs: number; rule: string; cancelled: string[] }

/** Packed moments are eight bytes each: microseconds since 2000, as Postgres sends a timestamptz. */
export type BusyCalendar = {
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  /** JSON; null: no restriction. */
  workingHours: string | null
  timezone: string | null
  starts: Buffer | null
  ends: Buffer | null
  holdStarts: Buffer | null
  holdEnds: Buffer | null
  series: BusySeries[] | null
}

const minuteMs = 60_000
const year2000Ms = Date.UTC(2000, 0, 1)

/** Collects pieces of taken time, in any order and overlapping, for `merged`. Calendars with the same hours share them. */
export function openBusy(window: Window) {
  const hoursSeen = new Map<string, Intervals>()

  function closedHours(calendar: BusyCalendar): Intervals {
    if (calendar.workingHours === null) return []
    const zone = calendar.timezone ?? 'UTC'
    const key = `${zone} ${calendar.workingHours}`
    const known = hoursSeen.get(key) ?? outsideHours(JSON.parse(calendar.workingHours), zone, window)
    hoursSeen.set(key, known)
    return known
  }

  return function addBusy(pieces: number[], calendar: BusyCalendar): void {
    const beforeMs = calendar.bufferBeforeMinutes * minuteMs
    const afterMs = calendar.bufferAfterMinutes * minuteMs
    addPacked(pieces, calendar.starts, calendar.ends, beforeMs, afterMs)
    addPacked(pieces, calendar.holdStarts, calendar.holdEnds, beforeMs, afterMs)
    for (const series of calendar.series ?? []) addSeries(pieces, series, window, beforeMs, afterMs)
    const closed = closedHours(calendar)
    for (let i = 0; i < closed.length; i++) pieces.push(closed[i]!)
  }
}

function addPacked(pieces: number[], starts: Buffer | null, ends: Buffer | null, beforeMs: number, afterMs: number) {
  if (!starts || !ends) return
  for (let at = 0; at < starts.length; at += 8) {
    pieces.push(unpacked(starts, at) - beforeMs, unpacked(ends, at) + afterMs)
  }
}

const unpacked = (packed: Buffer, at: number): number =>
  Math.round((packed.readInt32BE(at) * 2 ** 32 + packed.readUInt32BE(at + 4)) / 1000) + year2000Ms

/** A widened occurrence meets the window where the occurrence, as long as both buffers more, meets the window moved on. */
function addSeries(pieces: number[], series: BusySeries, { fromMs, toMs }: Window, beforeMs: number, afterMs: number) {
  const parsed = parseRule(series.rule)
  if (!parsed.ok) throw new Error(`a stored recurrence rule cannot be read: ${parsed.reason}`)
  const cancelled = series.cancelled.map((start) => Date.parse(start))
  const compiled = compileSeries(parsed.rule, new Date(series.startMs), cancelled)
  const durationMs = series.endMs - series.startMs + beforeMs + afterMs
  for (const busy of busyIntervals(compiled, durationMs, { fromMs: fromMs + beforeMs, toMs: toMs + beforeMs })) {
    pieces.push(busy.startMs - beforeMs, busy.endMs - beforeMs)
  }
}

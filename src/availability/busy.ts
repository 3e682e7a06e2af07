// From rows to taken time: events widened by the calendar's buffers, series by their occurrences, and what lies outside
// the working hours. Pure.
import { parseRule } from '../recurrence/grammar.ts'
import { busyIntervals } from '../recurrence/overlap.ts'
import { compileSeries } from '../recurrence/series.ts'
import { outsideHours } from './hours.ts'
import { type Intervals, merged, type Window } from './intervals.ts'

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
  series: BusySeries[] | null
}

/** Merged, inside one window; agents by the identifiers that a reader knows. */
export type Taken = {
  agents: readonly string[]
  /** Of all calendars together: what is left over is free on each of them. */
  all: Intervals
  /** Of the one calendar that was asked about, if that was asked. */
  busy?: Intervals
  /** In the order of `agents`, if that was asked. */
  busyOfAgents?: readonly Intervals[]
}

const minuteMs = 60_000
const year2000Ms = Date.UTC(2000, 0, 1)

/** The taken time of calendars together, in one window. Those of the same hours share what these close. */
export function openBusy(window: Window) {
  const closedBy = new Map<string, Intervals>()

  function closedHours(hours: string, zone: string): Intervals {
    const key = `${zone} ${hours}`
    const closed = closedBy.get(key) ?? outsideHours(JSON.parse(hours), zone, window)
    closedBy.set(key, closed)
    return closed
  }

  return function busyOf(calendars: readonly BusyCalendar[]): Intervals {
    const pieces: number[] = []
    const closed = new Set<Intervals>()
    for (const calendar of calendars) {
      addEvents(pieces, calendar, window)
      if (calendar.workingHours !== null) closed.add(closedHours(calendar.workingHours, calendar.timezone ?? 'UTC'))
    }
    for (const hours of closed) for (let i = 0; i < hours.length; i++) pieces.push(hours[i]!)
    return merged(pieces, window)
  }
}

function addEvents(pieces: number[], calendar: BusyCalendar, window: Window): void {
  const beforeMs = calendar.bufferBeforeMinutes * minuteMs
  const afterMs = calendar.bufferAfterMinutes * minuteMs
  const { starts, ends, series } = calendar
  if (starts && ends) {
    for (let at = 0; at < starts.length; at += 8) {
      pieces.push(unpacked(starts, at) - beforeMs, unpacked(ends, at) + afterMs)
    }
  }
  for (const one of series ?? []) addSeries(pieces, one, window, beforeMs, afterMs)
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

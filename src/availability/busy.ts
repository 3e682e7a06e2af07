// Makes busy time of rows: events widened by the calendar's buffers, the occurrences of series, and the time outside the
// working hours. Pure.
import { busyIntervals } from '../recurrence/overlap.ts'
import { storedSeries } from '../recurrence/stored.ts'
import { minuteMs } from '../shapes/durations.ts'
import { outsideHours } from './hours.ts'
import { type Intervals, isWithin, merged, type Window } from './intervals.ts'

/**
 * A calendar and its events. Lists of times are packed as Postgres sends a timestamptz: eight bytes each, microseconds
 * since 2000. An empty list is null.
 */
export type BusyCalendar = {
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  /** JSON; null: no restriction. */
  workingHours: string | null
  timezone: string | null
  /** Single events, and the first occurrence of each series, even if that is cancelled. */
  starts: Buffer | null
  ends: Buffer | null
  /** Series, holds and events that began long ago: the n-th of each of these four lists belong to one event. */
  apartStarts: Buffer | null
  apartEnds: Buffer | null
  /** Null for an event that happens once. */
  rules: readonly (string | null)[] | null
  /** ISO datetimes. */
  cancelled: readonly (readonly string[])[] | null
}

/** The busy time of calendars inside one window. */
export type BusyTime = {
  /** Public identifiers. */
  agents: readonly string[]
  /** Of all calendars together. The rest of the window is free on each of them. */
  all: Intervals
  /** Of the one calendar that was asked about, if its busy time was asked for. */
  own?: Intervals
  /** In the order of `agents`, if their busy time was asked for. */
  ofAgents?: readonly Intervals[]
}

const year2000Ms = Date.UTC(2000, 0, 1)

/** The busy time of calendars together, in one window. Calendars with the same hours share the time that these close. */
export function openBusy(window: Window) {
  // Two levels, because the text of the hours is long: joining it with the zone for every look-up would cost more.
  const closedBy = new Map<string, Map<string, Intervals>>()

  function closedHours(hours: string, zone: string): Intervals {
    const byZone = closedBy.get(hours) ?? new Map<string, Intervals>()
    closedBy.set(hours, byZone)
    const closed = byZone.get(zone) ?? outsideHours(JSON.parse(hours), zone, window)
    byZone.set(zone, closed)
    return closed
  }

  return function busyOf(calendars: readonly BusyCalendar[]): Intervals {
    const closed = new Set<Intervals>()
    for (const { workingHours, timezone } of calendars) {
      if (workingHours !== null) closed.add(closedHours(workingHours, timezone ?? 'UTC'))
    }
    const shut = merged([...closed].flat(), window)
    const pieces = { window, shut, list: [...shut] }
    for (const calendar of calendars) addCalendar(pieces, calendar)
    return merged(pieces.list, window)
  }
}

/** Pieces of busy time inside the window, in pairs. Pieces within `shut` are left out, because sorting them costs more. */
type Pieces = { readonly window: Window; readonly shut: Intervals; readonly list: number[] }

function addPiece({ window, shut, list }: Pieces, startMs: number, endMs: number): void {
  const start = Math.max(startMs, window.fromMs)
  const end = Math.min(endMs, window.toMs)
  if (start < end && !isWithin(shut, start, end)) list.push(start, end)
}

/** Start and end of one occurrence, epoch ms. */
type Span = readonly [startMs: number, endMs: number]

function addCalendar(pieces: Pieces, calendar: BusyCalendar): void {
  const beforeMs = calendar.bufferBeforeMinutes * minuteMs
  const afterMs = calendar.bufferAfterMinutes * minuteMs
  const missing = addApart(pieces, calendar, beforeMs, afterMs)
  const { starts, ends } = calendar
  for (let nth = 0; starts && ends && nth < starts.length / momentBytes; nth++) {
    const startMs = momentAt(starts, nth)
    const endMs = momentAt(ends, nth)
    if (missing.length > 0 && takeOut(missing, startMs, endMs)) continue
    addPiece(pieces, startMs - beforeMs, endMs + afterMs)
  }
}

/** Returns the first occurrences that are cancelled. */
function addApart(pieces: Pieces, calendar: BusyCalendar, beforeMs: number, afterMs: number): Span[] {
  // A widened occurrence overlaps the window exactly if the occurrence itself overlaps this range.
  const reach = { fromMs: pieces.window.fromMs - afterMs, toMs: pieces.window.toMs + beforeMs }
  const { apartStarts, apartEnds, rules, cancelled } = calendar
  const missing: Span[] = []
  for (let nth = 0; rules && nth < rules.length; nth++) {
    const startMs = momentAt(apartStarts!, nth)
    const endMs = momentAt(apartEnds!, nth)
    const rule = rules[nth] ?? null
    if (rule === null) {
      addPiece(pieces, startMs - beforeMs, endMs + afterMs)
      continue
    }
    const cancelledMs = cancelled![nth]!.map((start) => Date.parse(start))
    if (cancelledMs.includes(startMs)) missing.push([startMs, endMs])
    const busy = busyIntervals(storedSeries(rule, startMs, endMs, cancelledMs), endMs - startMs, reach)
    for (let i = 0; i < busy.length; i += 2) addPiece(pieces, busy[i]! - beforeMs, busy[i + 1]! + afterMs)
  }
  return missing
}

/** Each entry of `missing` takes out one event only: another event may have the same times. */
function takeOut(missing: Span[], startMs: number, endMs: number): boolean {
  const at = missing.findIndex(([start, end]) => start === startMs && end === endMs)
  if (at >= 0) missing.splice(at, 1)
  return at >= 0
}

const momentBytes = 8

/** Epoch ms. */
function momentAt(packed: Buffer, nth: number): number {
  const micros = packed.readInt32BE(nth * momentBytes) * 2 ** 32 + packed.readUInt32BE(nth * momentBytes + 4)
  return Math.round(micros / 1000) + year2000Ms
}

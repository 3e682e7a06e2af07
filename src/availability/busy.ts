// From rows to taken time: events widened by the calendar's buffers, series by their occurrences, and what lies outside
// the working hours. Pure.
import { busyIntervals } from '../recurrence/overlap.ts'
import { storedSeries } from '../recurrence/stored.ts'
import { minuteMs } from '../shapes/durations.ts'
import { outsideHours } from './hours.ts'
import { type Intervals, isWithin, merged, type Window } from './intervals.ts'

/**
 * Lists of moments are packed: eight bytes each, microseconds since 2000, as Postgres sends a timestamptz. All of them are
 * null where there is none.
 */
export type BusyCalendar = {
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  /** JSON; null: no restriction. */
  workingHours: string | null
  timezone: string | null
  /** Single events, and series by the first of their occurrences, whether that is cancelled or not. */
  starts: Buffer | null
  ends: Buffer | null
  /** Series, holds and what began long ago: the n-th start, end, rule and list of cancelled starts belong to one. */
  apartStarts: Buffer | null
  apartEnds: Buffer | null
  /** Null for what happens once. */
  rules: readonly (string | null)[] | null
  /** ISO datetimes. */
  cancelled: readonly (readonly string[])[] | null
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

const year2000Ms = Date.UTC(2000, 0, 1)

/** The taken time of calendars together, in one window. Those of the same hours share what these close. */
export function openBusy(window: Window) {
  // By the hours alone first: their text is long, and a key made of both would have to be put together each time.
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

/** Taken time inside the window, in pairs, piece by piece. What lies within `shut` is left out: to sort it costs more. */
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
    if (missing.length > 0 && isTakenOut(missing, startMs, endMs)) continue
    addPiece(pieces, startMs - beforeMs, endMs + afterMs)
  }
}

/** Returns the first occurrences of series that are cancelled. */
function addApart(pieces: Pieces, calendar: BusyCalendar, beforeMs: number, afterMs: number): Span[] {
  // A widened occurrence meets the window where the occurrence itself meets this one.
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

/** Takes the event, if it is one of them, out of `missing` as well: another one may be at the same time. */
function isTakenOut(missing: Span[], startMs: number, endMs: number): boolean {
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

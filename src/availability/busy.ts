// Makes busy time of rows: events widened by the calendar's buffers, the occurrences of series, and the time outside the
// working hours. Pure.
import { busyIntervals } from '../recurrence/overlap.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { outsideHours } from './hours.ts'
import { type Intervals, isWithin, merged, type Window } from './intervals.ts'
import { type TimedCalendar, takeExternal, takeTimes } from './times.ts'

/** A calendar with its events and its rules. */
export type BusyCalendar = TimedCalendar & {
  /** The calendar's owner. */
  agentId: Uuid | null
  /** JSON; null: no restriction. */
  workingHours: string | null
  timezone: string | null
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

/** The time that working hours close in one window. Calendars with the same hours share it. */
export function openHours(window: Window): (calendar: BusyCalendar) => Intervals | undefined {
  // Two levels, because the text of the hours is long: joining it with the zone for every look-up would cost more.
  const closedBy = new Map<string, Map<string, Intervals>>()

  return ({ workingHours, timezone }) => {
    if (workingHours === null) return undefined
    const zone = timezone ?? 'UTC'
    const byZone = closedBy.get(workingHours) ?? new Map<string, Intervals>()
    closedBy.set(workingHours, byZone)
    const closed = byZone.get(zone) ?? outsideHours(JSON.parse(workingHours), zone, window)
    byZone.set(zone, closed)
    return closed
  }
}

/** The busy time of calendars together, in one window. */
export function openBusy(window: Window) {
  const closedHours = openHours(window)

  return function busyOf(calendars: readonly BusyCalendar[]): Intervals {
    const closed = new Set<Intervals>()
    for (const calendar of calendars) {
      const hours = closedHours(calendar)
      if (hours) closed.add(hours)
    }
    const shut = merged([...closed].flat(), window)
    const pieces = { window, shut, list: [...shut] }
    for (const calendar of calendars) addCalendar(pieces, calendar)
    takeExternal(calendars, window, (startMs, endMs, { beforeMs, afterMs }) =>
      addPiece(pieces, startMs - beforeMs, endMs + afterMs),
    )
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

function addCalendar(pieces: Pieces, calendar: BusyCalendar): void {
  const beforeMs = calendar.bufferBeforeMinutes * minuteMs
  const afterMs = calendar.bufferAfterMinutes * minuteMs
  takeTimes(calendar, pieces.window, {
    single: (startMs, endMs) => addPiece(pieces, startMs - beforeMs, endMs + afterMs),
    series(series, durationMs, reach) {
      const busy = busyIntervals(series, durationMs, reach)
      for (let i = 0; i < busy.length; i += 2) addPiece(pieces, busy[i]! - beforeMs, busy[i + 1]! + afterMs)
    },
  })
}

// Makes busy time of rows: events widened by the calendar's buffers, the occurrences of series, and the time that the rules
// close. Pure.
import { busyIntervals } from '../recurrence/overlap.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Closing, type ClosingRules, closings } from './closings.ts'
import { type DailyLoad, dailyLoad, fullDays, type Rooms, roomsOf } from './dailyLimits.ts'
import { outsideHours } from './hours.ts'
import { type Intervals, isWithin, merged, type Window } from './intervals.ts'
import type { MoreRules } from './moreRules.ts'
import { type TimedCalendar, takeExternal, takeTimes } from './times.ts'

/** A calendar with its events and its rules. */
export type BusyCalendar = TimedCalendar & {
  /** The calendar's owner. */
  agentId: Uuid | null
  /** JSON; null: no restriction. */
  workingHours: string | null
  timezone: string | null
  /** Further rules, if it has any. */
  more?: MoreRules | null
  /** The days that are holidays by its rules, by their numbers since 1970. */
  holidays?: readonly number[]
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
  /** How much time the days have left, of calendars with a limit of busy minutes. */
  rooms?: Rooms
}

/** The time that the rules of a calendar close in one window. */
export type Closed = {
  times: Intervals
  /** By reason; undefined: all of it lies outside the working hours. */
  reasons?: readonly Closing[]
}

/** The time that rules close in one window. Calendars that have the same hours and nothing else share it. */
export function openClosed(window: Window): (calendar: Ruled) => Closed | undefined {
  // Two levels, because the text of the hours is long: joining it with the zone for every look-up would cost more.
  const closedBy = new Map<string, Map<string, Closed>>()

  return (calendar) => {
    const { workingHours, timezone } = calendar
    const zone = timezone ?? 'UTC'
    if (closesMore(calendar)) {
      const reasons = closings(closingRulesOf(calendar, zone), window)
      return {
        times: merged(
          reasons.flatMap(({ startMs, endMs }) => [startMs, endMs]),
          window,
        ),
        reasons,
      }
    }
    if (workingHours === null) return undefined
    const byZone = closedBy.get(workingHours) ?? new Map<string, Closed>()
    closedBy.set(workingHours, byZone)
    const closed = byZone.get(zone) ?? { times: outsideHours(JSON.parse(workingHours), zone, window) }
    byZone.set(zone, closed)
    return closed
  }
}

type Ruled = Pick<BusyCalendar, 'workingHours' | 'timezone' | 'more' | 'holidays'>

const closesMore = ({ more, holidays }: Ruled): boolean =>
  more?.dates !== undefined || more?.time_off !== undefined || (holidays !== undefined && holidays.length > 0)

const closingRulesOf = ({ workingHours, more, holidays }: Ruled, zone: string): ClosingRules => ({
  workingHours: workingHours === null ? null : JSON.parse(workingHours),
  zone,
  dates: more?.dates,
  timeOff: more?.time_off,
  holidays,
})

/** How much is on each day, of a calendar that has daily limits. */
export function dailyLoadOf(calendar: BusyCalendar, window: Window): DailyLoad | undefined {
  const { max_meetings_per_day: meetings, max_busy_minutes_per_day: busyMinutes } = calendar.more ?? {}
  if (meetings === undefined && busyMinutes === undefined) return undefined
  return dailyLoad(calendar, { zone: calendar.timezone ?? 'UTC', meetings, busyMinutes }, window)
}

/** The busy time of calendars together, in one window. `rooms`: of the calendars that were asked about so far. */
export function openBusy(window: Window) {
  const closedBy = openClosed(window)
  const rooms: number[] = []

  function busyOf(calendars: readonly BusyCalendar[]): Intervals {
    const closed = new Set<Intervals>()
    for (const calendar of calendars) {
      const rules = closedBy(calendar)
      if (rules) closed.add(rules.times)
      const load = dailyLoadOf(calendar, window)
      if (!load) continue
      closed.add(fullDays(load).flatMap(({ startMs, endMs }) => [startMs, endMs]))
      rooms.push(...roomsOf(load))
    }
    const shut = merged([...closed].flat(), window)
    const pieces = { window, shut, list: [...shut] }
    for (const calendar of calendars) addCalendar(pieces, calendar)
    takeExternal(calendars, window, (startMs, endMs, { beforeMs, afterMs }) =>
      addPiece(pieces, startMs - beforeMs, endMs + afterMs),
    )
    return merged(pieces.list, window)
  }

  return { busyOf, rooms: rooms as Rooms }
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

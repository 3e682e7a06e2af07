// Free time for a person: the stretches themselves, and slots that begin at quarter hours and lie within the day. Without any,
// the next free time.
import type { App } from '../app.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { barredStarts, type Rooms } from './dailyLimits.ts'
import { findBusy, type Subject } from './findSlots.ts'
import { openings, weekdays } from './hours.ts'
import { gaps, type Intervals, overlap, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentFreshness } from './present.ts'
import { quarterSlots } from './quarterSlots.ts'
import type { FreeQuery } from './schema.ts'

/** How far behind the window a next slot is looked for. */
const lookAheadDays = 14

/** Flat lists of epoch ms. Where the answer is not complete, nothing is free. */
export type FreeTimes = {
  answer: Pick<AvailabilityAnswer, 'availability_state' | 'warnings'>
  /** Busy time of the calendar, or of each agent, if it was asked for. */
  busy: Intervals | undefined
  busyOfAgents: Map<string, Intervals> | undefined
  /** At least as long as a slot. */
  free: Intervals
  slots: Intervals
  hasMoreSlots: boolean
  /** Looked for where no slot was found. */
  next: Intervals
}

/** `rangeDays`: how far the plan lets a query reach. */
export async function findFree(app: App, subject: Subject, query: FreeQuery, rangeDays: number): Promise<FreeTimes> {
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const lengthMs = query.duration_minutes * minuteMs
  const { busy: time, freshness } = await findBusy(app, subject, window, query.include_busy)
  const isComplete = freshness.state === 'complete'
  const free = isComplete ? gaps(time.all, window) : []
  const slots = slotsOf(free, time.rooms, query, window, query.limit + 1)
  const next = slots.length > 0 || !isComplete ? [] : await nextSlot(app, subject, query, rangeDays)
  return {
    answer: presentFreshness(freshness),
    busy: time.own,
    busyOfAgents: time.ofAgents && new Map(time.agents.map((agent, nth) => [agent, time.ofAgents![nth]!])),
    free: free.filter((_, at) => free[at - (at % 2) + 1]! - free[at - (at % 2)]! >= lengthMs),
    slots: slots.slice(0, 2 * query.limit),
    hasMoreSlots: slots.length > 2 * query.limit,
    next,
  }
}

function slotsOf(free: Intervals, rooms: Rooms = [], query: FreeQuery, window: Window, limit: number): Intervals {
  const { timezone, day_start, day_end, duration_minutes } = query
  const isWholeDay = day_start === undefined && day_end === undefined
  const open = isWholeDay ? free : overlap(free, daytime({ start: day_start, end: day_end }, timezone, window))
  const lengthMs = duration_minutes * minuteMs
  return quarterSlots(open, lengthMs, timezone, { limit, barred: barredStarts(rooms, lengthMs) })
}

/** The part of each local day; without an end it lasts to midnight. */
function daytime(day: { start: string | undefined; end: string | undefined }, zone: string, window: Window): Intervals {
  const hours = { start: day.start ?? '00:00', end: day.end ?? '24:00' }
  const week = Object.fromEntries(weekdays.map((weekday) => [weekday, hours]))
  return openings(week, zone, window).flatMap(({ startMs, endMs }) => (startMs < endMs ? [startMs, endMs] : []))
}

async function nextSlot(app: App, subject: Subject, query: FreeQuery, rangeDays: number): Promise<Intervals> {
  const fromMs = query.end.getTime()
  const toMs = Math.min(fromMs + lookAheadDays * dayMs, query.start.getTime() + rangeDays * dayMs)
  if (toMs <= fromMs) return []
  const window = { fromMs, toMs }
  const { busy, freshness } = await findBusy(app, subject, window, false)
  return freshness.state === 'complete' ? slotsOf(gaps(busy.all, window), busy.rooms, query, window, 1) : []
}

// How much of each local day a calendar's own events take, and whether the daily limits of its rules leave room for more. Buffers,
// other calendars and people's own calendars do not count. Pure; times are epoch ms.
import { occurrencesBetween } from '../recurrence/expand.ts'
import { busyIntervals } from '../recurrence/overlap.ts'
import { minuteMs } from '../shapes/durations.ts'
import { firstEndingAt, type Intervals, merged, type Window } from './intervals.ts'
import { type LocalDay, localDays } from './localDays.ts'
import { type TimedCalendar, takeTimes } from './times.ts'

/** Of one calendar. Undefined: no limit. */
type DailyLimits = { zone: string; meetings: number | undefined; busyMinutes: number | undefined }

export const limitKinds = ['meetings', 'busy_minutes'] as const
export type LimitKind = (typeof limitKinds)[number]

/** `starts`: how many events start on it. `busyMs`: how much of it they take together. */
type LoadedDay = LocalDay & { starts: number; busyMs: number }

/** The whole local days that overlap a window, with what is on them. */
export type DailyLoad = { limits: DailyLimits; days: readonly LoadedDay[]; busy: Intervals }

export function dailyLoad(calendar: TimedCalendar, limits: DailyLimits, window: Window): DailyLoad {
  const days = localDays(limits.zone, window)
  const whole = wholeOf(days, window)
  const starts: number[] = []
  const pieces: number[] = []
  takeTimes({ ...calendar, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 }, whole, {
    countsOnce: true,
    single(startMs, endMs) {
      starts.push(startMs)
      pieces.push(startMs, endMs)
    },
    series(series, durationMs) {
      starts.push(...occurrencesBetween(series, whole.fromMs, whole.toMs))
      pieces.push(...busyIntervals(series, durationMs, whole))
    },
  })
  const busy = merged(pieces, whole)
  const counted = startsByDay(starts, days)
  return { limits, busy, days: days.map((day, nth) => ({ ...day, starts: counted[nth]!, busyMs: takenOf(busy, day) })) }
}

const wholeOf = (days: readonly LocalDay[], window: Window): Window => ({
  fromMs: days[0]?.startMs ?? window.fromMs,
  toMs: days.at(-1)?.endMs ?? window.toMs,
})

/** How many of the moments, in any order, lie in each of the days. */
function startsByDay(moments: readonly number[], days: readonly LocalDay[]): number[] {
  const counts = days.map(() => 0)
  let nth = 0
  for (const ms of moments.toSorted((a, b) => a - b)) {
    while (nth < days.length && days[nth]!.endMs <= ms) nth++
    if (nth < days.length && days[nth]!.startMs <= ms) counts[nth]!++
  }
  return counts
}

function takenOf(busy: Intervals, { startMs, endMs }: LocalDay): number {
  let taken = 0
  for (let i = firstEndingAt(busy, startMs); i < busy.length && busy[i]! < endMs; i += 2)
    taken += Math.max(0, Math.min(busy[i + 1]!, endMs) - Math.max(busy[i]!, startMs))
  return taken
}

export type LimitedDay = LocalDay & { limit: LimitKind }

/** The days that a limit closes: it is reached. A day may be closed by both. */
export const fullDays = (load: DailyLoad): LimitedDay[] =>
  load.days.flatMap((day) => limitsMet(day, load.limits, (value, max) => value >= max))

/** The days that would get beyond a limit with these times, a flat list of starts and ends. Full days are left out. */
export function daysBeyond(load: DailyLoad, spans: readonly number[]): LimitedDay[] {
  const { limits, days, busy } = load
  const all = merged([...busy, ...spans], wholeOf(days, { fromMs: 0, toMs: 0 }))
  const added = startsByDay(
    spans.filter((_, i) => i % 2 === 0),
    days,
  )
  return days.flatMap((day, nth) => {
    const after = { ...day, starts: day.starts + added[nth]!, busyMs: takenOf(all, day) }
    const full = new Set(limitsMet(day, limits, (value, max) => value >= max).map(({ limit }) => limit))
    return limitsMet(after, limits, (value, max) => value > max).filter(({ limit }) => !full.has(limit))
  })
}

function limitsMet(
  { day, startMs, endMs, starts, busyMs }: LoadedDay,
  { meetings, busyMinutes }: DailyLimits,
  isMet: (value: number, max: number) => boolean,
): LimitedDay[] {
  const met: LimitedDay[] = []
  if (meetings !== undefined && isMet(starts, meetings)) met.push({ day, startMs, endMs, limit: 'meetings' })
  if (busyMinutes !== undefined && isMet(busyMs, busyMinutes * minuteMs))
    met.push({ day, startMs, endMs, limit: 'busy_minutes' })
  return met
}

/** Days on which a calendar may be busy for some more time: start, end and the time, one after another. */
export type Rooms = readonly number[]

export const roomsOf = ({ limits: { busyMinutes }, days }: DailyLoad): Rooms =>
  busyMinutes === undefined
    ? []
    : days.flatMap(({ startMs, endMs, busyMs }) => [startMs, endMs, Math.max(0, busyMinutes * minuteMs - busyMs)])

/**
 * The starts at which something of this length would bring a day beyond its limit, if its time is free: more of it would lie on
 * that day than there is room for.
 */
export function barredStarts(rooms: Rooms, lengthMs: number): Intervals {
  const barred: number[] = []
  for (let i = 0; i < rooms.length; i += 3) {
    const [startMs, endMs, roomMs] = [rooms[i]!, rooms[i + 1]!, rooms[i + 2]!]
    if (Math.min(lengthMs, endMs - startMs) > roomMs) barred.push(startMs - lengthMs + roomMs + 1, endMs - roomMs)
  }
  return barred.length === 0
    ? barred
    : merged(barred, { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY })
}

/** The first start from `ms` on that is not barred. */
export function allowedFrom(barred: Intervals, ms: number): number {
  const at = firstEndingAt(barred, ms + 1)
  return at < barred.length && barred[at]! <= ms ? barred[at + 1]! : ms
}

/** Whether a free time brings no day beyond its limit. */
export function hasRoom(rooms: Rooms, { fromMs, toMs }: Window): boolean {
  return allowedFrom(barredStarts(rooms, toMs - fromMs), fromMs) === fromMs
}

/** Slots, a flat list, without those whose start is barred. */
export const allowedSlots = (slots: readonly number[], barred: Intervals): number[] =>
  barred.length === 0
    ? (slots as number[])
    : slots.filter((_, i) => {
        const start = slots[i - (i % 2)]!
        return allowedFrom(barred, start) === start
      })

/** Free stretches, cut so that something of the length may start anywhere in each where it fits. They may overlap. */
export function allowedStretches(free: Intervals, lengthMs: number, barred: Intervals): Intervals {
  if (barred.length === 0) return free
  const allowed: number[] = []
  for (let i = 0; i < free.length; i += 2) {
    const lastStart = free[i + 1]! - lengthMs
    let start = allowedFrom(barred, free[i]!)
    while (start <= lastStart) {
      const at = firstEndingAt(barred, start + 1)
      const last = Math.min(lastStart, (barred[at] ?? Number.POSITIVE_INFINITY) - 1)
      allowed.push(start, last + lengthMs)
      start = allowedFrom(barred, last + 1)
    }
  }
  return allowed
}

// Drags and arrows that move events, in steps of 15 minutes. Pure.
import { addDays, clockAt, daysBetween, minutesOfDay, wallAt } from './dates.ts'

export const stepMinutes = 15
const clickMinutes = 30

/** A place in a column: its day and the minute of the day. */
export type Point = { date: string; minute: number }

/** On the wall clock of the screen. */
export type Stretch = { start: Point; end: Point }

const down = (minute: number) => Math.floor(minute / stepMinutes) * stepMinutes
const nearest = (minute: number) => Math.round(minute / stepMinutes) * stepMinutes
const within = (minute: number) => Math.min(minutesOfDay, Math.max(0, minute))

/** Whether the pointer has left the place where it went down, by a quarter of an hour or a few pixels. */
export const hasMoved = (pixels: number): boolean => pixels > 4

/** A stretch that is dragged on empty ground. Without a drag it is half an hour. */
export function drawn(from: Point, to: Point | undefined): Stretch {
  const start = down(from.minute)
  if (!to) return stretch(from.date, Math.min(start, minutesOfDay - clickMinutes), clickMinutes)
  const [first, last] = [Math.min(from.minute, to.minute), Math.max(from.minute, to.minute)].map(within)
  const begin = down(first!)
  const end = Math.max(begin + stepMinutes, nearest(last!))
  return stretch(from.date, begin, Math.min(minutesOfDay, end) - begin)
}

function stretch(date: string, minute: number, minutes: number): Stretch {
  return { start: { date, minute }, end: later({ date, minute }, minutes) }
}

/** So many minutes later on the wall clock. */
export function later(point: Point, minutes: number): Point {
  return clockAt(wallAt(point.date, point.minute) + minutes * 60_000, 'UTC')
}

export const minutesBetween = (from: Point, to: Point): number =>
  daysBetween(from.date, to.date) * minutesOfDay + to.minute - from.minute

/** The whole stretch goes along with the pointer. */
export function carried(before: Stretch, from: Point, to: Point): Stretch {
  const days = daysBetween(from.date, to.date)
  const minutes = nearest(to.minute - from.minute)
  return shifted(before, days * minutesOfDay + minutes)
}

const shifted = ({ start, end }: Stretch, minutes: number): Stretch => ({
  start: later(start, minutes),
  end: later(end, minutes),
})

/** The end goes along with the pointer, and stays after the start. */
export function resized(before: Stretch, to: Point): Stretch {
  return withEnd(before, { date: to.date, minute: nearest(within(to.minute)) })
}

function withEnd({ start }: Stretch, end: Point, shortest = stepMinutes): Stretch {
  const least = later(start, shortest)
  return { start, end: minutesBetween(least, end) < 0 ? least : later(end, 0) }
}

/** An event that is moved by an arrow; undefined for every other key. Whole days are moved by days alone. */
export function movedBy(before: Stretch, key: string, hasShift: boolean, isAllDay = false): Stretch | undefined {
  const step = isAllDay ? minutesOfDay : stepMinutes
  const steps = { ArrowUp: -step, ArrowDown: step }[key]
  if (steps !== undefined) return hasShift ? withEnd(before, later(before.end, steps), step) : shifted(before, steps)
  const days = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (days === undefined || hasShift) return undefined
  const move = (point: Point) => ({ date: addDays(point.date, days), minute: point.minute })
  return { start: move(before.start), end: move(before.end) }
}

export const isSame = (a: Stretch, b: Stretch): boolean =>
  minutesBetween(a.start, b.start) === 0 && minutesBetween(a.end, b.end) === 0

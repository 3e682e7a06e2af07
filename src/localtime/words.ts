// Times in words that can be read out to people: the weekday, the date, the wall clock, the zone, and the distance from now.
// English, ASCII, 24 hours.
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import { offsetAt } from './offsets.ts'
import { localOf } from './present.ts'
import { clockTime, dayOf, isoOffset, isoWallTime, shortDate } from './spelling.ts'

type Span = { readonly startMs: number; readonly endMs: number }

const wallOf = (zone: string, ms: number): number => ms + offsetAt(zone, ms)

/** `Sun 29 Nov 2026 14:03 Europe/Berlin`. */
export function momentWords(ms: number, zone: string): string {
  const wallMs = wallOf(zone, ms)
  return `${shortDate(dayOf(wallMs))} ${clockTime(wallMs)} ${zone}`
}

/** `Tue 1 Dec 2026 09:00 Europe/Berlin (in 2 days)`. */
export const momentWhen = (ms: number, zone: string, nowMs: number): string =>
  `${momentWords(ms, zone)} (${distanceOf({ startMs: ms, endMs: ms }, zone, nowMs)})`

/** `Tue 1 Dec 2026 09:00-09:30 Europe/Berlin`; over midnight with both dates. */
export function spanWords({ startMs, endMs }: Span, zone: string): string {
  const [start, end] = [wallOf(zone, startMs), wallOf(zone, endMs)]
  const from = `${shortDate(dayOf(start))} ${clockTime(start)}`
  const until = dayOf(start) === dayOf(end) ? `-${clockTime(end)}` : ` - ${shortDate(dayOf(end))} ${clockTime(end)}`
  return `${from}${until} ${zone}`
}

/** `Tue 1 Dec 2026 09:00-09:30 Europe/Berlin (in 2 days)`. */
export const spanWhen = (span: Span, zone: string, nowMs: number): string =>
  `${spanWords(span, zone)} (${distanceOf(span, zone, nowMs)})`

/** The first and the last day of an all-day event, counted from 1970-01-01. `zone` is that of its calendar. */
export function daysOf({ startMs, endMs }: Span, zone: string): { first: number; last: number } {
  const { date, last_date = date } = localOf({ start: new Date(startMs), end: new Date(endMs), allDay: true }, zone)
  return { first: Date.parse(date) / dayMs, last: Date.parse(last_date) / dayMs }
}

/** The local day of a moment, counted from 1970-01-01. */
export const wallDay = (ms: number, zone: string): number => dayOf(wallOf(zone, ms))

/** `Tue 1 Dec 2026, all day`. */
export function daysWords(span: Span, zone: string): string {
  const { first, last } = daysOf(span, zone)
  return `${shortDate(first)}${first === last ? '' : ` - ${shortDate(last)}`}, all day`
}

/** `Tue 1 Dec 2026, all day (in 2 days)`. */
export function daysWhen(span: Span, zone: string, nowMs: number): string {
  const { first, last } = daysOf(span, zone)
  const today = wallDay(nowMs, zone)
  const lasts = first <= today && today <= last
  return `${daysWords(span, zone)} (${lasts ? 'today' : daysAway(first - today)})`
}

/** How far the start is from now. A span that lasts is `now`. */
function distanceOf({ startMs, endMs }: Span, zone: string, nowMs: number): string {
  const awayMs = startMs - nowMs
  if (awayMs === 0 || (awayMs < 0 && nowMs < endMs)) return 'now'
  if (Math.abs(awayMs) >= hourMs) return daysAway(dayOf(wallOf(zone, startMs)) - dayOf(wallOf(zone, nowMs)))
  return awayMs > 0 ? `in ${minutesWords(awayMs)}` : `${minutesWords(-awayMs)} ago`
}

/** `9 min`: whole minutes, at least 1. */
export const minutesWords = (ms: number): string => `${Math.max(1, Math.floor(ms / minuteMs))} min`

const nearDays = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
])

const daysAway = (days: number): string => nearDays.get(days) ?? (days > 0 ? `in ${days} days` : `${-days} days ago`)

/** `2026-12-01T09:00:00+01:00`: the wall clock of a zone with its offset, `Z` where that is zero, milliseconds where there are any. */
export function offsetTime(ms: number, zone: string): string {
  const offsetMs = offsetAt(zone, ms)
  return `${isoWallTime(ms + offsetMs)}${offsetMs === 0 ? 'Z' : isoOffset(offsetMs)}`
}

// The times of an event as a tool accepts and suggests them.

import { windowStart } from '../../../src/localtime/offsets.ts'
import { movedByDays } from '../../../src/localtime/shift.ts'
import { isoDate, weekdayName } from '../../../src/localtime/spelling.ts'
import { parseWeekday } from '../../../src/localtime/weekday.ts'
import { daysOf, daysWhen, daysWords, offsetTime, spanWhen, spanWords, wallDay } from '../../../src/localtime/words.ts'
import { dayMs, minuteMs } from '../../../src/shapes/durations.ts'
import { readDay, readMoment } from './times.ts'
import { type Suggestion, ToolRefusal } from './toolRefusal.ts'

/** `zone`: of the answer. `calendarZone`: all-day events are days of their calendar, in any requested zone. */
export type EventZones = { zone: string; calendarZone: string }

export const eventZones = (requested: string | undefined, calendarZone: string): EventZones => ({
  zone: requested ?? calendarZone,
  calendarZone,
})

type Sent = { start_time?: string; end_time?: string; duration_minutes?: number; timezone?: string | undefined }

/** Undefined: left out. A duration without a start counts from `start`, the start of the event before the change. */
export type ReadTimes = { start: Date | undefined; end: Date | undefined }

type Reading = { sent: Sent; allDay: boolean; calendarZone: string; now: Date; start?: Date }

export function readTimes({ sent, allDay, calendarZone, now, ...before }: Reading): ReadTimes {
  const zones = { requested: sent.timezone, ofCalendars: [calendarZone] }
  const read = (param: 'start_time' | 'end_time', daysAfter: number): Date | undefined => {
    const text = sent[param]
    if (text === undefined) return undefined
    const reader = { param, zones, now, isOfEvent: true }
    if (!allDay) return readMoment(text, reader)
    const day = readDay(text, reader)
    return typeof day === 'number' ? midnight(calendarZone, day + daysAfter) : day
  }
  const sentStart = readOrRefused(() => read('start_time', 0))
  // The last day of an all-day event belongs to it.
  const sentEnd = readOrRefused(() => read('end_time', 1))
  if (sentStart instanceof ToolRefusal) throw bothTimes(sentStart, sentEnd, { start: before.start, end: sentEnd })
  if (sentEnd instanceof ToolRefusal)
    throw bothTimes(sentEnd, sentStart, { start: sentStart ?? before.start, end: sentEnd })
  const [start, end] = [sentStart, sentEnd]
  const lengthMs = sent.duration_minutes === undefined ? undefined : sent.duration_minutes * minuteMs
  const from = start ?? before.start
  if (lengthMs === undefined || !from) return { start, end }
  const lasting = new Date(from.getTime() + lengthMs)
  if (end && end.getTime() !== lasting.getTime()) throw contradiction(allDay)
  return { start, end: lasting }
}

type Read = Date | ToolRefusal | undefined

function readOrRefused(read: () => Date | undefined): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof ToolRefusal) return error
    throw error
  }
}

/**
 * The refusal of one time, whose suggestions also correct the other one where that is refused as well. Those in which the end
 * is not after the start come last, because the first suggestion must be accepted.
 */
function bothTimes(refusal: ToolRefusal, other: Read, known: { start: Read; end: Read }): ToolRefusal {
  const others = other instanceof ToolRefusal ? other.suggestions : []
  const suggestions = refusal.suggestions.map((suggestion, nth) => ({
    ...suggestion,
    arguments: { ...suggestion.arguments, ...(others[nth] ?? others[0])?.arguments },
  }))
  const isBackward = ({ arguments: { start_time, end_time } }: Suggestion): boolean => {
    const [start, end] = [start_time ?? known.start, end_time ?? known.end].map(momentOf)
    return start !== undefined && end !== undefined && end <= start
  }
  suggestions.sort((a, b) => Number(isBackward(a)) - Number(isBackward(b)))
  return refusal.suggesting(suggestions)
}

const momentOf = (value: unknown): number | undefined => {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? Date.parse(value) : undefined
}

const midnight = (zone: string, day: number): Date => new Date(windowStart(zone, day * dayMs))

const contradiction = (allDay: boolean) =>
  new ToolRefusal('duration_minutes: contradicts end_time; give one of them.', {
    param: 'duration_minutes',
    suggestions: [
      { arguments: { duration_minutes: null }, note: allDay ? 'Until the last day.' : 'Until end_time.' },
      { arguments: { end_time: null }, note: 'As long as duration_minutes says.' },
    ],
  })

/** Half an hour, or the whole day. */
export const usualEnd = (start: Date, allDay: boolean, calendarZone: string, usualMinutes: number): Date =>
  new Date(allDay ? movedByDays(start.getTime(), calendarZone, 1) : start.getTime() + usualMinutes * minuteMs)

/** The time of an event. */
export type Timed = { startMs: number; endMs: number; allDay: boolean }

/** `Tue 1 Dec 2026 09:00-09:30 Europe/Berlin`. */
export const wordsOf = (event: Timed, { zone, calendarZone }: EventZones): string =>
  event.allDay ? daysWords(event, calendarZone) : spanWords(event, zone)

export const whenOf = (event: Timed, { zone, calendarZone }: EventZones, now: Date): string =>
  event.allDay ? daysWhen(event, calendarZone, now.getTime()) : spanWhen(event, zone, now.getTime())

/** The arguments that give an event this time; a weekday that was sent is set to the new one. */
export function timeSuggestion(
  event: Timed,
  { zone, calendarZone }: EventZones,
  sentWeekday: string | undefined,
  now: Date,
): Suggestion {
  const times = event.allDay && isWholeDays(event, calendarZone) ? daysAsArguments(event, calendarZone) : undefined
  const weekday = weekdayName(wallDay(event.startMs, event.allDay ? calendarZone : zone))
  const isOther = sentWeekday !== undefined && parseWeekday(sentWeekday) !== weekday
  return {
    arguments: {
      ...(times ?? { start_time: offsetTime(event.startMs, zone), end_time: offsetTime(event.endMs, zone) }),
      ...(isOther && { weekday: weekday.slice(0, 3).toLowerCase() }),
    },
    when: whenOf(event, { zone, calendarZone }, now),
  }
}

const isWholeDays = ({ startMs, endMs }: Timed, zone: string): boolean =>
  [startMs, endMs].every((ms) => windowStart(zone, wallDay(ms, zone) * dayMs) === ms)

function daysAsArguments(event: Timed, zone: string) {
  const { first, last } = daysOf(event, zone)
  return { start_time: isoDate(first), end_time: isoDate(last) }
}

/** The same event this many days of the wall clock later. */
export const laterByDays = (event: Timed, zone: string, days: number): Timed => ({
  ...event,
  startMs: movedByDays(event.startMs, zone, days),
  endMs: movedByDays(event.endMs, zone, days),
})

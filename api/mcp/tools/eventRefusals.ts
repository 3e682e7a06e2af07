// Refusals of the event tools themselves, each with arguments to send instead.
import type { Overlaps, TimeTaken } from '../../../src/events/conflict.ts'
import type { EventRecord } from '../../../src/events/present.ts'
import type { SeriesDetails } from '../../../src/events/read.ts'
import { isOver } from '../../../src/events/seriesTimes.ts'
import { daysOfYears } from '../../../src/localtime/shift.ts'
import { isoDate, type WeekdayName, weekdayName } from '../../../src/localtime/spelling.ts'
import { daysToWeekday } from '../../../src/localtime/weekday.ts'
import { momentWhen, offsetTime, wallDay } from '../../../src/localtime/words.ts'
import type { Recurring } from '../../../src/timers/series.ts'
import { type EventZones, laterByDays, type Timed, timeSuggestion, whenOf, wordsOf } from '../language/eventTimes.ts'
import { type Suggestion, ToolRefusal } from '../language/toolRefusal.ts'

/** The requested event, and how the call sent it. */
export type TargetEvent = {
  event: Recurring & { allDay: boolean }
  zones: EventZones
  weekday: WeekdayName | undefined
  now: Date
}

const timedOf = ({ startTime, endTime, allDay }: TargetEvent['event']): Timed => ({
  startMs: startTime.getTime(),
  endMs: endTime.getTime(),
  allDay,
})

/** A weekday that was sent is a checksum of the start. */
export function requireWeekdayOf({ event, zones, weekday, now }: TargetEvent, allowPast: boolean): void {
  const zone = event.allDay ? zones.calendarZone : zones.zone
  const timed = timedOf(event)
  const nearest = weekday && onWeekday(timed, weekday, zone)
  if (!nearest) return
  const day = wallDay(timed.startMs, zone)
  const isOver = ({ endMs }: Timed) => !allowPast && endMs <= now.getTime()
  const ahead = nearest.filter((one) => !isOver(one))
  // If the date is in last year, the year is as likely wrong as the weekday.
  const coming = ahead.length === 0 && staysSame(event) ? inComingYear(timed, zones, now) : undefined
  const comingDays = coming ? (onWeekday(coming, weekday, zone) ?? [coming]).filter((one) => !isOver(one)) : []
  throw new ToolRefusal(`weekday: ${isoDate(day)} is a ${weekdayName(day)} in ${zone}, not a ${weekday}.`, {
    param: 'weekday',
    code: 'weekday_mismatch',
    suggestions: [...comingDays, ...ahead, ...nearest.filter(isOver)].map((one) =>
      timeSuggestion(one, zones, undefined, now),
    ),
  })
}

/** The same event on the nearest days that are this weekday; undefined if it lies on one. */
function onWeekday(timed: Timed, weekday: WeekdayName, zone: string): Timed[] | undefined {
  const days = daysToWeekday(weekday, new Date(timed.startMs), zone)
  return days?.map((away) => laterByDays(timed, zone, away))
}

/** Models sometimes book in last year. */
export function requireAhead({ event, zones, weekday, now }: TargetEvent, allowPast: boolean): void {
  if (allowPast || !isOver(event, now)) return
  const timed = timedOf(event)
  const later = staysSame(event) ? inComingYear(timed, zones, now) : undefined
  const anyway: Suggestion = { arguments: { allow_past: true }, note: 'In the past, as given.' }
  throw new ToolRefusal(`start_time: ${wordsOf(timed, zones)} is over.`, {
    param: 'start_time',
    code: 'in_past',
    suggestions: later ? [timeSuggestion(later, zones, weekday, now), anyway] : [anyway],
  })
}

/** Whether an event may begin on any day: the days of a rule would not fit another year. */
const staysSame = ({ recurrenceRule }: Recurring): boolean =>
  recurrenceRule === null || !/(^|;)(BY[A-Z]+|UNTIL)=/i.test(recurrenceRule)

const maxYears = 10_000

/** The same local day and time in the next year in which it is not over. */
function inComingYear(timed: Timed, { zone, calendarZone }: EventZones, now: Date): Timed | undefined {
  const wallZone = timed.allDay ? calendarZone : zone
  for (let years = 1; years < maxYears; years++) {
    const days = daysOfYears(timed.startMs, wallZone, years)
    const later = days === undefined ? undefined : laterByDays(timed, wallZone, days)
    if (later && later.endMs > now.getTime()) return later
  }
  return undefined
}

/** The arguments of an event that recurs, as they stand in a record. */
export const recurringOf = (event: EventRecord, series?: SeriesDetails): Recurring & { allDay: boolean } => ({
  startTime: new Date(event.startTime),
  endTime: new Date(event.endTime),
  allDay: event.allDay,
  recurrenceRule: event.recurrenceRule,
  recurrenceExdates: event.recurrenceExdates.map((start) => new Date(start)),
  recurrenceTimezone: event.recurrenceTimezone ?? null,
  recurrenceRdates: (event.recurrenceRdates ?? []).map((start) => new Date(start)),
  recurrenceSkippedMs: series?.skippedMs ?? 0,
})

/** The conflicts, for a model. */
export const presentOverlaps = ({ events }: Overlaps, zones: EventZones, now: Date): object[] =>
  events.map(({ id, title, startTime, endTime, allDay, status, isLikelyDuplicate }) => ({
    id,
    title,
    when: whenOf({ startMs: Date.parse(startTime), endMs: Date.parse(endTime), allDay }, zones, now),
    status,
    ...(isLikelyDuplicate && { likely_duplicate: true }),
  }))

export function timeTaken(error: TimeTaken, { event, zones, weekday, now }: TargetEvent): ToolRefusal {
  const { overlaps, freeTimes, detail, type } = error
  const [first] = overlaps.events
  const suggestions = freeTimes.flatMap((startMs, nth) => {
    if (nth % 2 === 1) return []
    return timeSuggestion({ startMs, endMs: freeTimes[nth + 1]!, allDay: event.allDay }, zones, weekday, now)
  })
  const isHold = detail.code === 'hold_conflict'
  const by = `${overlaps.total} ${isHold ? 'hold' : 'event'}${overlaps.total === 1 ? '' : 's'}`
  return new ToolRefusal(`${wordsOf(timedOf(event), zones)} is taken by ${by}.`, {
    type,
    code: detail.code,
    param: 'start_time',
    suggestions,
    further: { conflicts: presentOverlaps(overlaps, zones, now) },
    nextStep: first?.isLikelyDuplicate
      ? `It is booked already, as ${first.id}: do not book it again.`
      : nextStep(isHold, suggestions.length > 0),
  })
}

function nextStep(isHold: boolean, hasSuggestions: boolean): string {
  const other = hasSuggestions ? 'Offer one of the suggestions' : 'Choose another time with get_availability'
  return isHold
    ? `${other}, or call again with a higher hold_priority.`
    : `${other}, or call again with on_conflict=allow if the overlap is wanted.`
}

export const occurrenceWarning = (startMs: number, zone: string, now: Date) => ({
  start: offsetTime(startMs, zone),
  when: momentWhen(startMs, zone, now.getTime()),
})

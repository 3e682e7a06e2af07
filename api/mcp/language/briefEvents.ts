// An event as tools show it: half the size of the record of REST, with its time in words.
import type { EventInstanceRecord } from '../../../src/events/present.ts'
import { isoDate } from '../../../src/localtime/spelling.ts'
import { daysOf, daysWhen, minutesWords, offsetTime, spanWhen } from '../../../src/localtime/words.ts'
import { compact } from './answer.ts'
import type { Clock } from './clock.ts'

/** `calendarZone`: all-day events are days of their calendar, in any zone of the answer. */
type Shown = Clock & { calendarZone: string }

/** For a list. */
export function briefEvent(event: EventInstanceRecord, shown: Shown): Record<string, unknown> {
  const { zone } = shown
  return compact({
    id: event.id,
    title: event.title,
    ...timesOf(event, shown),
    status: event.status,
    all_day: event.allDay || null,
    ...holdOf(event, shown),
    ...(event.recurringEventId === undefined && {
      recurrence_rule: event.recurrenceRule,
      recurrence_timezone: event.recurrenceTimezone,
      recurrence_rdates: event.recurrenceRdates?.map((at) => offsetTime(Date.parse(at), zone)),
    }),
    occurrence_start: event.originalStartTime && offsetTime(Date.parse(event.originalStartTime), zone),
    read_only: event.source === 'external_ical' || null,
    location: event.location,
    conference: event.conference,
    transparency: event.transparency,
    visibility: event.visibility,
    labels: event.labels,
    color: event.color,
    links: event.links,
  })
}

/** For an answer about this event alone. */
export function fullEvent(event: EventInstanceRecord, shown: Shown): Record<string, unknown> {
  const { id, ...brief } = briefEvent(event, shown)
  return {
    id,
    calendar_id: event.calendarId,
    ...brief,
    ...compact({ description: event.description, metadata: event.metadata }),
    // An empty list means no reminders; null means those of the calendar.
    ...(event.reminders && { reminders: event.reminders }),
  }
}

function timesOf(event: EventInstanceRecord, { zone, calendarZone, now }: Shown) {
  const { startTime, endTime, allDay } = event
  const span = { startMs: Date.parse(startTime), endMs: Date.parse(endTime) }
  if (!allDay) {
    return {
      when: spanWhen(span, zone, now.getTime()),
      start: offsetTime(span.startMs, zone),
      end: offsetTime(span.endMs, zone),
    }
  }
  // A series by a clock has its dates there.
  const dayZone = event.recurrenceTimezone ?? calendarZone
  const { first, last } = daysOf(span, dayZone)
  return { when: daysWhen(span, dayZone, now.getTime()), start: isoDate(first), end: isoDate(last) }
}

function holdOf({ status, holdExpiresAt, holdPriority }: EventInstanceRecord, { zone, now }: Shown) {
  if (status !== 'hold' || holdExpiresAt === null) return undefined
  const expiresMs = Date.parse(holdExpiresAt)
  return {
    hold_expires_at: offsetTime(expiresMs, zone),
    // A repeated call may come after its end.
    ...(expiresMs > now.getTime() && { hold_expires_in: minutesWords(expiresMs - now.getTime()) }),
    hold_priority: holdPriority,
  }
}

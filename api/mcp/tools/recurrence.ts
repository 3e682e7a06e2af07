// The zone and the dates of a series, as tools take them.
import { z } from 'zod'
import { maxRdates, updateEventBody } from '../../../src/events/schema.ts'
import { windowStart } from '../../../src/localtime/offsets.ts'
import { readSentTime } from '../../../src/localtime/sentTime.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { withoutWords } from '../language/operationFields.ts'
import { bodyTimesRead } from '../language/operationTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { time, timezone } from './eventFields.ts'

const twin = routeNamed('createEvent')

export const newRecurrence = { recurrence_timezone: timezone }

/** null: in UTC again. */
export const otherRecurrence = { recurrence_timezone: withoutWords(updateEventBody.in.shape.recurrence_timezone) }

/** Taken, but not listed, because the list must stay within its bytes. */
export const recurrenceDates = { recurrence_rdates: z.array(time).max(maxRdates).optional() }

type Sent = { recurrence_rdates?: string[] | undefined; timezone?: string | undefined }
type Reading = { allDay: boolean; calendarZone: string; now: Date }
type Read = { recurrence_rdates?: string[] }

/** The dates as instants. Of an all-day series they may be days of the calendar, as its start. */
export function readDates(
  { recurrence_rdates: sent, timezone: requested }: Sent,
  { allDay, calendarZone, now }: Reading,
): Read {
  if (sent === undefined) return {}
  const texts = allDay ? sent.map((text) => midnightOf(text, calendarZone)) : sent
  const zones = { requested, ofCalendars: [calendarZone] }
  return bodyTimesRead(twin, { recurrence_rdates: texts }, zones, now) as Read
}

function midnightOf(text: string, zone: string): string {
  const time = readSentTime(text)
  return time.kind === 'date' ? new Date(windowStart(zone, time.day * dayMs)).toISOString() : text
}

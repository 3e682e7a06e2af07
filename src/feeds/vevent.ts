// One event as RFC 5545 writes it: the properties in the order of `ical-generator`, which takes several times as long and is the
// oracle of the test, then the alarms, which the package puts before the last properties, where the grammar has none.
import { escape as escapeText, ICalCalendar, ICalCalendarMethod } from 'ical-generator'
import type { EventStatus } from '../events/rules.ts'
import { oneLine } from '../icalendar/plainText.ts'
import type { Uuid } from '../shapes/ids.ts'
import { datesOf } from './allDay.ts'
import { dateValue, folded, textValue, timeValue } from './contentLine.ts'
import { uidOf } from './uid.ts'

/** An event as the feed shows it: with its present status, and its reminders resolved. */
export type FeedEvent = {
  id: Uuid
  title: string
  description: string | null
  startTime: Date
  endTime: Date
  allDay: boolean
  status: EventStatus
  source: 'internal' | 'external_ical'
  recurrenceRule: string | null
  recurrenceExdates: readonly Date[]
  reminders: readonly number[]
  sequence: number
  createdAt: Date
  updatedAt: Date
}

const crlf = '\r\n'
const endOfCalendar = 'END:VCALENDAR'

/**
 * The lines before the first event, and the line after the last one. `timezone` is null where a series repeats in UTC: readers apply
 * the line to its rule, which then follows other clocks.
 */
export function frameOf(calendar: { name: string; timezone: string | null }, refreshSeconds: number): [string, string] {
  const empty = new ICalCalendar({
    prodId: '//agent-calendar//calendar feed//EN',
    scale: 'GREGORIAN',
    method: ICalCalendarMethod.PUBLISH,
    name: escapeText(oneLine(calendar.name), false),
    ttl: refreshSeconds,
    ...(calendar.timezone !== null && { x: [{ key: 'X-WR-TIMEZONE', value: calendar.timezone }] }),
  }).toString()
  return [empty.slice(0, -endOfCalendar.length), endOfCalendar + crlf]
}

const statuses: Record<EventStatus, string> = {
  confirmed: 'CONFIRMED',
  tentative: 'TENTATIVE',
  hold: 'TENTATIVE',
  cancelled: 'CANCELLED',
}

/** `zone` is the calendar's: the dates of all-day events are its dates. */
export function veventOf(event: FeedEvent, zone: string, uid: string = uidOf(event)): string {
  const changed = timeValue(event.updatedAt)
  const summary = textValue(oneLine(event.title))
  let text =
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSEQUENCE:${event.sequence}\r\nDTSTAMP:${changed}\r\n` +
    timesOf(event, zone) +
    folded(`SUMMARY:${summary}`) +
    `TRANSP:${event.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}\r\n`
  if (event.description !== null) text += folded(`DESCRIPTION:${textValue(event.description)}`)
  text += `STATUS:${statuses[event.status]}\r\nCREATED:${timeValue(event.createdAt)}\r\nLAST-MODIFIED:${changed}\r\n`
  for (const minutes of event.reminders) {
    text +=
      `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT${minutes}M\r\n` +
      `${folded(`DESCRIPTION:${summary}`)}END:VALARM\r\n`
  }
  return `${text}END:VEVENT\r\n`
}

function timesOf(event: FeedEvent, zone: string): string {
  const dates = event.allDay ? datesOf(event, zone) : undefined
  if (!dates) {
    const rule = event.recurrenceRule && untilAsTime(event.recurrenceRule)
    return (
      `DTSTART:${timeValue(event.startTime)}\r\nDTEND:${timeValue(endOf(event))}\r\n` +
      repeatingOf(rule, 'EXDATE', event.recurrenceExdates.map(timeValue))
    )
  }
  return (
    `DTSTART;VALUE=DATE:${dateValue(dates.firstDay)}\r\nDTEND;VALUE=DATE:${dateValue(dates.endDay)}\r\n` +
    'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\r\nX-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE\r\n' +
    repeatingOf(dates.rule, 'EXDATE;VALUE=DATE', dates.cancelledDays.map(dateValue))
  )
}

/** The format has whole seconds, and an end must lie after its start. */
function endOf({ startTime, endTime }: FeedEvent): Date {
  const nextSecond = (Math.floor(startTime.getTime() / 1000) + 1) * 1000
  return endTime.getTime() >= nextSecond ? endTime : new Date(nextSecond)
}

function repeatingOf(rule: string | null | undefined, exdate: string, excluded: readonly string[]): string {
  if (!rule) return ''
  return folded(`RRULE:${rule}`) + (excluded.length > 0 ? folded(`${exdate}:${excluded.join(',')}`) : '')
}

/** If the start has a time, UNTIL has one, too. As a date it means that whole day. */
export const untilAsTime = (rule: string): string => rule.replace(/UNTIL=(\d{8})(?=;|$)/, 'UNTIL=$1T235959Z')

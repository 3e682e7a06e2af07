// One event as RFC 5545 writes it. `ical-generator` writes the properties. The alarms are written here, because the package
// puts them before the last properties, which the grammar forbids, and writes 60 minutes as PT1H.
import {
  escape as escapeText,
  foldLines,
  formatDate,
  ICalCalendar,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import type { EventStatus } from '../events/rules.ts'
import { plainText } from '../icalendar/plainText.ts'
import type { Uuid } from '../shapes/ids.ts'
import { dateOf, datesOf } from './allDay.ts'
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
const end = `END:VEVENT${crlf}`
const endOfCalendar = 'END:VCALENDAR'

/** The lines before the first event, and the line after the last one. */
export function frameOf(calendar: { name: string; timezone: string }, refreshSeconds: number): [string, string] {
  const empty = new ICalCalendar({
    prodId: '//agent-calendar//calendar feed//EN',
    scale: 'GREGORIAN',
    method: ICalCalendarMethod.PUBLISH,
    name: escapeText(plainText(calendar.name), false),
    ttl: refreshSeconds,
    x: [{ key: 'X-WR-TIMEZONE', value: calendar.timezone }],
  }).toString()
  return [empty.slice(0, -endOfCalendar.length), endOfCalendar + crlf]
}

/** The package needs a calendar for its events. This one is never written. */
const nowhere = new ICalCalendar()

export function veventOf(event: FeedEvent, zone: string): string {
  const written = nowhere.createEvent({ ...propertiesOf(event), ...timesOf(event, zone) }).toString()
  nowhere.clear()
  return foldLines(
    written.slice(0, -end.length) + event.reminders.map((minutes) => alarmOf(event, minutes)).join('') + end,
  )
}

const statuses: Record<EventStatus, ICalEventStatus> = {
  confirmed: ICalEventStatus.CONFIRMED,
  tentative: ICalEventStatus.TENTATIVE,
  hold: ICalEventStatus.TENTATIVE,
  cancelled: ICalEventStatus.CANCELLED,
}

const propertiesOf = (event: FeedEvent): ICalEventData => ({
  id: uidOf(event),
  sequence: event.sequence,
  stamp: event.updatedAt,
  created: event.createdAt,
  lastModified: event.updatedAt,
  start: event.startTime,
  summary: plainText(event.title),
  description: event.description === null ? null : plainText(event.description),
  status: statuses[event.status],
  transparency: event.status === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
})

function timesOf(event: FeedEvent, zone: string): Pick<ICalEventData, 'start' | 'end' | 'allDay' | 'repeating'> {
  const dates = event.allDay ? datesOf(event, zone) : undefined
  if (!dates) {
    const excluded = event.recurrenceExdates.map((at) => formatDate(null, at))
    const repeating = event.recurrenceRule && repeatingOf(untilAsTime(event.recurrenceRule), 'EXDATE', excluded)
    return { start: event.startTime, end: endOf(event), repeating }
  }
  const excluded = dates.cancelledDays.map((day) => formatDate(null, dateOf(day), true))
  const repeating = dates.rule === undefined ? null : repeatingOf(dates.rule, 'EXDATE;VALUE=DATE', excluded)
  return { start: dateOf(dates.firstDay), end: dateOf(dates.endDay), allDay: true, repeating }
}

/** The format has whole seconds, and an end must lie after its start. */
function endOf({ startTime, endTime }: FeedEvent): Date {
  const nextSecond = (Math.floor(startTime.getTime() / 1000) + 1) * 1000
  return endTime.getTime() >= nextSecond ? endTime : new Date(nextSecond)
}

const repeatingOf = (rule: string, exdate: string, excluded: readonly string[]): string =>
  [`RRULE:${rule}`, ...(excluded.length > 0 ? [`${exdate}:${excluded.join(',')}`] : [])].join(crlf)

/** If the start has a time, UNTIL has one, too. As a date it means that whole day. */
const untilAsTime = (rule: string): string => rule.replace(/UNTIL=(\d{8})(?=;|$)/, 'UNTIL=$1T235959Z')

const alarmOf = ({ title }: FeedEvent, minutes: number): string =>
  [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:-PT${minutes}M`,
    `DESCRIPTION:${escapeText(plainText(title), false)}`,
    'END:VALARM',
    '',
  ].join(crlf)

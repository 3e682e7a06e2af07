// One event as RFC 5545 writes it: the properties in the order of `ical-generator`, which takes several times as long and is the
// oracle of the test, then the alarms, which the package puts before the last properties, where the grammar has none.
import { escape as escapeText, ICalCalendar, ICalCalendarMethod } from 'ical-generator'
import type { Details } from '../events/details.ts'
import type { EventStatus } from '../events/rules.ts'
import { type Clock, clockOf, instantOf, wallOf } from '../recurrence/clock.ts'
import type { Uuid } from '../shapes/ids.ts'
import { datesOf } from './allDay.ts'
import { dateValue, folded, oneLine, textValue, timeValue, wallValue } from './contentLine.ts'
import { detailLines } from './detailLines.ts'
import { uidOf } from './uid.ts'
import { vtimezoneOf } from './vtimezone.ts'

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
  recurrenceTimezone: string | null
  recurrenceRdates: readonly Date[]
  recurrenceSkippedMs: number
  overriddenStarts?: readonly Date[]
  /** The event stands for one occurrence of a series. */
  occurrence?: OccurrenceOf | null
  reminders: readonly number[]
  details?: Details
  transparent?: boolean
  sequence: number
  createdAt: Date
  updatedAt: Date
}

type OccurrenceOf = {
  seriesId: Uuid
  originalStart: Date
  /** As its series has them, which names its occurrences by dates or by the clock of the zone. */
  zone: string | null
  allDay: boolean
  rule: string
  seriesStart: Date
  skippedMs: number
}

const crlf = '\r\n'
const endOfCalendar = 'END:VCALENDAR'

/**
 * The lines before the first event, and the line after the last one. `timezone` is null where a series repeats in UTC: readers apply
 * the line to its rule, which then follows other clocks. `zones`: those by which series repeat.
 */
export function frameOf(calendar: Framed, refreshSeconds: number): [string, string] {
  const empty = new ICalCalendar({
    prodId: '//agent-calendar//calendar feed//EN',
    scale: 'GREGORIAN',
    method: ICalCalendarMethod.PUBLISH,
    name: escapeText(oneLine(calendar.name), false),
    ttl: refreshSeconds,
    ...(calendar.timezone !== null && { x: [{ key: 'X-WR-TIMEZONE', value: calendar.timezone }] }),
  }).toString()
  const zones = calendar.zones.map(({ zone, sinceMs }) => vtimezoneOf(zone, sinceMs)).join('')
  return [empty.slice(0, -endOfCalendar.length) + zones, endOfCalendar + crlf]
}

type Framed = { name: string; timezone: string | null; zones: readonly { zone: string; sinceMs: number }[] }

const statuses: Record<EventStatus, string> = {
  confirmed: 'CONFIRMED',
  tentative: 'TENTATIVE',
  hold: 'TENTATIVE',
  cancelled: 'CANCELLED',
}

/** How a calendar tells of its events: their names, and the lines of one component from its times. */
export type Form = {
  uid(event: Parameters<typeof uidOf>[0]): string
  component(event: FeedEvent, times: string, uid: string): string
}

export const wholeForm: Form = { uid: uidOf, component: componentOf }

/**
 * `zone` is the calendar's: the dates of all-day events are its dates. A series whose clock shows its start for the second time has
 * a component for its first occurrence, too: readers take its DTSTART for the first.
 */
export function veventOf(event: FeedEvent, zone: string, form: Form = wholeForm): string {
  if (event.occurrence) return overrideOf(event, event.occurrence, zone, form)
  const uid = form.uid(event)
  const { recurrenceTimezone: own, startTime, recurrenceExdates, overriddenStarts = [], allDay } = event
  const isDoubled = own !== null && !allDay && !isShownFirst(clockOf(own), startTime) && event.recurrenceSkippedMs === 0
  const isThere = ![...recurrenceExdates, ...overriddenStarts].some((at) => at.getTime() === startTime.getTime())
  const whole = form.component(event, timesOf(event, zone), uid)
  if (!isDoubled || !isThere) return whole
  const times = `DTSTART:${timeValue(startTime)}\r\nDTEND:${timeValue(endOf(event))}\r\n`
  return whole + form.component(event, `RECURRENCE-ID;TZID=${own}:${wallValue(startWall(event, own))}\r\n${times}`, uid)
}

/** Its series, for the date by which that names it. */
const asCancelled = ({ seriesStart, rule, zone, originalStart }: OccurrenceOf) => ({
  startTime: seriesStart,
  endTime: new Date(seriesStart.getTime() + 1),
  ...{ recurrenceRule: rule, recurrenceTimezone: zone, recurrenceRdates: [], recurrenceExdates: [originalStart] },
})

/** Its own times are in the zone of its series, too. */
function overrideOf(event: FeedEvent, occurrence: OccurrenceOf, zone: string, form: Form): string {
  const { seriesId, zone: own, originalStart } = occurrence
  const uid = form.uid({ id: seriesId, source: event.source })
  const clock = clockOf(own ?? undefined)
  const isFirstStart = originalStart.getTime() === occurrence.seriesStart.getTime()
  const wallMs = wallOf(clock, originalStart.getTime()) - (isFirstStart ? occurrence.skippedMs : 0)
  const local = own === null ? `:${timeValue(originalStart)}` : `;TZID=${own}:${wallValue(wallMs)}`
  const days = occurrence.allDay ? datesOf(asCancelled(occurrence), zone)?.cancelledDays : undefined
  const named = days ? `;VALUE=DATE:${dateValue(days[0]!)}` : local
  // A moment that the clock shows for the second time is written in UTC.
  const isInZone = own !== null && isShownFirst(clock, event.startTime) && isShownFirst(clock, endOf(event))
  const shown = { ...event, recurrenceTimezone: isInZone || event.allDay ? own : null }
  return form.component(event, folded(`RECURRENCE-ID${named}`) + timesOf(shown, zone), uid)
}

function componentOf(event: FeedEvent, times: string, uid: string): string {
  const changed = timeValue(event.updatedAt)
  const { details = {}, transparent = false } = event
  const isPrivate = details.visibility === 'private'
  const summary = isPrivate ? 'Busy' : textValue(oneLine(event.title))
  let text =
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSEQUENCE:${event.sequence}\r\nDTSTAMP:${changed}\r\n` +
    times +
    folded(`SUMMARY:${summary}`) +
    `TRANSP:${event.status === 'cancelled' || transparent ? 'TRANSPARENT' : 'OPAQUE'}\r\n`
  if (event.description !== null && !isPrivate) text += folded(`DESCRIPTION:${textValue(event.description)}`)
  if (event.details) text += detailLines(details)
  text += `STATUS:${statuses[event.status]}\r\nCREATED:${timeValue(event.createdAt)}\r\nLAST-MODIFIED:${changed}\r\n`
  for (const minutes of isPrivate ? [] : event.reminders) {
    text +=
      `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT${minutes}M\r\n` +
      `${folded(`DESCRIPTION:${summary}`)}END:VALARM\r\n`
  }
  return `${text}END:VEVENT\r\n`
}

/** For readers that take no date for a whole day. */
export const wholeDay = 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\r\nX-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE\r\n'

function timesOf(event: FeedEvent, zone: string): string {
  const dates = event.allDay ? datesOf(event, zone) : undefined
  if (dates) {
    return (
      `DTSTART;VALUE=DATE:${dateValue(dates.firstDay)}\r\nDTEND;VALUE=DATE:${dateValue(dates.endDay)}\r\n` +
      wholeDay +
      ruleLine(dates.rule) +
      listLine('RDATE;VALUE=DATE', dates.addedDays.map(dateValue)) +
      listLine('EXDATE;VALUE=DATE', dates.cancelledDays.map(dateValue))
    )
  }
  const { recurrenceTimezone: own, startTime, recurrenceRule } = event
  const rule = recurrenceRule && untilAsTime(recurrenceRule, own ?? undefined)
  return (
    (own === null
      ? `DTSTART:${timeValue(startTime)}\r\nDTEND:${timeValue(endOf(event))}\r\n`
      : folded(`DTSTART;TZID=${own}:${wallValue(startWall(event, own))}`) +
        folded(`DTEND;TZID=${own}:${wallValue(wallOf(clockOf(own), endOf(event).getTime()))}`)) +
    ruleLine(rule) +
    timesLines('RDATE', event.recurrenceRdates, event) +
    timesLines('EXDATE', event.recurrenceExdates, event)
  )
}

/** Where the rule begins: a time that clocks skip stands for the one after the gap. */
const startWall = ({ startTime, recurrenceSkippedMs }: FeedEvent, zone: string): number =>
  wallOf(clockOf(zone), startTime.getTime()) - recurrenceSkippedMs

const isShownFirst = (clock: Clock, at: Date): boolean => instantOf(clock, wallOf(clock, at.getTime())) === at.getTime()

/** Times as a list: in the zone, but for those that its clock shows for the second time, which only UTC can name. */
function timesLines(name: string, times: readonly Date[], event: FeedEvent): string {
  const { recurrenceTimezone: zone, startTime } = event
  if (zone === null) return listLine(name, times.map(timeValue))
  const clock = clockOf(zone)
  const isLocal = (at: Date) => at.getTime() === startTime.getTime() || isShownFirst(clock, at)
  const local = times.filter(isLocal).map((at) => wallValue(wallAt(event, zone, at)))
  const others = times.filter((at) => !isLocal(at))
  return listLine(`${name};TZID=${zone}`, local) + listLine(name, others.map(timeValue))
}

/** By which time the rule names an occurrence: the first one's may be shown for the second time, or be skipped. */
const wallAt = (event: FeedEvent, zone: string, at: Date): number =>
  at.getTime() === event.startTime.getTime() ? startWall(event, zone) : wallOf(clockOf(zone), at.getTime())

/** The format has whole seconds, and an end must lie after its start. */
function endOf({ startTime, endTime }: FeedEvent): Date {
  const nextSecond = (Math.floor(startTime.getTime() / 1000) + 1) * 1000
  return endTime.getTime() >= nextSecond ? endTime : new Date(nextSecond)
}

const ruleLine = (rule: string | null | undefined): string => (rule ? folded(`RRULE:${rule}`) : '')

const listLine = (name: string, values: readonly string[]): string =>
  values.length > 0 ? folded(`${name}:${values.join(',')}`) : ''

/** If the start has a time, UNTIL has one in UTC, too. As a date it means that whole day of the zone. */
export const untilAsTime = (rule: string, zone?: string): string =>
  rule.replace(/UNTIL=(\d{4})(\d\d)(\d\d)(?=;|$)/, (_, year, month, day) => {
    const lastSecond = Date.parse(`${year}-${month}-${day}T23:59:59Z`)
    return `UNTIL=${timeValue(new Date(instantOf(clockOf(zone), lastSecond)))}`
  })

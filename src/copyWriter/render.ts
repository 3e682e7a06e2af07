// An event as its copy: for providers with records of their own, and as an iCalendar object. Pure.

import type { EventRecord } from '../events/present.ts'
import { datesOf } from '../feeds/allDay.ts'
import { type FeedEvent, untilAsTime, veventOf, wholeForm } from '../feeds/vevent.ts'
import { vtimezoneOf } from '../feeds/vtimezone.ts'
import type { EventCopy } from '../providers/provider.ts'
import { dayMs } from '../shapes/durations.ts'
import type { PublishedEvent } from './queries.ts'

/** `event` is the record of the row. The key names the copy. */
export function renderCopy(stored: PublishedEvent, event: EventRecord, key: string): EventCopy {
  // An occurrence that differs from its series has a copy of its own.
  const row = { ...stored, recurrenceExdates: [...stored.recurrenceExdates, ...stored.overriddenStarts] }
  const dates = row.allDay ? datesOf(row, row.timezone) : undefined
  const times: EventCopy['times'] = dates
    ? { kind: 'dates', start: isoDay(dates.firstDay), end: isoDay(dates.endDay) }
    : { kind: 'instants', start: row.startTime, end: row.endTime }
  const excluded = dates ? dates.cancelledDays.map(isoDay) : row.recurrenceExdates
  const added = dates ? dates.addedDays.map(isoDay) : row.recurrenceRdates
  const zone = dates ? null : row.recurrenceTimezone
  const rule = dates
    ? dates.rule
    : row.recurrenceRule && untilAsTime(row.recurrenceRule, row.recurrenceTimezone ?? undefined)
  const shown = shownOf(event)
  return {
    title: shown.title,
    description: shown.description,
    isTentative: row.status === 'tentative',
    times,
    recurrence: rule ? { rule, excluded, ...(zone && { zone }), ...(added.length > 0 && { added }) } : null,
    ...shown.details,
    ical: objectOf(row, event, key),
  }
}

/** Labels and colours are the human's own. */
function shownOf({ title, description, location, conference, links, ...event }: EventRecord) {
  const isTransparent = event.transparency === 'transparent' && { isTransparent: true as const }
  if (event.visibility === 'private')
    return { title: 'Busy', description: null, details: { ...isTransparent, isPrivate: true as const } }
  const place = location !== undefined && { place: location }
  return {
    title,
    description,
    details: { ...place, ...(conference && { call: conference }), ...(links && { links }), ...isTransparent },
  }
}

const isoDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** It has no method: it is stored, not sent. Reminders are the human's own. */
function objectOf(row: PublishedEvent, event: EventRecord, key: string): string {
  const { title, description, location, conference, visibility, links } = event
  const details = { location, conference, visibility, links }
  const shown: FeedEvent = { ...row, title, description, details, reminders: [] }
  const zone = row.recurrenceTimezone === null ? '' : vtimezoneOf(row.recurrenceTimezone, row.startTime.getTime())
  const vevent = veventOf(shown, row.timezone, { ...wholeForm, uid: () => `${key}@agent-calendar` })
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//agent-calendar//publishing//EN\r\n${zone}${vevent}END:VCALENDAR\r\n`
}

/** The content of the copy, as a text to compare; the time of its change is not part of it. */
export const contentOf = ({ ical: _, ...copy }: EventCopy): string => JSON.stringify(copy)

/** When it happens. A human who deleted a copy deleted it as it was then. */
export const shapeOf = ({ times, recurrence }: EventCopy): string =>
  JSON.stringify([
    times,
    ...[recurrence?.rule, recurrence?.zone, recurrence?.added].filter((one, nth) => nth === 0 || one),
  ])

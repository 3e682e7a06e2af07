import type { z } from 'zod'
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { isoTime, isoTimeOf, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { openMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { type Details, openDetails } from './details.ts'
import type { Instance } from './occurrences.ts'
import type { deletedEventRecord, eventInstanceRecord, eventRecord } from './recordSchema.ts'
import { isRestorable, restorableUntil, shownStatus } from './rules.ts'

export const descriptionContext = (id: Uuid) => `events.description:${id}` as const

export type EventInstanceRecord = z.infer<typeof eventInstanceRecord>
export type EventRecord = z.infer<typeof eventRecord>
export type DeletedEventRecord = z.infer<typeof deletedEventRecord>

type Texts = Pick<EventRecord, 'title' | 'description'> & { details?: Details }

export const textsOf = ({ sealer }: App, row: EventRow): Omit<Texts, 'details'> => ({
  title: sealer.unseal(titleContext(row.id), row.titleSealed),
  description: row.descriptionSealed && sealer.unseal(descriptionContext(row.id), row.descriptionSealed),
})

/** `now` decides whether a hold still shows as one. A caller that has just sealed the `texts` of the row passes them. */
export function presentEvent(app: App, row: EventRow, now: Date, texts: Texts = textsOf(app, row)): EventRecord {
  const event: EventRecord = {
    id: encodeId('evt', row.id),
    calendarId: encodeId('cal', row.calendarId),
    orgId: encodeId('org', row.orgId),
    title: texts.title,
    description: texts.description,
    startTime: isoTime(row.startTime),
    endTime: isoTime(row.endTime),
    allDay: row.allDay,
    status: shownStatus(row, now),
    source: row.source,
    metadata: openMetadata(app.sealer, row),
    reminders: row.reminders,
    holdExpiresAt: isoTimeOrNull(row.holdExpiresAt),
    holdPriority: row.holdPriority,
    recurrenceRule: row.recurrenceRule,
    recurrenceExdates: row.recurrenceExdates.map(isoTime),
    deletedAt: null,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  }
  if (row.recurrenceTimezone !== null) event.recurrenceTimezone = row.recurrenceTimezone
  if (row.recurrenceRdates.length > 0) event.recurrenceRdates = row.recurrenceRdates.map(isoTime)
  if (row.holdGroupId !== null) event.holdGroupId = encodeId('hgr', row.holdGroupId)
  if (row.renewUntil !== null && row.holdFence !== null)
    Object.assign(event, { renewable: true, renewUntil: isoTime(row.renewUntil), holdFence: row.holdFence })
  if (row.detailsSealed !== null) Object.assign(event, texts.details ?? openDetails(app.sealer, row))
  if (row.transparent) event.transparency = 'transparent'
  return event
}

/** An occurrence has the id of its series, and says which occurrence it is. */
export function presentInstance(app: App, instance: Instance, now: Date): EventInstanceRecord {
  const { row, startMs, endMs, isOccurrence, series } = instance
  const event = presentEvent(app, row, now)
  if (row.seriesId) return { ...event, ...overriddenFields(row, series) }
  if (!isOccurrence) return event
  const startTime = isoTimeOf(startMs)
  return {
    ...event,
    startTime,
    endTime: isoTimeOf(endMs),
    recurringEventId: event.id,
    originalStartTime: startTime,
  }
}

/** An occurrence that differs from its series. */
function overriddenFields(row: EventRow, series: EventRow | undefined) {
  const id = encodeId('evt', row.seriesId!)
  return {
    id,
    ...(series && {
      recurrenceRule: series.recurrenceRule,
      recurrenceExdates: series.recurrenceExdates.map(isoTime),
      ...(series.recurrenceTimezone !== null && { recurrenceTimezone: series.recurrenceTimezone }),
      ...(series.recurrenceRdates.length > 0 && { recurrenceRdates: series.recurrenceRdates.map(isoTime) }),
    }),
    recurringEventId: id,
    originalStartTime: isoTime(row.originalStart!),
    overridden: true as const,
  }
}

/** As the trash shows it. */
export const presentDeleted = (
  app: App,
  row: EventRow & { deletedAt: Date; isBooking: boolean },
  now: Date,
): DeletedEventRecord => ({
  ...presentEvent(app, row, now),
  deletedAt: isoTime(row.deletedAt),
  restorable_until: isRestorable(row) ? isoTime(restorableUntil(row.deletedAt)) : null,
})

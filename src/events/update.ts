// Editing an event: PATCH semantics, and the timers that follow.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { bumpSeenCalendar, countChange, onCalendar, stale } from '../calendars/revision.ts'
import { commit } from '../change.ts'
import { badRequest, invalid, invalidTransition } from '../errors.ts'
import { emit } from '../webhooks/emit.ts'
import { requireWritableEvent } from './find.ts'
import { settleLapsedHold } from './holds.ts'
import { descriptionPlace, type EventRecord, presentEvent, titlePlace } from './present.ts'
import { type PlacedEventRow, rewriteEvent } from './queries.ts'
import type { UpdateEventBody } from './schema.ts'
import { eventTimers } from './timers.ts'

export const updateEvent = (
  app: App,
  actor: Actor,
  calendarId: string,
  eventId: string,
  body: UpdateEventBody,
): Promise<EventRecord> =>
  onCalendar(calendarId, async () => {
    const before = await requireWritableEvent(app, actor, eventId, calendarId)
    const now = app.clock.now()
    if (await settleLapsedHold(app, before, now)) return stale
    if (before.status === 'hold') throw invalidTransition('A hold cannot be edited. Confirm it or release it.')
    if (before.status === 'cancelled' && body.status !== undefined) {
      throw invalidTransition('A cancelled event stays cancelled. Create a new one.')
    }
    if (body.recurrence_rule != null) throw badRequest('Recurring events are not available yet.', 'recurrence_rule')
    const row = editedRow(app, before, body, now)
    const event = presentEvent(app, row, now)
    const { matched } = await commit(app, bumpSeenCalendar(app, before, countChange(before.status, row.status)), {
      event: rewriteEvent(app.sql, row),
      ...eventTimers(app, row, now, 'changed'),
      deliveries: emit(app, actor.orgId, [
        { type: 'event.updated', payload: { calendar_id: event.calendarId, event } },
      ]),
      audit: audited(app, actor, 'event.update', event.id),
    })
    return matched ? event : stale
  })

function editedRow({ sealer }: App, before: PlacedEventRow, body: UpdateEventBody, now: Date): PlacedEventRow {
  const row: PlacedEventRow = {
    ...before,
    startTime: body.start_time ?? before.startTime,
    endTime: body.end_time ?? before.endTime,
    allDay: body.all_day ?? before.allDay,
    status: body.status ?? before.status,
    metadata: body.metadata ?? before.metadata,
    reminders: body.reminders === undefined ? before.reminders : body.reminders,
    updatedAt: now,
  }
  if (row.endTime <= row.startTime) {
    throw invalid('end_time must be after start_time', body.end_time ? 'end_time' : 'start_time', 'end_before_start')
  }
  if (body.title !== undefined) row.titleSealed = sealer.seal(titlePlace(row.id), body.title)
  if (body.description !== undefined) {
    row.descriptionSealed = body.description === null ? null : sealer.seal(descriptionPlace(row.id), body.description)
  }
  return row
}

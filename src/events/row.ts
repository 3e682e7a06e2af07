// From what a caller sends to the row of an event.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { titlePlace } from '../changeLog/sealed.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { sealMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { descriptionPlace } from './present.ts'
import type { CreateEventBody } from './schema.ts'

/** The row of a new event, with its texts sealed. */
export function newEventRow(app: App, actor: Actor, calendarId: Uuid, body: CreateEventBody, now: Date): EventRow {
  const id = newId()
  return {
    orgId: actor.orgId,
    id,
    calendarId,
    titleSealed: app.sealer.seal(titlePlace(id), body.title),
    descriptionSealed: body.description === undefined ? null : app.sealer.seal(descriptionPlace(id), body.description),
    startTime: body.start_time,
    endTime: body.end_time,
    allDay: body.all_day,
    status: body.status,
    source: 'internal',
    ...sealMetadata(app.sealer, id, body.metadata ?? {}),
    reminders: body.reminders ?? null,
    holdExpiresAt: body.hold_expires_at ?? null,
    holdPriority: body.hold_priority ?? 0,
    holdOutcome: null,
    recurrenceRule: body.recurrence_rule ?? null,
    recurrenceExdates: [],
    seriesLastStart: null,
    createdAt: now,
    updatedAt: now,
  }
}

// A confirmed event as part of another noun's change: a proposal that is resolved, a booking.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import type { Effect } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Emission } from '../webhooks/emit.ts'
import { insertEvent } from './insert.ts'
import { planEvent } from './plan.ts'
import type { EventRecord } from './present.ts'
import type { CreateEventBody } from './schema.ts'

type BuiltEvent = {
  id: Uuid
  event: EventRecord
  /** The guard returns the calendar's new `revision`, its `default_reminders` and its `destination_id`. */
  effects: Effect[]
  emission: Emission & { payload: object }
}

/** The caller counts the event on the calendar. */
export function buildEvent(app: App, actor: Actor, calendarId: Uuid, body: CreateEventBody, now: Date): BuiltEvent {
  const { row, event } = planEvent(app, actor, calendarId, body, now)
  return {
    id: row.id,
    event,
    effects: [...insertEvent(app, row), auditEntry(app, actor, 'event.create', event.id)],
    emission: { type: 'event.created', payload: { calendar_id: event.calendarId, event } },
  }
}

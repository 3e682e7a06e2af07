// From the body of a caller to a new event: its row, and its record as the API shows it.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { sealMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { planDetails } from './details.ts'
import { descriptionContext, type EventRecord, presentEvent } from './present.ts'
import type { CreateEventBody } from './schema.ts'

/** An event that is to be written. */
export type Planned = { row: EventRow; event: EventRecord }

export const inOrder = (times: readonly Date[]): Date[] => times.toSorted((a, b) => a.getTime() - b.getTime())

type Member = Pick<EventRow, 'holdGroupId' | 'renewUntil' | 'holdFence'>

/** Its texts are sealed. */
export function planEvent(
  app: App,
  actor: Actor,
  calendarId: Uuid,
  body: CreateEventBody,
  now: Date,
  member: Member = ofNoGroup,
): Planned {
  const id = newId()
  const texts = { title: body.title, description: body.description ?? null }
  const details = planDetails(app.sealer, id, body)
  const row: EventRow = {
    orgId: actor.orgId,
    id,
    calendarId,
    titleSealed: app.sealer.seal(titleContext(id), texts.title),
    descriptionSealed: texts.description === null ? null : app.sealer.seal(descriptionContext(id), texts.description),
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
    ...member,
    recurrenceRule: body.recurrence_rule ?? null,
    recurrenceExdates: [],
    recurrenceTimezone: body.recurrence_timezone ?? null,
    recurrenceRdates: inOrder(body.recurrence_rdates ?? []),
    recurrenceSkippedMs: 0,
    overriddenStarts: [],
    seriesLastStart: null,
    seriesId: null,
    originalStart: null,
    ownFields: null,
    ...details.columns,
    createdAt: now,
    updatedAt: now,
  }
  return { row, event: presentEvent(app, row, now, { ...texts, details: details.shown }) }
}

const ofNoGroup: Member = { holdGroupId: null, renewUntil: null, holdFence: null }

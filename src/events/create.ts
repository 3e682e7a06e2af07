// Creating events and holds.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { bumpSeenHolds, onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict, invalid, overloaded, planRequired } from '../errors.ts'
import { isPaid } from '../plans/plans.ts'
import { encodeId } from '../shapes/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { createSeries } from './createSeries.ts'
import { insertTogether } from './insertTogether.ts'
import { type EventRecord, presentEvent } from './present.ts'
import { type EventRow, endHolds, insertEvent, overlappingHolds } from './queries.ts'
import { newEventRow } from './row.ts'
import { decideHold, isHoldLengthAllowed, type LiveHold } from './rules.ts'
import type { CreateEventBody } from './schema.ts'
import { eventTimers } from './timers.ts'

export async function createEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
): Promise<EventRecord> {
  if (body.status === 'hold') return createHold(app, actor, calendarId, body)
  if (body.recurrence_rule !== undefined) return createSeries(app, actor, calendarId, body, body.recurrence_rule)
  return addEvent(app, actor, calendarId, body)
}

const maxTries = 3

/** Shares one round trip: the statement says whether the calendar may be written to; only a refusal is looked into. */
async function addEvent(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<EventRecord> {
  const calendarUuid = requireCalendarId(calendarId)
  for (let tries = 0; tries < maxTries; tries++) {
    const now = app.clock.now()
    const row = newEventRow(app, actor, calendarUuid, body, now)
    const event = presentEvent(app, row, now, { title: body.title, description: body.description ?? null })
    if (await insertTogether(app, { actor, row, event })) return event
    await requireLiveCalendar(app, actor, calendarId)
  }
  throw overloaded('Too many changes at once to this calendar. Try again.')
}

/** Of any number of concurrent overlapping holds the outcome equals some one-at-a-time order. */
async function createHold(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<EventRecord> {
  if (!isHoldLengthAllowed(body.hold_expires_at!, app.clock.now())) {
    throw invalid('hold_expires_at: must lie 30 seconds to 15 minutes ahead', 'hold_expires_at')
  }
  if (!isPaid(actor.plan)) throw planRequired('temporal_holds')
  return onCalendar(requireCalendarId(calendarId), async () => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const rivals = await overlappingHolds(app.sql, actor.orgId, calendar.id, body.start_time, body.end_time, now)
    const decision = decideHold(body.hold_priority ?? 0, rivals)
    if (decision.kind === 'blocked') {
      throw conflict(
        `The hold ${encodeId('evt', decision.by.id)} of priority ${decision.by.holdPriority} is in the way. Choose another time or a higher hold_priority.`,
        'hold_conflict',
      )
    }
    const row = newEventRow(app, actor, calendar.id, body, now)
    const granted = await placeHold(app, actor, row, decision.preempt, calendar.holdsRevision)
    return granted ? presentEvent(app, row, now) : stale
  })
}

async function placeHold(
  app: App,
  actor: Actor,
  row: EventRow,
  preempted: readonly LiveHold[],
  holdsRevision: number,
): Promise<boolean> {
  const { sql } = app
  const event = presentEvent(app, row, row.createdAt)
  const ids = preempted.map((hold) => hold.id)
  const expired = ids.map((id) => ({
    type: 'event.hold_expired' as const,
    payload: { calendar_id: event.calendarId, event_id: encodeId('evt', id) },
  }))
  const counts = { hold: 1 - ids.length, cancelled: ids.length }
  const { matched } = await commitParts(app, bumpSeenHolds(app, { ...row, holdsRevision }, counts), {
    event: insertEvent(sql, row),
    preempted: ids.length ? endHolds(sql, row.orgId, ids, 'preempted', row.createdAt) : undefined,
    silenced: ids.length
      ? sql`delete from timers t using guard where t.org_id = ${row.orgId} and t.subject_id = any (${ids}::uuid[])`
      : undefined,
    ...eventTimers(app, row, row.createdAt),
    // The loser's expired leaves before the winner's created: receivers rebuild state from this order.
    deliveries: emit(app, actor.orgId, [
      ...expired,
      { type: 'event.hold_created', payload: { calendar_id: event.calendarId, event } },
    ]),
    audit: auditEntry(app, actor, 'event.create', event.id),
  })
  return matched
}

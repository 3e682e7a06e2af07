// Creating events and holds.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpSeenHolds } from '../calendars/writes.ts'
import { commit } from '../changes/commit.ts'
import { again } from '../changes/decide.ts'
import { conflict, invalid, planRequired } from '../errors.ts'
import { isPaid } from '../plans/plans.ts'
import { encodeId } from '../shapes/ids.ts'
import { clearAllTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import type { EventRow } from './columns.ts'
import { createSeries } from './createSeries.ts'
import { insertEvent } from './insert.ts'
import { insertTogether } from './insertTogether.ts'
import { type EventRecord, presentEvent } from './present.ts'
import { overlappingHolds } from './queries.ts'
import { newEventRow } from './row.ts'
import { decideHold, isHoldLengthAllowed, type LiveHold } from './rules.ts'
import type { CreateEventBody } from './schema.ts'
import { endHolds } from './writes.ts'

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

/**
 * Shares one round trip: the statement says whether the calendar may be written to; only a refusal is looked into. It takes
 * no turn, so that many new events of one calendar share a statement.
 */
async function addEvent(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<EventRecord> {
  const key = requireCalendarId(calendarId)
  const add = async () => {
    const now = app.clock.now()
    const row = newEventRow(app, actor, key, body, now)
    const event = presentEvent(app, row, now, { title: body.title, description: body.description ?? null })
    if (await insertTogether(app, { actor, row, event })) return event
    await requireLiveCalendar(app, actor, calendarId)
    return again
  }
  const event = await add()
  return event === again ? onCalendar(app, key, add) : event
}

/** Of any number of concurrent overlapping holds the outcome equals some one-at-a-time order. */
async function createHold(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<EventRecord> {
  if (!isHoldLengthAllowed(body.hold_expires_at!, app.clock.now())) {
    throw invalid('hold_expires_at: must lie 30 seconds to 15 minutes ahead', 'hold_expires_at')
  }
  if (!isPaid(actor.plan)) throw planRequired('temporal_holds')
  return onCalendar(app, requireCalendarId(calendarId), async () => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const rivals = await overlappingHolds(app.sql, actor.orgId, calendar.id, body.start_time, body.end_time, now)
    const decision = decideHold(body.hold_priority ?? 0, rivals)
    if (decision.kind === 'blocked') throw holdConflict(decision.by)
    const row = newEventRow(app, actor, calendar.id, body, now)
    const isGranted = await placeHold(app, actor, row, decision.preempt, calendar.holdsRevision)
    return isGranted ? presentEvent(app, row, now) : again
  })
}

const holdConflict = ({ id, holdPriority }: LiveHold) =>
  conflict(
    `The hold ${encodeId('evt', id)} of priority ${holdPriority} is in the way. Choose another time or a higher hold_priority.`,
    'hold_conflict',
  )

/** False: holds of the calendar came or went since `holdsRevision` was read. */
async function placeHold(
  app: App,
  actor: Actor,
  row: EventRow,
  preempted: readonly LiveHold[],
  holdsRevision: number,
): Promise<boolean> {
  const event = presentEvent(app, row, row.createdAt)
  const ids = preempted.map((hold) => hold.id)
  const expired = ids.map((id) => ({
    type: 'event.hold_expired' as const,
    payload: { calendar_id: event.calendarId, event_id: encodeId('evt', id) },
  }))
  const { matched } = await commit(app, {
    guard: bumpSeenHolds(app, { ...row, holdsRevision }, { hold: 1 - ids.length, cancelled: ids.length }),
    effects: [
      ...insertEvent(app, row),
      ...(ids.length > 0
        ? [endHolds(app, row.orgId, ids, 'preempted', row.createdAt), clearAllTimers(app, row.orgId, ids)]
        : []),
      // The loser's expired leaves before the winner's created: receivers rebuild state from this order.
      emit(app, actor.orgId, [
        ...expired,
        { type: 'event.hold_created', payload: { calendar_id: event.calendarId, event } },
      ]),
      auditEntry(app, actor, 'event.create', event.id),
    ],
  })
  return matched
}

// Creating events and holds.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpSeenHolds, type CalendarCondition } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { invalid, planRequired } from '../errors.ts'
import { isPaid } from '../plans/plans.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { answered } from '../storedResponses/answered.ts'
import { clearAllTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import type { EventRow } from './columns.ts'
import { createFreeEvent } from './createFree.ts'
import { createSeries } from './createSeries.ts'
import { type ExternalSync, externalSyncOf } from './externalSync.ts'
import { holdConflict } from './holdConflict.ts'
import { insertEvent } from './insert.ts'
import { insertTogether } from './insertTogether.ts'
import { presentEvent } from './present.ts'
import { overlappingHolds } from './queries.ts'
import { type Asked, asJudged, judgeEvent, notFree, refusedBy, type Terms, termsOf, toldClash } from './requireFree.ts'
import { newEventRow } from './row.ts'
import { decideHold, isHoldLengthAllowed, type LiveHold } from './rules.ts'
import type { CreateEventBody } from './schema.ts'
import { requireWeekday } from './weekday.ts'
import { endHolds } from './writes.ts'
import { answerOf, type Beside, type Written } from './written.ts'

export async function createEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  asked: Asked = {},
): Promise<Written> {
  if (body.weekday) await requireSentWeekday(app, actor, calendarId, body)
  const terms = termsOf(body.require_free, asked)
  if (body.status === 'hold') return createHold(app, actor, calendarId, body, terms)
  if (body.recurrence_rule !== undefined) return createSeries(app, actor, calendarId, body, body.recurrence_rule, terms)
  const free = refusedBy(terms)
  if (free && body.status !== 'cancelled') return createFreeEvent(app, actor, calendarId, body, { ...terms, free })
  return addEvent(app, actor, calendarId, body, terms)
}

/** Reads the calendar only if its zone matters. */
async function requireSentWeekday(app: App, actor: Actor, calendarId: string, body: CreateEventBody): Promise<void> {
  const zone = body.start_zone ?? (await requireLiveCalendar(app, actor, calendarId)).timezone
  requireWeekday(body, body.start_time, zone)
}

/**
 * Shares one round trip: the statement says whether the calendar may be written to and is published nowhere; only a refusal is
 * looked into. It takes no turn, so that many new events of one calendar share a statement.
 */
async function addEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms,
): Promise<Written> {
  const key = requireCalendarId(calendarId)
  let destinationId: Uuid | null = null
  const add = async () => {
    const now = app.clock.now()
    const row = newEventRow(app, actor, key, body, now)
    const event = presentEvent(app, row, now, { title: body.title, description: body.description ?? null })
    const clash = await toldClash(app, row, {}, terms, now)
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    if (await insertTogether(app, { actor, row, event, destinationId, sync, beside: { clash } })) {
      return { event, sync, clash }
    }
    ;({ destinationId } = await requireLiveCalendar(app, actor, calendarId))
    return again
  }
  const written = await add()
  return written === again ? onCalendar(app, key, add) : written
}

/** Of any number of concurrent overlapping holds the outcome equals some one-at-a-time order. */
async function createHold(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms,
): Promise<Written> {
  if (!isHoldLengthAllowed(body.hold_expires_at!, app.clock.now())) {
    throw invalid('hold_expires_at: must lie 30 seconds to 15 minutes ahead', 'hold_expires_at')
  }
  if (!isPaid(actor.plan)) throw planRequired('temporal_holds')
  return onCalendar(app, requireCalendarId(calendarId), async () => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const wanted = wantedHold(calendar, body)
    const omitted = { holdsBelow: wanted.holdPriority }
    // Before the holds are read, so that a hold that is in the way is always told as a hold.
    const rules = refusedBy(terms)
    const judgement = rules && (await judgeEvent(app, wanted, omitted, rules, now))
    const rivals = await overlappingHolds(app.sql, actor.orgId, calendar.id, body.start_time, body.end_time, now)
    const decision = decideHold(wanted.holdPriority, rivals)
    if (decision.kind === 'blocked') throw await holdConflict(app, wanted, decision.by, terms, now)
    if (judgement && judgement.inTheWay.length > 0) throw await notFree(app, wanted, omitted, judgement, terms, now)
    const row = newEventRow(app, actor, calendar.id, body, now)
    const isFree = asJudged(app, judgement)
    const beside = {
      preempted: decision.preempt.map(({ id }) => encodeId('evt', id)),
      clash: await toldClash(app, row, omitted, terms, now),
    }
    const sync = await externalSyncOf(app, calendar.destinationId, { row, event: presentEvent(app, row, now) }, now)
    const hold = { row, sync, preempted: decision.preempt, holdsRevision: calendar.holdsRevision, isFree, beside }
    const isGranted = await placeHold(app, actor, hold)
    return isGranted ? { event: presentEvent(app, row, now), sync, ...beside } : again
  })
}

const wantedHold = (calendar: { orgId: Uuid; id: Uuid; agentId: Uuid | null }, body: CreateEventBody) => ({
  orgId: calendar.orgId,
  calendarId: calendar.id,
  agentId: calendar.agentId,
  startTime: body.start_time,
  endTime: body.end_time,
  title: body.title,
  allDay: body.all_day,
  holdPriority: body.hold_priority ?? 0,
  recurrenceRule: null,
  recurrenceExdates: [],
})

type GrantedHold = {
  row: EventRow
  sync: ExternalSync
  preempted: readonly LiveHold[]
  holdsRevision: number
  isFree: CalendarCondition
  beside: Beside
}

/** False: holds of the calendar came or went since `holdsRevision` was read. */
async function placeHold(app: App, actor: Actor, granted: GrantedHold): Promise<boolean> {
  const { row, sync, preempted, holdsRevision, isFree, beside } = granted
  const event = presentEvent(app, row, row.createdAt)
  const ids = preempted.map((hold) => hold.id)
  const expired = ids.map((id) => ({
    type: 'event.hold_expired' as const,
    payload: { calendar_id: event.calendarId, event_id: encodeId('evt', id) },
  }))
  const { matched } = await commit(app, {
    guard: bumpSeenHolds(app, { ...row, holdsRevision }, { hold: 1 - ids.length, cancelled: ids.length }, isFree),
    effects: [
      ...insertEvent(app, row),
      ...(ids.length > 0
        ? [endHolds(app, row.orgId, ids, 'preempted', row.createdAt), clearAllTimers(app, row.orgId, ids)]
        : []),
      // The loser's expired leaves before the winner's created: receivers rebuild state from this order.
      ...emit(app, byActor(actor), [
        ...expired,
        { type: 'event.hold_created', payload: { calendar_id: event.calendarId, event } },
      ]),
      auditEntry(app, actor, 'event.create', event.id),
      answered(app, actor, answerOf({ event, sync }), { made: [event.id], beside }),
    ],
  })
  return matched
}

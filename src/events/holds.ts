// How a hold ends: confirmed, released or expired. Whoever comes first wins, the others find a later revision or no timer.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { asDecided, bumpSeenEvent, countChange, onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict } from '../errors.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { clearTimers, type DueTimer, type Fired } from '../timers/timers.ts'
import { emit, emitPerKey } from '../webhooks/emit.ts'
import { requireWritableEvent, turnOf } from './find.ts'
import { type EventRecord, presentEvent } from './present.ts'
import { livingHolds, type PlacedEventRow, rewriteEvent } from './queries.ts'
import { decideEndOfHold, isLapsed } from './rules.ts'
import { changedTimers } from './timers.ts'

/** For what an organization is told of its use. */
export { liveHoldCount } from './queries.ts'

export const confirmHold = (app: App, actor: Actor, eventId: string): Promise<EventRecord> =>
  endHold(app, actor, eventId, 'confirmed')

export const releaseHold = (app: App, actor: Actor, eventId: string): Promise<EventRecord> =>
  endHold(app, actor, eventId, 'released')

async function endHold(
  app: App,
  actor: Actor,
  eventId: string,
  outcome: 'confirmed' | 'released',
): Promise<EventRecord> {
  return onCalendar(await turnOf(app, actor, eventId, undefined), async () => {
    const before = await requireWritableEvent(app, actor, eventId, undefined)
    const now = app.clock.now()
    const decision = decideEndOfHold(before, now)
    if (decision !== 'granted') throw conflict(refusals[decision], decision)
    const status = outcome === 'confirmed' ? ('confirmed' as const) : ('cancelled' as const)
    const row = { ...before, status, holdOutcome: outcome, updatedAt: now }
    const event = presentEvent(app, row, now)
    const guard = bumpSeenEvent(app, before, countChange('hold', status), asDecided(app, before))
    const { matched } = await commitParts(app, guard, {
      event: rewriteEvent(app.sql, row),
      ...changedTimers(app, row, now, []),
      deliveries: emit(app, actor.orgId, [
        outcome === 'confirmed'
          ? { type: 'event.hold_confirmed', payload: { calendar_id: event.calendarId, event } }
          : { type: 'event.hold_released', payload: { calendar_id: event.calendarId, event_id: event.id } },
      ]),
      audit: auditEntry(app, actor, 'event.update', event.id),
    })
    return matched ? event : stale
  })
}

const refusals = {
  hold_expired: 'The hold has expired. Place a new one.',
  not_a_hold: 'This event is not a hold any more, or never was one.',
}

/**
 * Expires a hold whose time is up before its timer does, for a change that must not overtake its `hold_expired`. True when
 * the hold had lapsed: what was read is then out of date.
 */
export async function settleLapsedHold(app: App, row: PlacedEventRow, now: Date): Promise<boolean> {
  if (!isLapsed(row, now)) return false
  await commitParts(app, bumpSeenEvent(app, row, countChange('hold', 'cancelled')), {
    event: rewriteEvent(app.sql, { ...row, status: 'cancelled', holdOutcome: 'expired', updatedAt: now }),
    cleared: clearTimers(app, row),
    deliveries: emit(app, row.orgId, [{ type: 'event.hold_expired', payload: expiredPayload(row.calendarId, row.id) }]),
  })
  return true
}

const expiredPayload = (calendarId: Uuid, eventId: Uuid) => ({
  calendar_id: encodeId('cal', calendarId),
  event_id: encodeId('evt', eventId),
})

/**
 * Expires a block of holds whose timers are due. The calendar's row is locked first, as every other change does; what
 * somebody else holds at this moment, another shard with holds of the same calendar for one, is skipped until later.
 */
export async function expireHolds(app: App, due: readonly DueTimer[]): Promise<Fired> {
  const { sql, clock } = app
  const now = clock.now()
  const living = new Set((await livingHolds(sql, due)).map(({ id }) => id))
  const live = due.filter((timer) => living.has(timer.subjectId))
  const block = live.map(({ orgId, subjectId, generation }) => ({ org_id: orgId, subject_id: subjectId, generation }))
  const guard = sql`
    select t.org_id, t.subject_id, t.calendar_id, t.subject_id::text as key
    from jsonb_to_recordset(${sql.json(block)}) as b (org_id uuid, subject_id uuid, generation bigint)
    join timers t on t.org_id = b.org_id and t.subject_id = b.subject_id and t.kind = 'hold_expiry'
    join calendars c on c.org_id = t.org_id and c.id = t.calendar_id and c.deleted_at is null
    join events e on e.org_id = t.org_id and e.id = t.subject_id and e.status = 'hold' and e.deleted_at is null
    where t.generation = b.generation and t.due_at <= app_now()
    for no key update of c, e, t skip locked`
  const { rows } = await commitParts<{ subjectId: Uuid }>(app, guard, {
    calendars: sql`
      update calendars c set revision = c.revision + 1, holds_revision = c.holds_revision + 1,
        hold_events = c.hold_events - n.expired,
        cancelled_events = c.cancelled_events + n.expired
      from (select org_id, calendar_id, count(*) as expired from guard group by org_id, calendar_id) n
      where c.org_id = n.org_id and c.id = n.calendar_id`,
    events: sql`
      update events e set status = 'cancelled', hold_outcome = 'expired', sequence = e.sequence + 1, updated_at = ${now}
      from guard
      where e.org_id = guard.org_id and e.id = guard.subject_id`,
    taken: sql`
      delete from timers t using guard
      where t.org_id = guard.org_id and t.subject_id = guard.subject_id and t.kind = 'hold_expiry'`,
    deliveries: emitPerKey(
      app,
      live.map(({ orgId, subjectId, calendarId }) => ({
        orgId,
        key: subjectId,
        type: 'event.hold_expired',
        payload: expiredPayload(calendarId, subjectId),
      })),
    ),
  })
  const taken = new Set(rows.map((row) => row.subjectId))
  return {
    fired: live.filter((timer) => taken.has(timer.subjectId)),
    stale: due.filter((timer) => !living.has(timer.subjectId)),
    later: live.filter((timer) => !taken.has(timer.subjectId)),
  }
}

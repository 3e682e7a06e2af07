// How a hold ends: confirmed, released or expired. The first change wins; the others find a later revision or no timer.

import type { Actor } from '../actors/actor.ts'
import { changedAt, followTag } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { countExpiredHolds } from '../calendars/writes.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { guard } from '../commit/step.ts'
import { conflict } from '../errors.ts'
import { withinDay } from '../quotas/keyDays.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { rowsOf } from '../stores/sql.ts'
import { takeTimers } from '../timers/takenWrites.ts'
import type { DueTimer, Fired } from '../timers/timers.ts'
import { type Emission, emitPerKey } from '../webhooks/emit.ts'
import { onEventOrCalendar } from './edit.ts'
import { asUpdate, writeByItself, writeEdit } from './editedEvents.ts'
import { externalSyncOfEdit } from './externalSync.ts'
import { requireWritableEvent } from './find.ts'
import type { DueEventTimer } from './firingQueries.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { type EventRecord, presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { overlapsToReport, type Requirement, requireFree } from './requireFree.ts'
import { decideEndOfHold, isLapsed } from './rules.ts'
import { changedMoments } from './timers.ts'
import { expireHoldRows } from './writes.ts'
import type { Written } from './written.ts'

export const confirmHold = (
  app: App,
  actor: Actor,
  eventId: string,
  requirement: Requirement = asItIs,
): Promise<Written> =>
  withinDay(app, actor, 'events', () =>
    endHold(
      app,
      actor,
      eventId,
      'confirmed',
      mustBeFree(actor) ? { ...requirement, free: 'availability' } : requirement,
    ),
  )

export const releaseHold = (app: App, actor: Actor, eventId: string): Promise<Written> =>
  endHold(app, actor, eventId, 'released', asItIs)

const asItIs: Requirement = { free: 'any', explain: false }

const endHold = (
  app: App,
  actor: Actor,
  eventId: string,
  outcome: 'confirmed' | 'released',
  requirement: Requirement,
): Promise<Written> =>
  onEventOrCalendar(app, actor, { eventId }, requirement, async () => {
    const before = await requireWritableEvent(app, actor, eventId, undefined)
    const now = app.clock.now()
    if (outcome === 'confirmed') requireAllowedTimes(actor, before, now)
    const decision = decideEndOfHold(before, now)
    if (decision !== 'granted') throw conflict(refusals[decision], decision)
    const isConfirmed = outcome === 'confirmed'
    const row: EventWithCalendar = {
      ...before,
      status: isConfirmed ? 'confirmed' : 'cancelled',
      holdOutcome: outcome,
      updatedAt: changedAt(actor, now, before.updatedAt),
    }
    const free = await requireFree(app, row, { eventId: row.id }, requirement, now)
    if (!free) return again
    const overlaps = await overlapsToReport(app, row, { eventId: row.id }, requirement, now)
    const event = presentEvent(app, row, now)
    const written = { event, overlaps, sync: await externalSyncOfEdit(app, before, { row, event }, now) }
    const edit = {
      ...{ before, row, now, moments: changedMoments(row, now) },
      ...{ publishes: isConfirmed, isMoved: true, seenRevision: free.revision },
    }
    const emission = endOfHold[outcome](event)
    return (await writeEdit(app, actor, edit, { ...asUpdate(written), emission })) ? written : again
  })

const endOfHold = {
  confirmed: (event: EventRecord): Emission => ({
    type: 'event.hold_confirmed',
    payload: { calendar_id: event.calendarId, event },
  }),
  released: (event: EventRecord): Emission => ({
    type: 'event.hold_released',
    payload: { calendar_id: event.calendarId, event_id: event.id },
  }),
}

const refusals = {
  hold_expired: 'The hold has expired. Place a new one.',
  not_a_hold: 'This event is not a hold any more, or never was one.',
}

/** A hold whose time is up, as it will be once that is settled. A dry run settles nothing. */
export const asSettled = (row: EventWithCalendar, now: Date): EventWithCalendar =>
  isLapsed(row, now) ? { ...row, status: 'cancelled', holdOutcome: 'expired', updatedAt: now } : row

/**
 * Expires a hold whose time is up before its timer does, for a change that must not overtake its `hold_expired`. True if the
 * hold had lapsed: the caller must then read again. The tag that the caller named has been compared before.
 */
export async function settleLapsedHold(app: App, actor: Actor, row: EventWithCalendar, now: Date): Promise<boolean> {
  if (!isLapsed(row, now)) return false
  const settled = asSettled(row, now)
  const isWritten = await writeByItself(
    app,
    actor,
    { before: row, row: settled, now, moments: [], publishes: false, isMoved: false },
    { type: 'event.hold_expired', payload: expiredPayload(row.calendarId, row.id) },
    byItself(row.orgId, 'timer'),
  )
  if (isWritten) followTag(actor, () => presentEvent(app, settled, now))
  return true
}

const expiredPayload = (calendarId: Uuid, eventId: Uuid) => ({
  calendar_id: encodeId('cal', calendarId),
  event_id: encodeId('evt', eventId),
})

/** Expires a block of holds whose timers are due. */
export async function expireHolds(app: App, due: readonly DueEventTimer[]): Promise<Fired> {
  const live = due.filter(({ status }) => status === 'hold')
  const { rows } = await commit<{ key: string }>(app, {
    guard: dueHolds(app, live),
    effects: [
      countExpiredHolds(app),
      expireHoldRows(app, app.clock.now()),
      takeTimers(app, 'hold_expiry'),
      ...emitPerKey(
        app,
        'timer',
        live.map(({ orgId, subjectId, calendarId }) => ({
          orgId,
          key: subjectId,
          type: 'event.hold_expired',
          payload: expiredPayload(calendarId, subjectId),
        })),
      ),
    ],
    returning: app.sql`select key from ${guard}`,
  })
  const taken = new Set(rows.map(({ key }) => key))
  return {
    fired: live.filter((timer) => taken.has(timer.subjectId)),
    stale: due.filter(({ status }) => status !== 'hold'),
    later: live.filter((timer) => !taken.has(timer.subjectId)),
  }
}

/**
 * The guard. It locks the calendar's row first, like every other change; rows that another change has locked at this moment,
 * such as those of a worker with holds of the same calendar, are skipped until later.
 */
const dueHolds = ({ sql }: App, timers: readonly DueTimer[]) => sql`
  select
    t.org_id, t.subject_id, t.calendar_id, t.subject_id::text as key,
    c.agent_id, c.revision + 1 as revision
  from ${rowsOf(sql, timers, { orgId: 'uuid', subjectId: 'uuid', generation: 'bigint' }, 'b')}
  join timers t on t.org_id = b.org_id and t.subject_id = b.subject_id and t.kind = 'hold_expiry'
  join calendars c on c.org_id = t.org_id and c.id = t.calendar_id and c.deleted_at is null
  join events e on e.org_id = t.org_id and e.id = t.subject_id and e.status = 'hold' and e.deleted_at is null
  where t.generation = b.generation
    and t.due_at <= app_now()
  for no key update of c, e, t skip locked`

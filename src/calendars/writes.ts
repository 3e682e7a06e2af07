// What writes `calendars`, and the conditions that such writes check. A calendar's revision counts its changes: a change
// that was decided by what is on a calendar is written only if the revision is still the one that was read. A change that
// depends on less (one event, or the holds) checks less, so that a stream of new events does not delay it.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import type { CalendarRow } from './queries.ts'

/** A condition on the calendar that a statement knows by this alias. */
export type CalendarCondition = (calendar: Fragment) => Fragment

/** The calendar can be written to: it lives and its owner is not decommissioned. */
export const isOpen = (sql: Sql, calendar: Fragment): Fragment => sql`
  ${calendar}.deleted_at is null
  and not exists (
    select from agents owner
    where owner.org_id = ${calendar}.org_id and owner.id = ${calendar}.agent_id and owner.status = 'decommissioned')`

export const insertCalendar = (sql: Sql, row: CalendarRow, feedTokenHash: Buffer): Effect =>
  effect(
    'calendar',
    sql`
    insert into calendars (
      org_id, id, agent_id,
      name, timezone, agent_status, default_reminders, metadata,
      feed_token_hash, feed_token_sealed,
      created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.agentId}::uuid,
      ${row.name}::text, ${row.timezone}::text, ${row.agentStatus}::text, ${row.defaultReminders}::integer[],
      ${json(sql, row.metadata)},
      ${feedTokenHash}::bytea, ${row.feedTokenSealed}::bytea,
      ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}`,
  )

/** Matches while nothing on the calendar has changed since it was read. Returns its new `revision` and its `agent_id`. */
export const updateCalendarGuard = (sql: Sql, row: CalendarRow): Fragment => sql`
  update calendars set
    name = ${row.name},
    timezone = ${row.timezone},
    agent_status = ${row.agentStatus},
    default_reminders = ${row.defaultReminders}::integer[],
    metadata = ${json(sql, row.metadata)},
    updated_at = ${row.updatedAt},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and deleted_at is null
  returning revision, agent_id`

/**
 * Matches while the calendar lives; with `asSeen` while nothing on it has changed since it was read. Returns its new
 * `revision`, its `agent_id` and its `destination_id`.
 */
export const removeCalendarGuard = (
  sql: Sql,
  { orgId, id, revision }: CalendarRow,
  now: Date,
  asSeen: boolean,
): Fragment => sql`
  update calendars set
    deleted_at = ${now},
    updated_at = ${now},
    revision = revision + 1
  where org_id = ${orgId} and id = ${id} and deleted_at is null
    ${asSeen ? sql`and revision = ${revision}` : sql``}
  returning revision, agent_id, destination_id`

type EventStatus = 'confirmed' | 'tentative' | 'cancelled' | 'hold'

/** By how much a change moves the counts of living events, by status. */
type CountChange = Partial<Record<EventStatus, number>>

/** How the counts move when one event goes from one status to another; undefined: the event does not exist. */
export function countChange(from: EventStatus | undefined, to: EventStatus | undefined): CountChange {
  if (from === to) return {}
  return { ...(from && { [from]: -1 }), ...(to && { [to]: 1 }) }
}

/** The guard of a change to a calendar's events. Returns `revision`, `default_reminders`, `agent_id` and `destination_id`. */
export const bumpCalendar = (
  { sql }: App,
  calendar: { orgId: Uuid; calendarId: Uuid },
  counts: CountChange,
  condition: CalendarCondition,
): Fragment => sql`
  update calendars c set
    revision = c.revision + 1,
    confirmed_events = c.confirmed_events + ${counts.confirmed ?? 0},
    tentative_events = c.tentative_events + ${counts.tentative ?? 0},
    cancelled_events = c.cancelled_events + ${counts.cancelled ?? 0},
    hold_events = c.hold_events + ${counts.hold ?? 0},
    holds_revision = c.holds_revision + ${counts.hold === undefined ? 0 : 1}
  where c.org_id = ${calendar.orgId} and c.id = ${calendar.calendarId} and c.deleted_at is null
    and ${condition(sql`c`)}
  returning c.revision, c.default_reminders, c.agent_id, c.destination_id`

/** `bumpCalendar` that matches only while nothing has changed since `revision` was read. */
export const bumpSeenCalendar = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; revision: number },
  counts: CountChange,
): Fragment => bumpCalendar(app, seen, counts, (c) => app.sql`${c}.revision = ${seen.revision}`)

/** `bumpCalendar` that matches only while no hold has come or gone since `holdsRevision` was read. */
export const bumpSeenHolds = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; holdsRevision: number },
  counts: CountChange,
  condition: CalendarCondition = () => app.sql`true`,
): Fragment =>
  bumpCalendar(app, seen, counts, (c) => app.sql`${c}.holds_revision = ${seen.holdsRevision} and ${condition(c)}`)

/**
 * `bumpCalendar` that matches only while the event is as it was read; `version` is that of its row. The inner select
 * locks both rows, the calendar first as every change does, and compares their latest versions.
 */
export const bumpSeenEvent = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; id: Uuid; version: string },
  counts: CountChange,
  condition: CalendarCondition = () => app.sql`true`,
): Fragment =>
  bumpCalendar(
    app,
    seen,
    counts,
    (c) => app.sql`
    ${c}.id = (
      select locked.id
      from calendars locked
      join events e on e.org_id = locked.org_id and e.calendar_id = locked.id
      where locked.org_id = ${seen.orgId} and locked.id = ${seen.calendarId}
        and e.id = ${seen.id} and e.xmin::text = ${seen.version}
      for no key update of locked, e)
    and ${condition(c)}`,
  )

/**
 * For a change that sets timers: the default reminders that they were made from still hold, and the calendar can be
 * written to. Other changes of the calendar do not matter. `cap`: the step that found a place under the plan's cap.
 */
export const asDecided =
  ({ sql }: App, calendar: { defaultReminders: readonly number[] | null }, cap?: Step): CalendarCondition =>
  (c) =>
    sql`
    ${c}.default_reminders is not distinct from ${calendar.defaultReminders}::integer[]
    and ${isOpen(sql, c)}
    ${cap ? sql`and exists (select from ${cap})` : sql``}`

/**
 * A step that locks the calendars of `items` (`org_id, calendar_id`) that can be written to. Two such statements never wait for
 * each other, because they lock their calendars in one order.
 */
const lockCalendars = (sql: Sql, items: Step): Step =>
  step(
    'locked_calendars',
    sql`
    select c.org_id, c.id, c.agent_id, c.destination_id, c.revision
    from calendars c
    where (c.org_id, c.id) in (select org_id, calendar_id from ${items}) and ${isOpen(sql, sql`c`)}
    order by c.org_id, c.id
    for no key update of c`,
  )

/**
 * For many new events, none of them a hold, in `items`: `org_id, calendar_id, status, actor_agent_id` (null: whoever acts
 * reaches all calendars), `destination_id` (where the calendar was published to, when it was read). `asSeen`: each was decided by
 * what is on its calendar, and has its `seen_revision`; if that is another by now, none of its calendar is admitted. `admitted`
 * is a `from` clause: `i`, the items whose calendar can be written to, with `c`, the calendar's new `revision` and its
 * `default_reminders`.
 */
export function bumpCalendars(
  { sql }: App,
  items: Step,
  asSeen = false,
): { locked: Step; bumped: Step; admitted: Fragment } {
  const isReached = (revision: Fragment) => sql`
    c.org_id = i.org_id
    and c.id = i.calendar_id
    and (i.actor_agent_id is null or i.actor_agent_id = c.agent_id)
    and i.destination_id is not distinct from c.destination_id
    ${asSeen ? sql`and i.seen_revision = ${revision}` : sql``}`
  const locked = lockCalendars(sql, items)
  const bumped = step(
    'bumped_calendars',
    sql`
    update calendars c set
      revision = c.revision + 1,
      confirmed_events = c.confirmed_events + n.confirmed,
      tentative_events = c.tentative_events + n.tentative,
      cancelled_events = c.cancelled_events + n.cancelled
    from (
      select
        c.org_id, c.id,
        count(*) filter (where i.status = 'confirmed') as confirmed,
        count(*) filter (where i.status = 'tentative') as tentative,
        count(*) filter (where i.status = 'cancelled') as cancelled
      from ${items} i
      join ${locked} c on ${isReached(sql`c.revision`)}
      group by c.org_id, c.id) n
    where c.org_id = n.org_id and c.id = n.id
    returning c.org_id, c.id, c.agent_id, c.destination_id, c.revision, c.default_reminders`,
  )
  return { locked, bumped, admitted: sql`${items} i join ${bumped} c on ${isReached(sql`c.revision - 1`)}` }
}

/**
 * One more confirmed event, for a change whose guard is another row. `locked` is a step: it locks the calendar first, as
 * every change does, and has the `revision` that the calendar will have, its `default_reminders` and its `destination_id`; it
 * has no row if the calendar is gone or its owner is decommissioned. `counted` is the effect that goes with it.
 */
export function countConfirmed({ sql }: App, orgId: Uuid, calendarId: Uuid): { locked: Step; counted: Effect } {
  const locked = step(
    'calendar',
    sql`
    select c.revision + 1 as revision, c.default_reminders, c.agent_id, c.destination_id
    from calendars c
    where c.org_id = ${orgId} and c.id = ${calendarId} and ${isOpen(sql, sql`c`)}
    for no key update of c`,
  )
  const counted = effect(
    'counted_event',
    sql`
    update calendars c set
      revision = c.revision + 1,
      confirmed_events = c.confirmed_events + 1
    from ${guard}
    where c.org_id = ${orgId} and c.id = ${calendarId}`,
  )
  return { locked, counted }
}

/** Counts the holds of the guard's rows, `org_id, calendar_id`, as expired. The guard has locked the calendars. */
export const countExpiredHolds = ({ sql }: App): Effect =>
  effect(
    'calendars',
    sql`
    update calendars c set
      revision = c.revision + 1,
      holds_revision = c.holds_revision + 1,
      hold_events = c.hold_events - n.expired,
      cancelled_events = c.cancelled_events + n.expired
    from (select org_id, calendar_id, count(*) as expired from ${guard} group by org_id, calendar_id) n
    where c.org_id = n.org_id and c.id = n.calendar_id`,
  )

/** One more change of the calendar of the guard, `org_id, calendar_id`, which has locked it. */
export const bumpGuardedCalendar = ({ sql }: App): Effect =>
  effect(
    'calendar',
    sql`
    update calendars c set revision = c.revision + 1
    from ${guard}
    where c.org_id = ${guard}.org_id and c.id = ${guard}.calendar_id`,
  )

/** A step that locks all calendars of the organization whose `id` another step returned. Returns each `id` and `revision`. */
export const lockAllCalendars = (sql: Sql, organization: Step): Step =>
  step(
    'locked_calendars',
    sql`
    select c.id, c.revision
    from calendars c
    where c.org_id = (select id from ${organization}) and c.deleted_at is null
    order by c.org_id, c.id
    for no key update of c`,
  )

/** A step that locks a calendar which is not deleted. Returns its `revision` and its `agent_id`. */
export const lockLivingCalendar = (sql: Sql, { orgId, calendarId }: { orgId: Uuid; calendarId: Uuid }): Step =>
  step(
    'living_calendar',
    sql`
    select c.revision, c.agent_id
    from calendars c
    where c.org_id = ${orgId} and c.id = ${calendarId} and c.deleted_at is null
    for no key update of c`,
  )

type NewFeed = { id: Uuid; hash: Buffer; sealed: Buffer }

/** Gives calendars of the organization whose `id` the guard returned new feed addresses. A step has locked them. */
export const replaceFeeds = (sql: Sql, feeds: readonly NewFeed[], now: Date): Effect =>
  effect(
    'feeds',
    sql`
    update calendars c
    set feed_token_hash = f.hash, feed_token_sealed = f.sealed, revision = c.revision + 1, updated_at = ${now}
    from ${guard}, ${rowsOf(sql, feeds, { id: 'uuid', hash: 'bytea', sealed: 'bytea' }, 'f')}
    where c.org_id = ${guard}.id and c.id = f.id and c.deleted_at is null`,
  )

/**
 * Closes all calendars of the organization whose `id` the guard returned: feeds find nothing from now on, timers do not
 * fire, and changes in progress match nothing.
 */
export const closeCalendars = (sql: Sql, now: Date): Effect =>
  effect(
    'calendars',
    sql`
    update calendars c
    set deleted_at = ${now}
    from ${guard}
    where c.org_id = ${guard}.id and c.deleted_at is null`,
  )

/**
 * The guard of a change of where the calendar is published to. Matches while that is as it was read and, for a new place, the
 * calendar can be written to; returns `org_id`. Every change of an event locks this row, so it comes wholly before or after.
 */
export const publishCalendarGuard = (
  sql: Sql,
  { orgId, id, destinationId }: Pick<CalendarRow, 'orgId' | 'id' | 'destinationId'>,
  next: Uuid | null,
  standing: Step,
): Fragment => sql`
  update calendars c
  set destination_id = ${next}::uuid
  where c.org_id = ${orgId} and c.id = ${id} and c.destination_id is not distinct from ${destinationId}::uuid
    ${next === null ? sql`` : sql`and ${isOpen(sql, sql`c`)}`} and exists (select from ${standing})
  returning c.org_id`

/** The calendars that are published to these destinations are published nowhere from now on. */
export const unpublishCalendars = (sql: Sql, orgId: Uuid, destinations: Fragment): Effect =>
  effect(
    'unpublished_calendars',
    sql`
    update calendars c
    set destination_id = null
    from (
      -- locks before the update, in one order
      select l.org_id, l.id
      from calendars l
      where l.org_id = ${orgId} and l.destination_id in (${destinations}) and exists (select from ${guard})
      order by l.org_id, l.id
      for no key update of l
    ) locked
    where c.org_id = locked.org_id and c.id = locked.id`,
  )

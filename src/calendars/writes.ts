// Writes `calendars`, and the conditions that such writes check. A calendar's revision counts its changes: a change that
// depends on the events of a calendar is written only if the revision is still the one that was read. A change that depends on
// less (one event, or the holds) checks less, so that a stream of new events does not delay it.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import { type Capped, cappedKind } from '../recording/capped.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import { Template } from '../stores/template.ts'
import type { CalendarRow } from './queries.ts'

/** A condition on the calendar that a statement knows by this alias. */
export type CalendarCondition = (calendar: Fragment) => Fragment

/** The calendar can be written to: it lives and its owner is not decommissioned. */
export const isOpen = (sql: Sql, calendar: Fragment): Fragment => sql`
  ${calendar}.deleted_at is null
  and not exists (
    select from agents owner
    where owner.org_id = ${calendar}.org_id and owner.id = ${calendar}.agent_id and owner.status = 'decommissioned')`

type NewCalendar = CalendarRow & { feedTokenHash: Buffer }

/** New calendars, which a plan caps. */
export const newCalendars = cappedKind<Capped & NewCalendar>({
  columns: {
    agentId: 'uuid',
    name: 'text',
    timezone: 'text',
    agentStatus: 'text',
    defaultReminders: 'integer[]',
    metadata: 'jsonb',
    feedTokenHash: 'bytea',
    feedTokenSealed: 'bytea',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
  subject: ({ sql }) => sql`i.id as calendar_id, 0::bigint as revision`,
  insert: ({ sql }, from) =>
    effect(
      'calendars',
      sql`
      insert into calendars (
        org_id, id, agent_id,
        name, timezone, agent_status, default_reminders, metadata,
        feed_token_hash, feed_token_sealed,
        created_at, updated_at)
      select
        i.org_id, i.id, i.agent_id,
        i.name, i.timezone, i.agent_status, i.default_reminders, i.metadata,
        i.feed_token_hash, i.feed_token_sealed,
        i.created_at, i.updated_at
      from ${from}`,
    ),
})

/**
 * Matches while nothing on the calendar has changed since it was read. Another zone moves holds that are whole days. Returns its
 * new `revision` and its `agent_id`.
 */
export const updateCalendarGuard = (sql: Sql, row: CalendarRow): Fragment => sql`
  update calendars set
    name = ${row.name},
    timezone = ${row.timezone},
    agent_status = ${row.agentStatus},
    default_reminders = ${row.defaultReminders}::integer[],
    metadata = ${json(sql, row.metadata)},
    updated_at = ${row.updatedAt},
    holds_revision = holds_revision + (timezone <> ${row.timezone})::integer,
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

/** The difference that a change makes to the counts of events, by status. */
type CountChange = Partial<Record<EventStatus, number>>

/**
 * The guard of a change to a calendar's events. Returns `revision`, `default_reminders`, `agent_id` and `destination_id`.
 * `placesHold`: a new hold is among the events, whatever the change does to their number.
 */
export const bumpCalendar = (
  { sql }: App,
  calendar: { orgId: Uuid; calendarId: Uuid },
  counts: CountChange,
  condition: CalendarCondition,
  addsHold = false,
): Fragment => sql`
  update calendars c set
    revision = c.revision + 1,
    confirmed_events = c.confirmed_events + ${counts.confirmed ?? 0},
    tentative_events = c.tentative_events + ${counts.tentative ?? 0},
    cancelled_events = c.cancelled_events + ${counts.cancelled ?? 0},
    hold_events = c.hold_events + ${counts.hold ?? 0},
    holds_revision = c.holds_revision + ${addsHold ? 1 : 0}
  where c.org_id = ${calendar.orgId} and c.id = ${calendar.calendarId} and c.deleted_at is null
    and ${condition(sql`c`)}
  returning c.revision, c.default_reminders, c.agent_id, c.destination_id`

/** `bumpCalendar` that matches only while nothing has changed since `revision` was read. */
export const bumpSeenCalendar = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; revision: number },
  counts: CountChange,
): Fragment => bumpCalendar(app, seen, counts, (c) => app.sql`${c}.revision = ${seen.revision}`)

/** `holdEvents`: the number of holds. `revision`: that of the whole calendar, if the hold was decided by it. */
type SeenHolds = { orgId: Uuid; calendarId: Uuid; holdsRevision: number; holdEvents: number; revision?: number }

/**
 * `bumpCalendar` for a new hold that ends others. It matches only while no hold has come or gone. Until one comes, holds
 * only go, so their number shows that none has gone.
 */
export const bumpSeenHolds = (app: App, seen: SeenHolds, counts: CountChange): Fragment =>
  bumpCalendar(
    app,
    seen,
    counts,
    (c) => app.sql`
    ${c}.holds_revision = ${seen.holdsRevision}
    and ${c}.hold_events = ${seen.holdEvents}
    and ${c}.revision = coalesce(${seen.revision ?? null}::bigint, ${c}.revision)`,
    true,
  )

const counted = ['confirmed', 'tentative', 'cancelled', 'hold'] as const satisfies EventStatus[]

/**
 * A step for many changes of events: `changes` has locked their calendars, `org_id, calendar_id`, and says of each event which
 * status it had, `was`, and has from now on, `becomes`; null: there is no such event. Calendars that share the statement count one
 * change each. Returns their `org_id, id` and the new `revision`.
 */
export const bumpCalendars = ({ sql }: App, changes: Step): Step => {
  const count = (column: string, status: EventStatus) =>
    sql`count(*) filter (where m.${sql(column)} = ${new Template([`'${status}'`], [])})`
  return step(
    'bumped_calendars',
    sql`
    update calendars c set
      revision = c.revision + 1,
      ${counted.map((status) => sql`${sql(`${status}_events`)} = c.${sql(`${status}_events`)} + n.${sql(status)},`)}
      holds_revision = c.holds_revision + n.places_hold
    from (
      select
        m.org_id, m.calendar_id,
        ${counted.map((status) => sql`${count('becomes', status)} - ${count('was', status)} as ${sql(status)},`)}
        (count(*) filter (where m.becomes = 'hold') > 0)::integer as places_hold
      from ${changes} m
      group by m.org_id, m.calendar_id) n
    where c.org_id = n.org_id and c.id = n.calendar_id
    returning c.org_id, c.id, c.revision`,
  )
}

/** A calendar that a change depends on. Unset fields are not compared. */
export type SeenCalendar = {
  id: Uuid
  holdsRevision?: number | undefined
  revision?: number | undefined
  /** Its owner must not be decommissioned. */
  mustBeOpen: boolean
}

const seenCalendarColumns = { id: 'uuid', holdsRevision: 'bigint', revision: 'bigint', mustBeOpen: 'boolean' } as const

/**
 * A step that locks calendars in one order, those that live and are as they were read. Returns `org_id, id, agent_id,
 * default_reminders, destination_id`.
 */
export const lockSeenCalendars = ({ sql }: App, orgId: Uuid, seen: readonly SeenCalendar[]): Step =>
  step(
    'locked_calendars',
    sql`
    select c.org_id, c.id, c.agent_id, c.default_reminders, c.destination_id
    from ${rowsOf(sql, seen, seenCalendarColumns, 's')}
    join calendars c on c.org_id = ${orgId} and c.id = s.id
    where c.deleted_at is null
      and (not s.must_be_open or ${isOpen(sql, sql`c`)})
      and (s.holds_revision is null or s.holds_revision = c.holds_revision)
      and (s.revision is null or s.revision = c.revision)
    order by c.org_id, c.id
    for no key update of c`,
  )

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
export const lockExistingCalendar = (sql: Sql, { orgId, calendarId }: { orgId: Uuid; calendarId: Uuid }): Step =>
  step(
    'living_calendar',
    sql`
    select c.revision, c.agent_id
    from calendars c
    where c.org_id = ${orgId} and c.id = ${calendarId} and c.deleted_at is null
    for no key update of c`,
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
 * The guard of a change of a calendar's destination. Matches while the destination is as it was read and, for a new one, the
 * calendar can be written to; returns `org_id`. Every change of an event locks this row, so it comes wholly before or after.
 */
export const publishCalendarGuard = (
  sql: Sql,
  { orgId, id, destinationId }: Pick<CalendarRow, 'orgId' | 'id' | 'destinationId'>,
  next: Uuid | null,
  lockedOrganization: Step,
): Fragment => sql`
  update calendars c
  set destination_id = ${next}::uuid
  where c.org_id = ${orgId} and c.id = ${id} and c.destination_id is not distinct from ${destinationId}::uuid
    ${next === null ? sql`` : sql`and ${isOpen(sql, sql`c`)}`} and exists (select from ${lockedOrganization})
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

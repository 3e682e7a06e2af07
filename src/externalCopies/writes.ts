// Guards and effects on destinations and the rows of their events.
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { publicationsRing } from './ring.ts'
import type { Policy } from './rules.ts'

type NewDestination = {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  connectionId: Uuid
  externalCalendarId: Uuid
  remoteSealed: Buffer
  policy: Policy
  createdAt: Date
}

/** Its calendar is gone through at once. `before`: ends the destination that it had. */
export const insertDestination = (sql: Sql, row: NewDestination, before?: Effect): Effect =>
  effect(
    'destination',
    sql`
    insert into external_destinations (
      org_id, id, calendar_id, connection_id, external_calendar_id, remote_sealed, policy, fill_after, next_step_at, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.calendarId}::uuid, ${row.connectionId}::uuid,
      ${row.externalCalendarId}::uuid, ${row.remoteSealed}::bytea, ${row.policy}::text,
      ${beforeAll}::uuid, ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
    from (select from ${guard} limit 1) one
    ${before ? sql`where (select count(*) from ${before}) >= 0` : sql``}`,
  )

/** Before the identifier of any event. */
const beforeAll = '00000000-0000-0000-0000-000000000000'

type Key = { orgId: Uuid; id: Uuid }

/** The same destination again, mended: its calendar is gone through anew. */
export const renewDestination = (sql: Sql, { orgId, id }: Key, policy: Policy, now: Date): Effect =>
  effect(
    'renewed_destination',
    sql`
    update external_destinations d
    set policy = ${policy}, lost = null, fill_after = ${beforeAll}, next_step_at = ${now}
    from (select from ${guard} limit 1) one
    where d.org_id = ${orgId} and d.id = ${id} and d.ended_at is null`,
  )

/** All copies of a calendar may have changed: it is gone through anew. */
export const refillDestination = (sql: Sql, { orgId, id }: Key): Effect =>
  ringing(
    publicationsRing,
    sql`
    update external_destinations d
    set fill_after = ${beforeAll}, next_step_at = app_now()
    from (select from ${guard} limit 1) one
    where d.org_id = ${orgId} and d.id = ${id} and d.ended_at is null
    returning d.org_id, d.id as destination_id`,
  )

type End = { now: Date; givesUpAt: Date; keepsCopies: boolean }
type Hurry = Pick<End, 'now' | 'givesUpAt'>

/** `which` is a query of identifiers. A worker withdraws their copies, unless they are kept. */
export const endDestinations = (sql: Sql, orgId: Uuid, which: Fragment, { now, givesUpAt, keepsCopies }: End): Effect =>
  effect(
    'ended_destinations',
    sql`
    update external_destinations d
    set ended_at = ${now}, gives_up_at = ${givesUpAt}, keeps_copies = ${keepsCopies}, next_step_at = ${now}, fill_after = null
    from (select from ${guard} limit 1) one
    where d.org_id = ${orgId} and d.id in (${which}) and d.ended_at is null
    returning d.id`,
  )

/** Destinations that had ended, and lose their connection: less time is left, and what waited for it waits no longer. */
export const hurryDestinations = (sql: Sql, orgId: Uuid, connections: Fragment, { now, givesUpAt }: Hurry): Effect =>
  effect(
    'hurried_destinations',
    sql`
    update external_destinations d
    set gives_up_at = least(d.gives_up_at, ${givesUpAt}), next_step_at = ${now}
    from (select from ${guard} limit 1) one
    where d.org_id = ${orgId} and d.connection_id in (${connections}) and d.ended_at is not null`,
  )

/** Of destinations that have not ended. */
export const destinationsOf = (sql: Sql, orgId: Uuid, connections: Fragment): Fragment => sql`
  select x.id from external_destinations x
  where x.org_id = ${orgId} and x.connection_id in (${connections}) and x.ended_at is null`

/**
 * Rows that wait for this connection, or were given up, are due again. It does not check whether a row is suspended: a worker
 * may be suspending it at this moment.
 */
export const resumePublications = (sql: Sql, orgId: Uuid, connectionId: Uuid): Effect[] => {
  const its = sql`
    select x.id from external_destinations x where x.org_id = ${orgId} and x.connection_id = ${connectionId}`
  return [
    effect(
      'mended_destinations',
      sql`
      update external_destinations d
      set lost = null
      from (select from ${guard} limit 1) one
      where d.org_id = ${orgId} and d.connection_id = ${connectionId}`,
    ),
    resume(sql, orgId, its),
  ]
}

/** `calendars` is a query of external calendars that can be written to again: that mends their destinations, too. */
export const resumeInto = (sql: Sql, orgId: Uuid, calendars: Fragment): Effect[] => {
  const its = sql`
    select x.id from external_destinations x
    where x.org_id = ${orgId} and x.external_calendar_id in (${calendars}) and x.ended_at is null`
  return [
    effect(
      'regained_destinations',
      sql`
      update external_destinations d
      set lost = null
      from (select from ${guard} limit 1) one
      where d.org_id = ${orgId} and d.id in (${its})`,
    ),
    resume(sql, orgId, its, 'regained_publications'),
  ]
}

export const resumeDestination = (sql: Sql, { orgId, id }: Key): Effect => resume(sql, orgId, sql`select ${id}::uuid`)

const resume = (sql: Sql, orgId: Uuid, destinations: Fragment, name = 'resumed_publications'): Effect =>
  effect(
    name,
    sql`
    update publications p
    set next_attempt_at = app_now(), attempts = 0, changed_at = app_now(), state = 'queued', wanted = p.wanted + 1
    from (select from ${guard} limit 1) one
    where p.org_id = ${orgId} and p.destination_id in (${destinations}) and p.state in ('queued', 'failed')`,
  )

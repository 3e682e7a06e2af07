// The reads of the workers.

import type { CopyState, Policy } from '../externalCopies/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** All destinations of one connection: one worker at a time writes through it. */
export type LeaseKey = { orgId: Uuid; connectionId: Uuid }

export const leaseOf = (sql: Sql, orgId: Uuid, destinationId: Uuid) =>
  own<LeaseKey & { provider: string | null }>(sql, orgId)`
  select d.org_id, d.connection_id, coalesce(l.provider, n.provider) as provider
  from external_destinations d
  left join calendar_connections n on n.org_id = d.org_id and n.id = d.connection_id
  left join departing_connections l on l.org_id = d.org_id and l.id = d.connection_id
  where d.org_id = ${orgId} and d.id = ${destinationId}`

/** A row that is due, with its destination and the account that it is written through. */
export type DuePublication = LeaseKey & {
  destinationId: Uuid
  calendarId: Uuid
  eventId: Uuid
  externalCalendarId: Uuid
  remoteSealed: Buffer
  policy: Policy
  isEnded: boolean
  givesUpAt: Date | null
  wanted: number
  changedAt: Date
  nextAttemptAt: Date
  attempts: number
  generation: number
  copy: CopyState
  /** Its removal has begun, and the end of that is not known. */
  isLeaving: boolean
  contentDigest: Buffer | null
  shapeDigest: Buffer | null
  keptSealed: Buffer | null
  /** `waiting`: the connection is paused. `broken`: nothing can be written until somebody mends it. */
  access: 'open' | 'waiting' | 'broken'
  provider: string | null
  credentialsSealed: Buffer | null
  credentialsVersion: number
  serverSealed: Buffer | null
  /** The connection was removed, and withdraws the events published through it. */
  isDeparting: boolean
}

const access = (sql: Sql): Fragment => sql`
  case
    when l.id is not null then 'open'
    when n.status = 'paused' then 'waiting'
    when n.status is distinct from 'active' then 'broken'
    when d.ended_at is null and (d.lost is not null or not coalesce(x.is_writable, false)) then 'broken'
    else 'open'
  end`

/** The one that has been due for longest; none while the provider wants patience. */
export const nextPublication = (sql: Sql, { orgId, connectionId }: LeaseKey) =>
  own<DuePublication>(sql, orgId)`
  select
    d.org_id, d.connection_id, d.id as destination_id, d.calendar_id, d.external_calendar_id, d.remote_sealed, d.policy,
    d.ended_at is not null as is_ended, d.gives_up_at,
    p.event_id, p.wanted, p.changed_at, p.next_attempt_at, p.attempts, p.generation, p.copy, p.is_leaving, p.content_digest, p.shape_digest, p.kept_sealed,
    ${access(sql)} as access,
    coalesce(l.provider, n.provider) as provider,
    coalesce(l.credentials_sealed, n.credentials_sealed) as credentials_sealed,
    coalesce(l.credentials_version, n.credentials_version, 0)::float8 as credentials_version,
    coalesce(l.server_sealed, n.server_sealed) as server_sealed,
    l.id is not null as is_departing
  from external_destinations d
  cross join lateral (
    select *
    from publications p
    where p.org_id = d.org_id and p.destination_id = d.id and p.next_attempt_at <= app_now()
    order by p.next_attempt_at
    limit 1) p
  left join calendar_connections n on n.org_id = d.org_id and n.id = d.connection_id
  left join departing_connections l on l.org_id = d.org_id and l.id = d.connection_id
  left join external_calendars x on x.org_id = d.org_id and x.id = d.external_calendar_id
  where d.org_id = ${orgId} and d.connection_id = ${connectionId}
    and not exists (
      select from publication_lanes lease
      where lease.org_id = d.org_id and lease.connection_id = d.connection_id and lease.held_until > app_now())
  order by p.next_attempt_at
  limit 1`

type Step = {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  fillAfter: Uuid | null
  endedAt: Date | null
  givesUpAt: Date | null
  keepsCopies: boolean
}

/** Due work of a destination besides its events. */
export const nextStep = (sql: Sql, { orgId, connectionId }: LeaseKey) =>
  own<Step>(sql, orgId)`
  select org_id, id, calendar_id, fill_after, ended_at, gives_up_at, keeps_copies
  from external_destinations
  where org_id = ${orgId} and connection_id = ${connectionId} and next_step_at <= app_now()
  order by next_step_at
  limit 1`

export type { Step as DestinationStep }

/** When there is something to do in the lane next; null: nothing waits. */
export const leaseDueAt = (sql: Sql, { orgId, connectionId }: LeaseKey) =>
  own<{ dueAt: Date | null }>(sql, orgId)`
  select ${orgId}::uuid as org_id, min(least(d.next_step_at, ${unheld(sql)})) as due_at
  from external_destinations d
  left join publication_lanes lease on lease.org_id = d.org_id and lease.connection_id = d.connection_id
  left join lateral (${firstDue(sql, undefined)}) p on true
  where d.org_id = ${orgId} and d.connection_id = ${connectionId}`

/** Of the destination `d`, whose lease is `lease`. After `from`, if it is given; copies that the lease delays count too. */
const firstDue = (sql: Sql, from: Date | undefined): Fragment => sql`
  select p.next_attempt_at
  from publications p
  where p.org_id = d.org_id and p.destination_id = d.id and p.next_attempt_at is not null
    ${from ? sql`and p.next_attempt_at > case when lease.held_until > ${from} then '-infinity' else ${from}::timestamptz end` : sql``}
  order by p.next_attempt_at
  limit 1`

/** When `p` is due, if it is: not before the provider wants it. */
const unheld = (sql: Sql): Fragment => sql`
  case when p.next_attempt_at is not null then greatest(lease.held_until, p.next_attempt_at) end`

type Due = { orgId: Uuid; id: Uuid; dueAt: Date }

/**
 * Destinations with something due after `from` (any time without it) and up to `until`, the earliest first; at most `max`. Each
 * is looked at by itself, so that one with many due events hides no other.
 */
export const dueDestinations = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<Due[]>`
  select d.org_id, d.id, due.at as due_at
  from external_destinations d
  left join publication_lanes lease on lease.org_id = d.org_id and lease.connection_id = d.connection_id
  left join lateral (${firstDue(sql, from)}) p on true
  cross join lateral (
    select least(${unheld(sql)}, ${from ? sql`case when d.next_step_at > ${from} then d.next_step_at end` : sql`d.next_step_at`}) as at) due
  where due.at <= ${until}
  order by due.at
  limit ${max ?? null}`

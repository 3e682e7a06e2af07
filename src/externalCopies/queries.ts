import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import type { CopyState, Policy, Published } from './rules.ts'

export type DestinationRow = {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  connectionId: Uuid
  externalCalendarId: Uuid
  policy: Policy
  lost: string | null
  connectionStatus: string | null
  isWritable: boolean | null
  queued: number
  failed: number
  /** Of what waits or failed, the latest change. */
  lastError: string | null
}

/** Of a calendar that lives. */
export const destinationOf = (sql: Sql, orgId: Uuid, calendarId: Uuid) =>
  own<DestinationRow>(sql, orgId)`
  select
    d.org_id, d.id, d.calendar_id, d.connection_id, d.external_calendar_id, d.policy, d.lost,
    n.status as connection_status, x.is_writable, health.*
  from external_destinations d
  left join calendar_connections n on n.org_id = d.org_id and n.id = d.connection_id
  left join external_calendars x on x.org_id = d.org_id and x.id = d.external_calendar_id
  cross join lateral (
    select
      (count(*) filter (where p.state = 'queued'))::integer as queued,
      (count(*) filter (where p.state = 'failed'))::integer as failed,
      (array_agg(p.last_error order by p.changed_at desc) filter (where p.last_error is not null))[1] as last_error
    from publications p
    where p.org_id = d.org_id and p.destination_id = d.id and p.state in ('queued', 'failed')) health
  where d.org_id = ${orgId} and d.calendar_id = ${calendarId} and d.ended_at is null`

type PublishedRow = {
  provider: string | null
  policy: Policy
  destination: Published['destination']
  state: Published['state']
  copy: CopyState | null
}

/** The state of an event's copy. `eventId` undefined: the event is new. */
export const publicationOf = (sql: Sql, orgId: Uuid, destinationId: Uuid, eventId: Uuid | undefined) =>
  own<PublishedRow>(sql, orgId)`
  select
    d.org_id, n.provider, d.policy, p.state, p.copy,
    case
      when d.lost is not null or not coalesce(x.is_writable, false) then 'broken'
      when n.status = 'active' then 'active'
      when n.status = 'paused' then 'parked'
      else 'broken'
    end as destination
  from external_destinations d
  left join calendar_connections n on n.org_id = d.org_id and n.id = d.connection_id
  left join external_calendars x on x.org_id = d.org_id and x.id = d.external_calendar_id
  left join publications p on p.org_id = d.org_id and p.destination_id = d.id and p.event_id = ${eventId ?? null}::uuid
  where d.org_id = ${orgId} and d.id = ${destinationId} and d.ended_at is null`

export const existingDestinations = (sql: Sql, orgId: Uuid, connectionId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from external_destinations
  where org_id = ${orgId} and connection_id = ${connectionId} and ended_at is null`

/** Copies, also those of destinations that have ended, by the digest of their UID. */
export const copiesByUid = (sql: Sql, orgId: Uuid, digests: readonly string[]) =>
  own<{ digest: string }>(sql, orgId)`
  select p.org_id, encode(p.uid_digest, 'hex') as digest
  from publications p
  where p.org_id = ${orgId}
    and p.uid_digest = any(array(select decode(one, 'hex') from unnest(${texts(sql, digests)}) one))`

/** One of them, if there is any. */
export const copiesInDoubt = (sql: Sql, orgId: Uuid) =>
  own<{ orgId: Uuid }>(sql, orgId)`
  select p.org_id
  from publications p
  where p.org_id = ${orgId} and p.copy = 'maybe'
  limit 1`

// The writes of a worker: its lease, the beginning and the end of each write, and the steps of a destination.
import { guard, step } from '../commit/step.ts'
import { eventUntil } from '../recurrence/until.ts'
import { isClaimable, leaseEnd } from '../stores/claims.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { DestinationStep, DuePublication, LeaseKey } from './leaseQueries.ts'

export type Lease = LeaseKey & { claim: number }

/** A lane whose worker died is free again after `leaseMs`. */
export const claimLease = (sql: Sql, { orgId, connectionId }: LeaseKey, leaseMs: number) =>
  own<Lease>(sql, orgId)`
  insert into publication_lanes as l (org_id, connection_id, claim, claimed_until)
  values (${orgId}, ${connectionId}, 1, ${leaseEnd(sql, leaseMs)})
  on conflict (org_id, connection_id) do update set claim = l.claim + 1, claimed_until = excluded.claimed_until
  where ${isClaimable(sql, sql`l`)}
  returning org_id, connection_id, claim`

export const releaseLease = (sql: Sql, { orgId, connectionId, claim }: Lease) => sql`
  update publication_lanes
  set claimed_until = null
  where org_id = ${orgId} and connection_id = ${connectionId} and claim = ${claim}`

type Pace = { leaseMs: number; everyMs: number; burst: number }

/**
 * The write of a row begins: from now on its copy may exist, with unknown content. Returns how long to wait for the pace of the
 * connection; null if the event has changed since the row was read, and no row if another worker has the lease.
 */
export const beginWrite = (
  sql: Sql,
  { orgId, connectionId, claim }: Lease,
  { destinationId, eventId, wanted }: DuePublication,
  { generation, isRemoval }: { generation: number; isRemoval: boolean },
  { leaseMs, everyMs, burst }: Pace,
) => own<{ waitMs: number | null }>(sql, orgId)`
  with lease as (
    update publication_lanes l
    set claimed_until = ${leaseEnd(sql, leaseMs)},
      paced_until = greatest(l.paced_until, clock_timestamp()) + ${everyMs} * interval '1 millisecond'
    where l.org_id = ${orgId} and l.connection_id = ${connectionId} and l.claim = ${claim}
    returning l.org_id, l.paced_until
  ), begun as (
    update publications p
    set generation = ${generation},
      copy = case when p.generation = ${generation} and p.copy = 'there' then 'there' else 'maybe' end,
      content_digest = null,
      is_leaving = ${isRemoval},
      kept_sealed = case when p.generation = ${generation} then p.kept_sealed end
    from lease
    where p.org_id = ${orgId} and p.destination_id = ${destinationId} and p.event_id = ${eventId} and p.wanted = ${wanted}
    returning p.org_id
  )
  select lease.org_id, case when exists (select from begun) then greatest(
    0, extract(epoch from lease.paced_until - clock_timestamp()) * 1000 - ${burst * everyMs})::float8 end as wait_ms
  from lease`

/** The provider asked for patience: nothing more is written through the connection before. */
export const delayLease = (sql: Sql, { orgId, connectionId, claim }: Lease, until: Date) => sql`
  update publication_lanes
  set held_until = ${until}
  where org_id = ${orgId} and connection_id = ${connectionId} and claim = ${claim}`

/** The end of a write. Undefined fields stay. */
export type Ending = {
  state: 'published' | 'skipped' | 'failed' | 'queued'
  copy?: 'none' | 'there' | 'deleted'
  isLeaving?: false
  generation?: number
  endsAt?: Date | 'infinity' | null
  contentDigest?: Buffer | null
  shapeDigest?: Buffer | null
  keptSealed?: Buffer | null
  objectDigest?: Buffer | null
  uidDigest?: Buffer | null
  attempts: number
  error: string | null
  /** Null: nothing is to be done until the event changes. */
  nextAttemptAt: Date | null
}

/**
 * The guard. Matches while the lane is this worker's. An event that has changed since the row was read stays due. Returns
 * whether the copy has another name now.
 */
export function endWriteGuard(
  sql: Sql,
  { orgId, connectionId, claim }: Lease,
  { destinationId, eventId, wanted }: DuePublication,
  ending: Ending,
): Fragment {
  const {
    state,
    copy,
    isLeaving,
    generation,
    endsAt,
    contentDigest,
    shapeDigest,
    keptSealed,
    objectDigest,
    uidDigest,
  } = ending
  const put = (column: string, value: unknown, type: Fragment) =>
    value === undefined ? sql`` : sql`, ${sql(column)} = ${value as string | null}::${type}`
  return sql`
  update publications p
  set last_error = ${ending.error}
    ${put('copy', copy, sql`text`)}
    ${put('is_leaving', isLeaving, sql`boolean`)}
    ${put('generation', generation, sql`integer`)}
    ${endsAt === 'infinity' ? sql`, ends_at = 'infinity'` : put('ends_at', endsAt, sql`timestamptz`)}
    ${put('content_digest', contentDigest, sql`bytea`)}
    ${put('shape_digest', shapeDigest, sql`bytea`)}
    ${put('kept_sealed', keptSealed, sql`bytea`)}
    ${put('object_digest', objectDigest, sql`bytea`)}
    ${put('uid_digest', uidDigest, sql`bytea`)},
    state = case when p.wanted = ${wanted} then ${state} else p.state end,
    attempts = case when p.wanted = ${wanted} then ${ending.attempts} else 0 end,
    next_attempt_at = case when p.wanted = ${wanted} then ${ending.nextAttemptAt}::timestamptz else p.next_attempt_at end
  from publications before, publication_lanes l
  where p.org_id = ${orgId} and p.destination_id = ${destinationId} and p.event_id = ${eventId}
    and before.org_id = p.org_id and before.destination_id = p.destination_id and before.event_id = p.event_id
    and l.org_id = p.org_id and l.connection_id = ${connectionId} and l.claim = ${claim}
  returning p.org_id, p.object_digest is distinct from before.object_digest as is_renamed`
}

/** A row that is no longer needed: its copy is withdrawn. */
export const removePublication = (sql: Sql, { orgId, destinationId, eventId }: DuePublication) => sql`
  delete from publications
  where org_id = ${orgId} and destination_id = ${destinationId} and event_id = ${eventId}`

/**
 * Suspends the due copies of a connection until it is repaired. The connection is locked first: a repair at this moment comes
 * before, and this matches nothing, or after, and makes the rows due again.
 */
export const suspendPublications = (sql: Sql, { orgId, connectionId }: LeaseKey, state: 'queued' | 'failed') => sql`
  with connection as materialized (
    select n.id
    from calendar_connections n
    where n.org_id = ${orgId} and n.id = ${connectionId} and n.status = 'active'
    for share
  )
  update publications p
  set next_attempt_at = null, state = ${state}
  from external_destinations d
  where d.org_id = ${orgId} and d.connection_id = ${connectionId}
    and p.org_id = d.org_id and p.destination_id = d.id and p.next_attempt_at <= app_now()
    and not exists (select from connection)`

/** Suspends the due copies of a destination that cannot be written to, until the human chooses again. */
export const suspendDestination = (
  sql: Sql,
  { orgId, destinationId }: DuePublication,
  lost: 'forbidden' | 'not_found' | null,
) => sql`
  with destination as (
    update external_destinations d
    set lost = coalesce(${lost}::text, d.lost)
    where d.org_id = ${orgId} and d.id = ${destinationId} and d.ended_at is null
    returning d.id
  )
  update publications p
  set next_attempt_at = null, state = 'failed', last_error = coalesce(${lost}::text, p.last_error)
  from destination d
  where p.org_id = ${orgId} and p.destination_id = d.id and p.next_attempt_at <= app_now()`

const fillBlock = 500

/**
 * The next events that lie ahead, as parts of a change: the guard moves on behind them, the list is for the effect `publishAll`.
 */
export function fillDestination(sql: Sql, { orgId, id, calendarId, fillAfter }: DestinationStep) {
  const block = step(
    'block',
    sql`
    select e.org_id, e.id, e.calendar_id, ${id}::uuid as destination_id
    from events e
    where e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.id > ${fillAfter}
      and e.deleted_at is null and e.source = 'internal' and e.status in ('confirmed', 'tentative')
      and ${eventUntil(sql, sql`e`)} > app_now()
    order by e.id
    limit ${fillBlock}`,
  )
  const last = sql`(select (array_agg(b.id order by b.id desc))[1] from ${block} b having count(*) = ${fillBlock})`
  return {
    block,
    guard: sql`
    update external_destinations d
    set fill_after = ${last}, next_step_at = case when ${last} is null then null else app_now() end
    where d.org_id = ${orgId} and d.id = ${id} and d.fill_after = ${fillAfter} and d.ended_at is null
    returning d.org_id`,
    events: sql`(select b.* from ${block} b where exists (select from ${guard})) e`,
  }
}

/** The copies of a destination that has ended, and are not over, are due to be removed; the rows of all others go. */
export const withdrawAll = (sql: Sql, { orgId, id }: DestinationStep) => sql`
  with gone as (
    delete from publications p
    where p.org_id = ${orgId} and p.destination_id = ${id}
      and not (p.copy = 'maybe' or p.copy = 'there' and p.ends_at > app_now())
  ), waiting as (
    update external_destinations d
    set next_step_at = d.gives_up_at
    where d.org_id = ${orgId} and d.id = ${id}
  )
  update publications p
  set next_attempt_at = app_now(), attempts = 0, changed_at = app_now(), state = 'queued', wanted = p.wanted + 1
  where p.org_id = ${orgId} and p.destination_id = ${id} and (p.copy = 'maybe' or p.copy = 'there' and p.ends_at > app_now())`

/** Their copies stay where they are. */
export const forgetAll = (sql: Sql, { orgId, id }: DestinationStep) => sql`
  with last as (
    update external_destinations d
    set next_step_at = null
    where d.org_id = ${orgId} and d.id = ${id}
  )
  delete from publications
  where org_id = ${orgId} and destination_id = ${id}`

/** Destinations that have ended and have nothing left. */
export const removeEmpty = (sql: Sql, { orgId, connectionId }: LeaseKey) => sql`
  delete from external_destinations d
  where d.org_id = ${orgId} and d.connection_id = ${connectionId} and d.ended_at is not null
    and not exists (select from publications p where p.org_id = d.org_id and p.destination_id = d.id)`

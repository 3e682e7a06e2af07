// A subscription is a lane. One process at a time serves it: the owner of its row in `webhook_lanes`, until its lease ends.
import { isoTimeOrNull } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isClaimable, leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import { jobs } from '../wakeups/jobs.ts'
import type { LaneKey } from '../wakeups/lanes.ts'

/** How long a lane stays with an owner that does not renew its lease. */
export const laneLeaseMs = 5_000

export type TakenRow = LaneKey & {
  /** False: its deliveries wait until it is active again. */
  isActive: boolean
  isTaken: boolean
  takenAt: Date
  /** Claims that may still be under way, of an owner that did not give the lane back. */
  openClaims: number
  /** The owner of the lease when the statement began, and the time it had left. */
  leaseOwner: Uuid | null
  leasedForMs: number
}

const keyRows = (sql: Sql, keys: readonly LaneKey[]): Fragment => {
  const { orgs, subscriptions } = keyColumns(keys)
  return sql`unnest(${uuids(sql, orgs)}, ${uuids(sql, subscriptions)}) as k (org_id, subscription_id)`
}

export const keyColumns = (keys: readonly LaneKey[]) => ({
  orgs: keys.map(({ orgId }) => orgId),
  subscriptions: keys.map(({ subscriptionId }) => subscriptionId),
})

/** A list of times with gaps. The driver knows none, so it is written as Postgres writes it. */
export const times = (sql: Sql, values: readonly (Date | null)[]): Fragment =>
  sql`${`{${values.map((value) => isoTimeOrNull(value) ?? 'null').join(',')}}`}::text::timestamptz[]`

/** Accepts the rows of these subscriptions. */
export function isOfLane(keys: readonly LaneKey[]): (row: LaneKey) => boolean {
  const asked = new Map(keys.map(({ orgId, subscriptionId }) => [subscriptionId, orgId]))
  return ({ orgId, subscriptionId }) => asked.get(subscriptionId) === orgId
}

/**
 * The number of claims of lane `k` from before `takenAt` that have not ended; they end with their lease at the latest. Rows
 * that are due after the longest lease wait for a retry and are not read.
 */
const openClaimsOf = (sql: Sql, takenAt: Fragment): Fragment => sql`(
  select count(*)::integer
  from webhook_deliveries p
  where p.org_id = k.org_id and p.subscription_id = k.subscription_id and p.status = 'pending'
    and p.next_retry_at > app_now() and p.next_retry_at <= app_now() + ${lease(sql)}
    and p.next_retry_at = p.last_attempt_at + ${lease(sql)} and p.last_attempt_at < ${takenAt})`

/** Of a claim. */
const lease = (sql: Sql): Fragment => sql`${jobs.deliver.leaseMs} * interval '1 millisecond'`

/**
 * Takes the lanes that are free or whose lease is over, and keeps those that `owner` has. Returns a row for every subscription
 * that exists. It does not lock a lane of another owner. If two processes take a lane at this moment, the first one gets it. It
 * counts the open claims at its beginning. That is exact: the lease is over by then, and an owner makes no attempt of a claim
 * that was answered after its lease.
 */
export const takeLanes = (sql: Sql, owner: Uuid, keys: readonly LaneKey[]) =>
  answersTo<TakenRow>(sql, isOfLane(keys))`
  with
  asked as (
    select s.org_id, s.id as subscription_id, s.active, h.owner as lease_owner, h.claimed_until
    from ${keyRows(sql, keys)}
    join webhook_subscriptions s on s.org_id = k.org_id and s.id = k.subscription_id
    left join webhook_lanes h
      on h.org_id = k.org_id and h.subscription_id = k.subscription_id and h.claimed_until > app_now() and h.owner <> ${owner}
  ),
  taken as (
    insert into webhook_lanes as l (org_id, subscription_id, owner, claimed_until)
    select org_id, subscription_id, ${owner}::uuid, ${leaseEnd(sql, laneLeaseMs)}
    from asked
    where active and lease_owner is null
    order by org_id, subscription_id
    on conflict (org_id, subscription_id) do update
    set owner = excluded.owner, claimed_until = excluded.claimed_until
    where l.owner = excluded.owner or ${isClaimable(sql, sql`l`)}
    returning org_id, subscription_id, old.claimed_until > '-infinity' as was_left
  )
  select
    org_id, subscription_id, k.active as is_active, k.lease_owner,
    coalesce(extract(epoch from k.claimed_until - app_now()) * 1000, 0)::float8 as leased_for_ms,
    taken.subscription_id is not null as is_taken,
    app_now() as taken_at,
    case when taken.was_left then ${openClaimsOf(sql, sql`app_now()`)} else 0 end as open_claims
  from asked k
  left join taken using (org_id, subscription_id)`

/** Counts again what `takeLanes` counted. */
export const openClaims = (sql: Sql, lanes: readonly (LaneKey & { takenAt: Date })[]) => {
  const { orgs, subscriptions } = keyColumns(lanes)
  const taken = times(
    sql,
    lanes.map(({ takenAt }) => takenAt),
  )
  return answersTo<LaneKey & { openClaims: number }>(sql, isOfLane(lanes))`
  select k.org_id, k.subscription_id, ${openClaimsOf(sql, sql`k.taken_at`)} as open_claims
  from unnest(${uuids(sql, orgs)}, ${uuids(sql, subscriptions)}, ${taken}) as k (org_id, subscription_id, taken_at)`
}

/** Answers the lanes that `owner` still had, whether or not their lease was over. */
export const renewLanes = (sql: Sql, owner: Uuid, keys: readonly LaneKey[]) =>
  answersTo<LaneKey>(sql, isOfLane(keys))`
  update webhook_lanes l
  set claimed_until = ${leaseEnd(sql, laneLeaseMs)}
  from ${keyRows(sql, keys)}
  where l.org_id = k.org_id and l.subscription_id = k.subscription_id and l.owner = ${owner}
  returning l.org_id, l.subscription_id`

/** Only lanes without open claims: the next owner counts none. */
export const giveLanesBack = (sql: Sql, owner: Uuid, keys: readonly LaneKey[]) => sql`
  update webhook_lanes l
  set claimed_until = '-infinity'
  from ${keyRows(sql, keys)}
  where l.org_id = k.org_id and l.subscription_id = k.subscription_id and l.owner = ${owner}`

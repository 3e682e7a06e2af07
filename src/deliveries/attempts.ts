// The claim of due deliveries. `results.ts` records how they end.
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { integers, uuids } from '../stores/sql.ts'
import { jobs } from '../wakeups/jobs.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { envelopeColumns, joinedEntry, type SealedPayload } from '../webhooks/payload.ts'
import type { TargetRow } from '../webhooks/queries.ts'
import { isOfLane, keyColumns, times } from './lanes.ts'

/** At most so many attempts of one subscription are under way, over all processes. */
export const maxInFlight = 10

export type ClaimedRow = TargetRow &
  SealedPayload & {
    orgId: Uuid
    id: Uuid
    eventType: string
    /** Of the calendar, after the change. */
    revision: number | null
    /** Including the one that is claimed. */
    attempts: number
    /** When the change happened; null without an envelope. */
    changedAt: Date | null
    /** Seconds to wait after each failed attempt. */
    retrySchedule: number[]
    createdAt: Date
    /** The attempts before. */
    attemptLogSealed: Buffer | null
    traceparent: string | null
    /** When it came due. */
    dueAt: Date
    /** Of the subscription, in a row, up to here. */
    consecutiveFailures: number
    plan: PlanId
    limits: AgreedLimits
    orgCreatedAt: Date
  }

/**
 * The request for one lane: at most `room` deliveries (50 at most), due since `since`, without the first `skip` of them (10 at
 * most).
 */
export type Ask = LaneKey & { room: number; since: Date; skip?: number }

/**
 * Takes due deliveries of lanes that `owner` has, the earliest first: counts the attempt and leases the row until the attempt
 * must be over. If the worker dies, the delivery comes due again when the lease ends; an attempt after the last one then
 * repeats that one, under the same delivery id. Deliveries of a subscription that is not active stay. The planner
 * underestimates a lane that was short at the last ANALYZE. So due rows are chosen once, before the update, and the update
 * finds each row by its key. A lane is read up to the last number that it may take. The limit is a literal, because Postgres
 * plans for a tenth of the table if it does not know the limit.
 */
export function claimDeliveries(sql: Sql, owner: Uuid, asks: readonly Ask[]) {
  const { orgs, subscriptions } = keyColumns(asks)
  const rooms = asks.map(({ room }) => room)
  const skips = asks.map(({ skip = 0 }) => skip)
  const sinces = asks.map(({ since }) => since)
  return answersTo<ClaimedRow>(sql, isOfLane(asks))`
  with
  lanes as materialized (
    select
      k.org_id, k.subscription_id, k.room, k.since, k.skip,
      s.url_sealed, s.secret_sealed, s.secret_previous_sealed, s.previous_expires_at, s.standard,
      s.headers_sealed, s.consecutive_failures,
      o.plan, o.limits, o.created_at
    from unnest(
      ${uuids(sql, orgs)}, ${uuids(sql, subscriptions)}, ${integers(sql, rooms)}, ${times(sql, sinces)}, ${integers(sql, skips)}
    ) as k (org_id, subscription_id, room, since, skip)
    join webhook_lanes l on l.org_id = k.org_id and l.subscription_id = k.subscription_id and l.owner = ${owner}
    join webhook_subscriptions s on s.org_id = k.org_id and s.id = k.subscription_id and s.active
    join organizations o on o.id = k.org_id
  ),
  due as materialized (
    select k.*, n.id
    from lanes k
    cross join lateral (
      select numbered.id, numbered.nth
      from (
        select p.id, row_number() over (order by p.next_retry_at, p.change_id, p.position) as nth
        from webhook_deliveries p
        where p.org_id = k.org_id and p.subscription_id = k.subscription_id and p.status = 'pending'
          and p.next_retry_at <= app_now() and p.next_retry_at >= k.since) numbered
      where numbered.nth <= k.skip + k.room
      limit 60) n
    where n.nth > k.skip
  ),
  claimed as (
    update webhook_deliveries d
    set
      attempts = least(d.attempts + 1, cardinality(d.retry_schedule) + 1),
      last_attempt_at = app_now(),
      next_retry_at = ${leaseEnd(sql, jobs.deliver.leaseMs)}
    from due c
    where d.org_id = c.org_id and d.id = c.id
      and d.status not in ('delivered', 'failed') and d.next_retry_at <= app_now()
    returning
      d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.seq, d.event_type,
      d.attempts, d.retry_schedule, d.created_at, d.attempt_log_sealed, d.traceparent, d.envelope,
      old.next_retry_at as due_at,
      c.url_sealed, c.secret_sealed, c.secret_previous_sealed, c.previous_expires_at, c.standard,
      c.headers_sealed, c.consecutive_failures,
      c.plan, c.limits, c.created_at as org_created_at
  )
  select d.*, entry.payload_sealed, entry.moment, entry.revision, ${envelopeColumns(sql)}
  from claimed d
  ${joinedEntry(sql, sql`d`)}`
}

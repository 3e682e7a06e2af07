// The statements of an attempt: claim what is due, record what became of it. Each works on a batch. Rows are locked in one
// order everywhere: subscriptions before deliveries before counts (docs/decisions/lock-order.md).
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export type DeliveryKey = { orgId: Uuid; deliveryId: Uuid }

export const keyColumns = { orgId: 'uuid', deliveryId: 'uuid' } as const

export type ClaimedRow = {
  orgId: Uuid
  id: Uuid
  subscriptionId: Uuid
  changeId: Uuid
  position: number
  eventType: string
  payloadSealed: Buffer
  /** Including the one that is claimed. */
  attempts: number
  /** Seconds to wait after each failed attempt. */
  retrySchedule: number[]
  createdAt: Date
  traceparent: string | null
  urlSealed: Buffer
  secretSealed: Buffer
  plan: PlanId
  limits: AgreedLimits
  orgCreatedAt: Date
}

/**
 * Takes due deliveries: counts the attempt and leases the row until the attempt must be over. If the worker dies, the
 * delivery comes due again when the lease ends; an attempt after the last one then repeats that one, under the same
 * delivery id.
 */
export const claimDeliveries = (sql: Sql, keys: readonly DeliveryKey[], leaseMs: number) =>
  answersTo<ClaimedRow>(sql, isOneOf(keys.map(({ deliveryId }) => deliveryId)))`
  update webhook_deliveries d
  set
    attempts = least(d.attempts + 1, cardinality(d.retry_schedule) + 1),
    last_attempt_at = app_now(),
    next_retry_at = app_now() + ${leaseMs} * interval '1 millisecond'
  from ${rowsOf(sql, keys, keyColumns, 'k')}, webhook_subscriptions s, organizations o
  where d.org_id = k.org_id and d.id = k.delivery_id
    and d.status = 'pending' and d.next_retry_at <= app_now()
    and s.org_id = d.org_id and s.id = d.subscription_id and s.active
    and o.id = d.org_id
  returning
    d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type, d.payload_sealed,
    d.attempts, d.retry_schedule, d.created_at, d.traceparent,
    s.url_sealed, s.secret_sealed,
    o.plan, o.limits, o.created_at as org_created_at`

/** The outcome of one attempt. `attempts` identifies its claim: the result of a claim that has been lost matches no row. */
export type ResultItem = {
  orgId: Uuid
  id: Uuid
  attempts: number
  status: 'pending' | 'delivered' | 'failed'
  nextRetryAt: Date | null
  /** Zero for a delivery that was never posted. */
  attemptsMade: number
  /** Of an attempt that failed. */
  lastOutcome?: string
  lastHttpStatus?: number
}

/** What a batch of results does to one subscription. `failures`: in a row, after the last success of the batch if any. */
export type StreakItem = { orgId: Uuid; subscriptionId: Uuid; succeeded: boolean; failures: number }

export type RecordedRow = {
  id: Uuid
  /** The next delivery of the same change, which is due now. */
  successorId: Uuid | null
  successorAttempts: number | null
  /** The subscription's failures in a row after this batch. */
  consecutiveFailures: number | null
}

const resultColumns = {
  orgId: 'uuid',
  id: 'uuid',
  attempts: 'smallint',
  status: 'text',
  nextRetryAt: 'timestamptz',
  attemptsMade: 'smallint',
  lastOutcome: 'text',
  lastHttpStatus: 'smallint',
} as const

const streakColumns = { orgId: 'uuid', subscriptionId: 'uuid', succeeded: 'boolean', failures: 'integer' } as const

/**
 * Everything that a batch of outcomes changes, in one statement, so that a worker that dies leaves either all of it or none.
 * Each part takes its locks in the one order. Postgres runs data-modifying parts in no fixed order: `recorded` counts the
 * rows of `locked` only to make the subscriptions be locked before the deliveries.
 */
export const recordResults = (sql: Sql, results: readonly ResultItem[], streaks: readonly StreakItem[], now: Date) =>
  answersTo<RecordedRow>(sql, isOneOf(results.map(({ id }) => id)))`
  with
  -- the subscriptions whose row changes; a success after a success changes nothing and takes no lock
  locked as (
    select s.org_id, s.id, k.succeeded, k.failures
    from webhook_subscriptions s
    join ${rowsOf(sql, streaks, streakColumns, 'k')} on k.org_id = s.org_id and k.subscription_id = s.id
    where k.failures > 0 or s.consecutive_failures > 0
    order by s.org_id, s.id
    for no key update of s
  ),
  -- the deliveries, unless a later claim or another result was faster
  recorded as (
    update webhook_deliveries d
    set
      status = r.status,
      next_retry_at = r.next_retry_at,
      attempts = r.attempts_made,
      last_attempt_at = case when r.attempts_made > 0 then d.last_attempt_at end,
      last_outcome = r.last_outcome,
      last_http_status = r.last_http_status
    from ${rowsOf(sql, results, resultColumns, 'r')}
    where d.org_id = r.org_id and d.id = r.id
      and d.attempts = r.attempts and d.status = 'pending'
      and (select count(*) from locked) >= 0
    returning d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.status
  ),
  -- the next delivery of each change whose delivery has ended: it may leave now
  successors as (
    update webhook_deliveries n
    set next_retry_at = ${now}
    from recorded
    where recorded.status <> 'pending'
      and n.org_id = recorded.org_id and n.subscription_id = recorded.subscription_id
      and n.change_id = recorded.change_id and n.status = 'pending' and n.next_retry_at is null
      and n.position = (
        select min(p.position)
        from webhook_deliveries p
        where p.org_id = recorded.org_id and p.subscription_id = recorded.subscription_id
          and p.change_id = recorded.change_id and p.status = 'pending' and p.position > recorded.position)
    returning recorded.id as predecessor_id, n.id, n.attempts
  ),
  -- the failures in a row of each locked subscription
  streaks as (
    update webhook_subscriptions s
    set
      consecutive_failures = l.failures + case when l.succeeded then 0 else s.consecutive_failures end,
      first_failure_at = case
        when l.failures = 0 then null
        when l.succeeded or s.first_failure_at is null then ${now}::timestamptz
        else s.first_failure_at
      end
    from locked l
    where s.org_id = l.org_id and s.id = l.id and s.active
    returning s.org_id, s.id, s.consecutive_failures
  ),
  -- the totals of ended deliveries that the history shows
  counted as (
    insert into webhook_delivery_counts as c (org_id, subscription_id, delivered, failed)
    select
      org_id, subscription_id,
      count(*) filter (where status = 'delivered'),
      count(*) filter (where status = 'failed')
    from recorded
    where status <> 'pending'
    group by 1, 2
    order by 1, 2
    on conflict (org_id, subscription_id) do update
    set delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed
  )
  select
    recorded.id,
    successors.id as successor_id, successors.attempts as successor_attempts,
    streaks.consecutive_failures
  from recorded
  left join successors on successors.predecessor_id = recorded.id
  left join streaks on streaks.org_id = recorded.org_id and streaks.id = recorded.subscription_id`

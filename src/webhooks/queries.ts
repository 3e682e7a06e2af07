import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { DeliveryStatus } from './schema.ts'

export type WebhookRow = {
  orgId: Uuid
  id: Uuid
  urlSealed: Buffer
  urlHash: Buffer
  events: string[]
  active: boolean
  consecutiveFailures: number
  firstFailureAt: Date | null
  createdAt: Date
}

const webhookColumns = (sql: Sql) =>
  sql`org_id, id, url_sealed, url_hash, events, active, consecutive_failures, first_failure_at, created_at`

export const webhookById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<WebhookRow>(sql, orgId)`
  select ${webhookColumns(sql)} from webhook_subscriptions
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

export const webhooksOf = (sql: Sql, orgId: Uuid, page: Page) =>
  own<WebhookRow>(sql, orgId)`
  select ${webhookColumns(sql)} from webhook_subscriptions
  where org_id = ${orgId} and deleted_at is null order by id desc limit ${page.limit} offset ${page.offset}`

export const webhookCount = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) from webhook_subscriptions where org_id = ${orgId} and deleted_at is null`

export const webhookTotal = (sql: Sql, orgId: Uuid) =>
  own<{ total: number }>(sql, orgId)`select ${askedBy(sql, orgId)}, (${webhookCount(sql, orgId)})::integer as total`

/** Another subscription of the same address that shares a type; inactive ones count. */
export const rivalWebhooks = (sql: Sql, orgId: Uuid, urlHash: Buffer, events: readonly string[], except: Uuid | null) =>
  own<{ id: Uuid; shared: string[] }>(sql, orgId)`
    select org_id, id, array(select unnest(events) intersect select unnest(${events}::text[])) as shared
    from webhook_subscriptions
    where org_id = ${orgId} and url_hash = ${urlHash} and deleted_at is null and events && ${events}::text[]
      and id is distinct from ${except}::uuid`

export type DeliveryRow = {
  id: Uuid
  subscriptionId: Uuid
  changeId: Uuid
  position: number
  eventType: string
  payloadSealed?: Buffer
  status: string
  attempts: number
  lastAttemptAt: Date | null
  nextRetryAt: Date | null
  createdAt: Date
}

type HistoryQuery = Page & { status?: DeliveryStatus; include_payload: boolean }

/** Newest first; merged from the indexes of the statuses, each of which gives its newest. */
export const deliveriesOf = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, query: HistoryQuery) => {
  const columns = sql`
    org_id, id, subscription_id, change_id, position, event_type, status, attempts, last_attempt_at, next_retry_at, created_at
    ${query.include_payload ? sql`, payload_sealed` : sql``}`
  const newest = (ofStatus: Fragment) => sql`
    (select ${columns} from webhook_deliveries
     where org_id = ${orgId} and subscription_id = ${subscriptionId} and ${ofStatus}
     order by change_id desc, position desc limit ${query.limit + query.offset})`
  // Written out: a parameter would match none of the indexes.
  const ofStatus = {
    pending: sql`status = 'pending'`,
    delivered: sql`status = 'delivered'`,
    failed: sql`status = 'failed'`,
  }
  const rows = query.status
    ? newest(ofStatus[query.status])
    : sql`${newest(ofStatus.pending)} union all ${newest(ofStatus.delivered)} union all ${newest(ofStatus.failed)}`
  return own<DeliveryRow>(sql, orgId)`
    select * from (${rows}) newest
    order by change_id desc, position desc limit ${query.limit} offset ${query.offset}`
}

export const deliveryCounts = (sql: Sql, orgId: Uuid, subscriptionId: Uuid) =>
  own<{ pending: number; delivered: number; failed: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, pending, coalesce(delivered, 0)::integer as delivered, coalesce(failed, 0)::integer as failed
  from (
    select count(*)::integer as pending from webhook_deliveries
    where org_id = ${orgId} and subscription_id = ${subscriptionId} and status = 'pending') waiting
  left join webhook_delivery_counts on org_id = ${orgId} and subscription_id = ${subscriptionId}`

export type DeliveryKey = { orgId: Uuid; deliveryId: Uuid }

export type ClaimedRow = {
  orgId: Uuid
  id: Uuid
  subscriptionId: Uuid
  changeId: Uuid
  position: number
  eventType: string
  payloadSealed: Buffer
  attempts: number
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
 * Takes due deliveries: counts the attempt and leases the row until the attempt can't be under way any more. A claim
 * whose worker died comes back by itself; the attempt after the last one then repeats it, under the same delivery id.
 */
export const claimDeliveries = (sql: Sql, keys: readonly DeliveryKey[], leaseMs: number) =>
  answersTo<ClaimedRow>(sql, isOneOf(keys.map(({ deliveryId }) => deliveryId)))`
  update webhook_deliveries d
  set attempts = least(d.attempts + 1, cardinality(d.retry_schedule) + 1), last_attempt_at = app_now(),
    next_retry_at = app_now() + ${leaseMs} * interval '1 millisecond'
  from jsonb_to_recordset(${sql.json(keys)}) as k ("orgId" uuid, "deliveryId" uuid),
    webhook_subscriptions s, organizations o
  where d.org_id = k."orgId" and d.id = k."deliveryId" and d.status = 'pending' and d.next_retry_at <= app_now()
    and s.org_id = d.org_id and s.id = d.subscription_id and s.active and o.id = d.org_id
  returning d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type, d.payload_sealed, d.attempts,
    d.retry_schedule, d.created_at, d.traceparent, s.url_sealed, s.secret_sealed, o.plan, o.limits, o.created_at as org_created_at`

/** One attempt's outcome. `attempts` names the claim it belongs to: a result that comes too late matches nothing. */
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

/** What a batch of results does to one subscription. */
export type StreakItem = { orgId: Uuid; subscriptionId: Uuid; succeeded: boolean; failures: number }

export type RecordedRow = {
  id: Uuid
  successorId: Uuid | null
  successorAttempts: number | null
  /** The subscription's failures in a row after this batch. */
  consecutiveFailures: number | null
}

export const recordResults = (sql: Sql, results: readonly ResultItem[], streaks: readonly StreakItem[], now: Date) =>
  answersTo<RecordedRow>(sql, isOneOf(results.map(({ id }) => id)))`
  with streaks as (
    select k."orgId" as org_id, k."subscriptionId" as id, k.succeeded, k.failures
    from jsonb_to_recordset(${sql.json(streaks)}) as k
      ("orgId" uuid, "subscriptionId" uuid, succeeded boolean, failures integer)
  ), locked as (
    -- subscriptions before deliveries, in one order everywhere (docs/decisions/lock-order.md)
    select s.org_id, s.id, k.succeeded, k.failures from webhook_subscriptions s join streaks k using (org_id, id)
    where k.failures > 0 or s.consecutive_failures > 0
    order by s.org_id, s.id for no key update of s
  ), done as (
    update webhook_deliveries d
    set status = r.status, next_retry_at = r."nextRetryAt", attempts = r."attemptsMade",
      last_attempt_at = case when r."attemptsMade" > 0 then d.last_attempt_at end,
      last_outcome = r."lastOutcome", last_http_status = r."lastHttpStatus"
    from jsonb_to_recordset(${sql.json(results)}) as r
      ("orgId" uuid, id uuid, attempts smallint, status text, "nextRetryAt" timestamptz, "attemptsMade" smallint,
        "lastOutcome" text, "lastHttpStatus" smallint)
    where d.org_id = r."orgId" and d.id = r.id and d.attempts = r.attempts and d.status = 'pending'
      and (select count(*) from locked) >= 0
    returning d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.status
  ), successors as (
    update webhook_deliveries n set next_retry_at = ${now}
    from done
    where done.status <> 'pending' and n.org_id = done.org_id and n.subscription_id = done.subscription_id
      and n.change_id = done.change_id and n.status = 'pending' and n.next_retry_at is null
      and n.position = (
        select min(p.position) from webhook_deliveries p
        where p.org_id = done.org_id and p.subscription_id = done.subscription_id and p.change_id = done.change_id
          and p.status = 'pending' and p.position > done.position)
    returning done.id as predecessor_id, n.id, n.attempts
  ), counted as (
    update webhook_subscriptions s
    set consecutive_failures = l.failures + case when l.succeeded then 0 else s.consecutive_failures end,
      first_failure_at = case
        when l.failures = 0 then null
        when l.succeeded or s.first_failure_at is null then ${now}::timestamptz
        else s.first_failure_at end
    from locked l
    where s.org_id = l.org_id and s.id = l.id and s.active
    returning s.org_id, s.id, s.consecutive_failures
  ), ended as (
    insert into webhook_delivery_counts as c (org_id, subscription_id, delivered, failed)
    select org_id, subscription_id, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'failed')
    from done where status <> 'pending' group by 1, 2 order by 1, 2
    on conflict (org_id, subscription_id) do update
    set delivered = c.delivered + excluded.delivered, failed = c.failed + excluded.failed
  )
  select done.id, successors.id as successor_id, successors.attempts as successor_attempts, counted.consecutive_failures
  from done
  left join successors on successors.predecessor_id = done.id
  left join counted on counted.org_id = done.org_id and counted.id = done.subscription_id`

type DueDeliveryRow = { orgId: Uuid; id: Uuid; subscriptionId: Uuid; attempts: number; dueAt: Date }

/** What one search for due deliveries looks at. */
const maxLookedAt = 20_000

/**
 * Due by `until`, each subscription's earliest first. The subscriptions take turns, or the backlog of a slow receiver would
 * hide the others.
 */
export const dueDeliveries = (sql: Sql, until: Date, most: number) => sql<DueDeliveryRow[]>`
  select org_id, id, subscription_id, attempts, due_at from (
    select *, row_number() over (partition by org_id, subscription_id order by due_at, id) as turn from (
      select org_id, id, subscription_id, attempts, next_retry_at as due_at from webhook_deliveries
      where status = 'pending' and next_retry_at <= ${until}
      order by next_retry_at limit ${maxLookedAt}) earliest) ranked
  order by turn, due_at limit ${most}`

/** Due after `from` and up to `until`, the earliest first; all of them unless told how many. */
export const deliveriesBetween = (sql: Sql, from: Date, until: Date, most?: number) => sql<DueDeliveryRow[]>`
  select org_id, id, subscription_id, attempts, next_retry_at as due_at from webhook_deliveries
  where status = 'pending' and next_retry_at > ${from} and next_retry_at <= ${until}
  order by next_retry_at limit ${most ?? null}`

/** Whatever their status: what is still pending by then waits for a subscription that was switched off or removed. */
export const purgeDeliveries = (sql: Sql, before: Date, most: number) => sql`
  with purged as (
    delete from webhook_deliveries where (org_id, id) in (
      select org_id, id from webhook_deliveries where created_at < ${before} limit ${most})
    returning org_id, subscription_id, status
  ), gone as (
    select org_id, subscription_id, count(*) filter (where status = 'delivered') as delivered,
      count(*) filter (where status = 'failed') as failed
    from purged group by 1, 2
  ), locked as (
    -- in one order everywhere, so that nobody waits in a circle
    select c.org_id, c.subscription_id, gone.delivered, gone.failed
    from webhook_delivery_counts c join gone using (org_id, subscription_id)
    order by c.org_id, c.subscription_id for no key update of c
  ), counted as (
    update webhook_delivery_counts c set delivered = c.delivered - l.delivered, failed = c.failed - l.failed
    from locked l where c.org_id = l.org_id and c.subscription_id = l.subscription_id
  )
  select count(*)::integer as purged from purged`

export type InspectedRow = DeliveryRow & {
  orgId: Uuid
  lastOutcome: string | null
  lastHttpStatus: number | null
  urlSealed: Buffer
  active: boolean
  removed: boolean
  consecutiveFailures: number
  /** The delivery of the same change that leaves first. */
  waitsFor: Uuid | null
}

/** Whosever it is: only operators ask so. Every organization's primary key is looked into, which is what the table has. */
export const inspectedDelivery = (sql: Sql, id: Uuid) =>
  answersTo<InspectedRow>(sql, (row) => row.id === id)`
  select d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type, d.payload_sealed, d.status, d.attempts,
    d.last_attempt_at, d.next_retry_at, d.created_at, d.last_outcome, d.last_http_status, s.url_sealed, s.active,
    s.deleted_at is not null as removed, s.consecutive_failures, ${earlierOfChange(sql)} as waits_for
  from organizations o
  join webhook_deliveries d on d.org_id = o.id and d.id = ${id}
  join webhook_subscriptions s on s.org_id = d.org_id and s.id = d.subscription_id`

const earlierOfChange = (sql: Sql): Fragment => sql`(
  select p.id from webhook_deliveries p
  where p.org_id = d.org_id and p.subscription_id = d.subscription_id and p.change_id = d.change_id
    and p.status = 'pending' and p.position < d.position
  order by p.position limit 1)`

/**
 * The guard of sending again: matches what its subscription may get now, and nobody is at. An attempt under way has the end
 * of its lease for its retry; a retry that waits is later.
 */
export const resentDelivery = (sql: Sql, orgId: Uuid, id: Uuid, now: Date, leaseMs: number): Fragment => sql`
  update webhook_deliveries d set status = 'pending', next_retry_at = ${now}
  from webhook_subscriptions s
  where d.org_id = ${orgId} and d.id = ${id} and s.org_id = d.org_id and s.id = d.subscription_id and s.active
    and (d.status <> 'pending' or d.last_attempt_at is null
      or d.last_attempt_at <= app_now() - ${leaseMs} * interval '1 millisecond'
      or d.next_retry_at > d.last_attempt_at + ${leaseMs} * interval '1 millisecond')
    and ${earlierOfChange(sql)} is null
  returning d.org_id, d.id, d.subscription_id, d.attempts, d.next_retry_at, old.status as previous`

/** What had ended counts as pending again. */
export const uncountDelivery = (sql: Sql): Fragment => sql`
  update webhook_delivery_counts c set delivered = c.delivered - (guard.previous = 'delivered')::integer,
    failed = c.failed - (guard.previous = 'failed')::integer
  from guard
  where guard.previous <> 'pending' and c.org_id = guard.org_id and c.subscription_id = guard.subscription_id`

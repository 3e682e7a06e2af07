import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
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

const webhookColumns = (sql: Sql) => sql`
  org_id, id, url_sealed, url_hash, events,
  active, consecutive_failures, first_failure_at, created_at`

export const webhookById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<WebhookRow>(sql, orgId)`
  select ${webhookColumns(sql)}
  from webhook_subscriptions
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

/** Newest first. */
export const webhooksOf = (sql: Sql, orgId: Uuid, page: Page) =>
  own<WebhookRow>(sql, orgId)`
  select ${webhookColumns(sql)}
  from webhook_subscriptions
  where org_id = ${orgId} and deleted_at is null
  order by id desc
  limit ${page.limit} offset ${page.offset}`

/** Other subscriptions of the same address that share an event type, inactive ones too, and the types they share. */
export const rivalWebhooks = (sql: Sql, orgId: Uuid, urlHash: Buffer, events: readonly string[], except: Uuid | null) =>
  own<{ id: Uuid; shared: string[] }>(sql, orgId)`
  select
    org_id, id,
    array(select unnest(events) intersect select unnest(${texts(sql, events)})) as shared
  from webhook_subscriptions
  where org_id = ${orgId} and url_hash = ${urlHash} and deleted_at is null
    and events && ${texts(sql, events)}
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

/** Newest first. Each status has an index of its own: the newest of each are merged. */
export const deliveriesOf = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, query: HistoryQuery) => {
  const columns = sql`
      org_id, id, subscription_id, change_id, position, event_type,
      status, attempts, last_attempt_at, next_retry_at, created_at
      ${query.include_payload ? sql`, payload_sealed` : sql``}`
  const newest = (ofStatus: Fragment) => sql`
    (select ${columns}
     from webhook_deliveries
     where org_id = ${orgId} and subscription_id = ${subscriptionId} and ${ofStatus}
     order by change_id desc, position desc
     limit ${query.limit + query.offset})`
  // Literals: the indexes are partial, and a parameter would match none of them.
  const ofStatus = {
    pending: sql`status = 'pending'`,
    delivered: sql`status = 'delivered'`,
    failed: sql`status = 'failed'`,
  }
  const rows = query.status
    ? newest(ofStatus[query.status])
    : sql`${newest(ofStatus.pending)} union all ${newest(ofStatus.delivered)} union all ${newest(ofStatus.failed)}`
  return own<DeliveryRow>(sql, orgId)`
    select *
    from (${rows}) newest
    order by change_id desc, position desc
    limit ${query.limit} offset ${query.offset}`
}

/** Ended deliveries are counted as they end; only pending ones are counted here. */
export const deliveryCounts = (sql: Sql, orgId: Uuid, subscriptionId: Uuid) =>
  own<{ pending: number; delivered: number; failed: number }>(sql, orgId)`
  select
    ${askedBy(sql, orgId)},
    pending, coalesce(delivered, 0)::integer as delivered, coalesce(failed, 0)::integer as failed
  from (
    select count(*)::integer as pending
    from webhook_deliveries
    where org_id = ${orgId} and subscription_id = ${subscriptionId} and status = 'pending') waiting
  left join webhook_delivery_counts on org_id = ${orgId} and subscription_id = ${subscriptionId}`

type DueDeliveryRow = { orgId: Uuid; id: Uuid; subscriptionId: Uuid; attempts: number; dueAt: Date }

/** How many due deliveries one search ranks. */
const maxRanked = 20_000

/**
 * Due by `until`, each subscription's earliest first. The subscriptions take turns, or the backlog of a slow receiver would
 * hide the deliveries of all others.
 */
export const dueDeliveries = (sql: Sql, until: Date, max: number) => sql<DueDeliveryRow[]>`
  select org_id, id, subscription_id, attempts, due_at
  from (
    select *, row_number() over (partition by org_id, subscription_id order by due_at, id) as turn
    from (
      select org_id, id, subscription_id, attempts, next_retry_at as due_at
      from webhook_deliveries
      where status = 'pending' and next_retry_at <= ${until}
      order by next_retry_at
      limit ${maxRanked}) earliest) ranked
  order by turn, due_at
  limit ${max}`

/** Due after `from` and up to `until`, the earliest first; all of them without `max`. */
export const deliveriesBetween = (sql: Sql, from: Date, until: Date, max?: number) => sql<DueDeliveryRow[]>`
  select org_id, id, subscription_id, attempts, next_retry_at as due_at
  from webhook_deliveries
  where status = 'pending' and next_retry_at > ${from} and next_retry_at <= ${until}
  order by next_retry_at
  limit ${max ?? null}`

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

/** Of any organization: only operators ask. Looks into the primary key once per organization, as no index has `id` alone. */
export const inspectedDelivery = (sql: Sql, id: Uuid) =>
  answersTo<InspectedRow>(sql, (row) => row.id === id)`
  select
    d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type, d.payload_sealed,
    d.status, d.attempts, d.last_attempt_at, d.next_retry_at, d.created_at, d.last_outcome, d.last_http_status,
    s.url_sealed, s.active, s.deleted_at is not null as removed, s.consecutive_failures,
    ${earlierOfChange(sql, sql`d`)} as waits_for
  from organizations o
  join webhook_deliveries d on d.org_id = o.id and d.id = ${id}
  join webhook_subscriptions s on s.org_id = d.org_id and s.id = d.subscription_id`

/** The first pending delivery of the same change and subscription as `delivery`, an alias, that leaves before it, or null. */
export const earlierOfChange = (sql: Sql, delivery: Fragment): Fragment => sql`(
  select p.id
  from webhook_deliveries p
  where p.org_id = ${delivery}.org_id and p.subscription_id = ${delivery}.subscription_id
    and p.change_id = ${delivery}.change_id
    and p.status = 'pending' and p.position < ${delivery}.position
  order by p.position
  limit 1)`

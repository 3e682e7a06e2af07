import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts, uuids } from '../stores/sql.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import type { EventType } from './catalog.ts'
import { type Filters, neverMeets } from './filters.ts'
import { emptyHistogram } from './histogram.ts'
import { joinedEntry, payloadColumns, type SealedPayload } from './payload.ts'

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
  calendarIds: Uuid[] | null
  agentIds: Uuid[] | null
  standard: boolean
  headersSealed: Buffer | null
  envelope: boolean
  /** Until then the previous secret signs as well. This time may have passed. */
  previousExpiresAt: Date | null
}

const webhookColumns = (sql: Sql) => sql`
  org_id, id, url_sealed, url_hash, events,
  active, consecutive_failures, first_failure_at, created_at,
  calendar_ids, agent_ids, standard, headers_sealed, envelope, previous_expires_at`

export const webhookById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<WebhookRow>(sql, orgId)`
  select ${webhookColumns(sql)}
  from webhook_subscriptions
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

/** The columns of a subscription that its deliveries depend on. */
export type TargetRow = {
  subscriptionId: Uuid
  urlSealed: Buffer
  secretSealed: Buffer
  secretPreviousSealed: Buffer | null
  previousExpiresAt: Date | null
  standard: boolean
  headersSealed: Buffer | null
}

/** Also of one that is not active. */
export const targetOfWebhook = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<TargetRow & { events: EventType[]; envelope: boolean }>(sql, orgId)`
  select
    org_id, id as subscription_id, events, url_sealed,
    secret_sealed, secret_previous_sealed, previous_expires_at, standard, headers_sealed, envelope
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

export type NewTarget = { urlHash: Buffer; events: readonly string[]; filters: Filters }

/**
 * Other subscriptions of the same address that share an event type and may hear of the same things, inactive ones too, and the
 * types they share.
 */
export const rivalWebhooks = (sql: Sql, orgId: Uuid, { urlHash, events, filters }: NewTarget, except: Uuid | null) =>
  own<{ id: Uuid; shared: string[] }>(sql, orgId)`
  select
    org_id, id,
    array(select unnest(events) intersect select unnest(${texts(sql, events)})) as shared
  from webhook_subscriptions s
  where org_id = ${orgId} and url_hash = ${urlHash} and deleted_at is null
    and events && ${texts(sql, events)}
    and not ${neverMeets(sql, sql`s`, filters)}
    and id is distinct from ${except}::uuid`

export type DeliveryRow = {
  id: Uuid
  subscriptionId: Uuid
  changeId: Uuid
  position: number
  eventType: string
  status: string
  attempts: number
  lastAttemptAt: Date | null
  nextRetryAt: Date | null
  createdAt: Date
  lastOutcome: string | null
  lastHttpStatus: number | null
  lastDurationMs: number | null
} & Partial<SealedPayload>

/** Pending deliveries are counted up to here, because a subscription that is off may have any number. */
const maxPendingCounted = 10_000

export type HealthRow = {
  attempts: number
  delivered: number
  attemptsOfHour: number
  deliveredOfHour: number
  outcomes: Record<string, number>
  msHistogram: number[]
  pending: number
  oldestPendingAt: Date | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailureOutcome: string | null
  lastFailureStatus: number | null
}

/** One row: the sums of the stretches from `since` on, and of those from `sinceHour` on. */
export const healthOf = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }, since: Date, sinceHour: Date) =>
  own<HealthRow>(sql, orgId)`
  with
  stretches as (
    select stretch, attempts, delivered, outcomes, ms_histogram
    from webhook_health
    where org_id = ${orgId} and subscription_id = ${id} and stretch >= ${since}
  ),
  sums as (
    select
      coalesce(sum(attempts), 0)::integer as attempts,
      coalesce(sum(delivered), 0)::integer as delivered,
      coalesce(sum(attempts) filter (where stretch >= ${sinceHour}), 0)::integer as attempts_of_hour,
      coalesce(sum(delivered) filter (where stretch >= ${sinceHour}), 0)::integer as delivered_of_hour,
      array[${emptyHistogram().map((_, nth) => sql`${nth === 0 ? sql`` : sql`,`} coalesce(sum(ms_histogram[${nth + 1}::integer]), 0)`)}]::integer[]
        as ms_histogram
    from stretches
  )
  select
    ${askedBy(sql, orgId)},
    sums.*,
    coalesce((
      select jsonb_object_agg(outcome, count)
      from (
        select outcome, sum(count::integer) as count
        from stretches, jsonb_each_text(outcomes) as o (outcome, count)
        where outcomes <> '{}'
        group by outcome) failed), '{}') as outcomes,
    (select count(*)
     from (
       select from webhook_deliveries
       where org_id = ${orgId} and subscription_id = ${id} and status = 'pending'
       limit ${maxPendingCounted}) waiting)::integer as pending,
    (select created_at
     from webhook_deliveries
     where org_id = ${orgId} and subscription_id = ${id} and status = 'pending'
     order by change_id, position
     limit 1) as oldest_pending_at,
    c.last_success_at, c.last_failure_at, c.last_failure_outcome, c.last_failure_status
  from sums
  left join webhook_delivery_counts c on c.org_id = ${orgId} and c.subscription_id = ${id}`

export type StretchRow = { stretch: Date; attempts: number; delivered: number; msHistogram: number[] }

/** The stretches from `since` on, the earliest first. */
export const stretchesOf = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }, since: Date) =>
  own<StretchRow>(sql, orgId)`
  select org_id, stretch, attempts, delivered, ms_histogram
  from webhook_health
  where org_id = ${orgId} and subscription_id = ${id} and stretch >= ${since}
  order by stretch`

/** How many due deliveries one search looks at. */
const maxSearched = 20_000

/** The subscriptions with deliveries due by `until`, the longest overdue first. */
export const dueLanes = (sql: Sql, until: Date, max: number) => sql<(LaneKey & { dueAt: Date })[]>`
  select org_id, subscription_id, min(next_retry_at) as due_at
  from (
    select org_id, subscription_id, next_retry_at
    from webhook_deliveries
    where status = 'pending' and next_retry_at <= ${until}
    order by next_retry_at
    limit ${maxSearched}) earliest
  group by org_id, subscription_id
  order by due_at
  limit ${max}`

/** The subscriptions with deliveries due after `from` and up to `until`, by second, the earliest first; all without `max`. */
export const lanesBetween = (sql: Sql, from: Date, until: Date, max?: number) => sql<(LaneKey & { second: number })[]>`
  select distinct ceil(extract(epoch from next_retry_at))::integer as second, org_id, subscription_id
  from webhook_deliveries
  where status = 'pending' and next_retry_at > ${from} and next_retry_at <= ${until}
  order by second
  limit ${max ?? null}`

/** A delivery with what says whether it may be sent. */
export type DeliveryState = DeliveryRow & {
  orgId: Uuid
  active: boolean
  removed: boolean
  /** The delivery of the same change that leaves first. */
  waitsFor: Uuid | null
}

export type InspectedRow = DeliveryState & { urlSealed: Buffer; consecutiveFailures: number }

/** Of delivery `d` and its subscription `s`. */
const stateColumns = (sql: Sql): Fragment => sql`
  d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type,
  d.status, d.attempts, d.last_attempt_at, d.next_retry_at, d.created_at,
  d.last_outcome, d.last_http_status, d.last_duration_ms,
  s.active, s.deleted_at is not null as removed, ${earlierOfChange(sql, sql`d`)} as waits_for`

export const deliveryOfWebhook = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, id: Uuid) =>
  own<DeliveryState>(sql, orgId)`
  select ${stateColumns(sql)}
  from webhook_deliveries d
  join webhook_subscriptions s on s.org_id = d.org_id and s.id = d.subscription_id
  where d.org_id = ${orgId} and d.id = ${id} and d.subscription_id = ${subscriptionId}`

/** Of any organization: only operators ask. Looks into the primary key once per organization, as no index has `id` alone. */
export const inspectedDelivery = (sql: Sql, id: Uuid) =>
  answersTo<InspectedRow>(sql, (row) => row.id === id)`
  select ${stateColumns(sql)}, ${payloadColumns(sql)}, s.url_sealed, s.consecutive_failures
  from organizations o
  join webhook_deliveries d on d.org_id = o.id and d.id = ${id}
  join webhook_subscriptions s on s.org_id = d.org_id and s.id = d.subscription_id
  ${joinedEntry(sql, sql`d`)}`

/** The first pending delivery of the same change and subscription as `delivery`, an alias, that leaves before it, or null. */
export const earlierOfChange = (sql: Sql, delivery: Fragment): Fragment => sql`(
  select p.id
  from webhook_deliveries p
  where p.org_id = ${delivery}.org_id and p.subscription_id = ${delivery}.subscription_id
    and p.change_id = ${delivery}.change_id
    and p.status = 'pending' and p.position < ${delivery}.position
  order by p.position
  limit 1)`

/** Those of the given calendars and agents that the organization does not have. Decommissioned agents stay. */
export const missingOf = (sql: Sql, orgId: Uuid, { calendarIds, agentIds }: Filters) =>
  own<{ calendars: Uuid[]; agents: Uuid[] }>(sql, orgId)`
  select
    ${askedBy(sql, orgId)},
    array(
      select unnest(${uuids(sql, calendarIds ?? [])})
      except select id from calendars where org_id = ${orgId} and deleted_at is null) as calendars,
    array(
      select unnest(${uuids(sql, agentIds ?? [])})
      except select id from agents where org_id = ${orgId}) as agents`

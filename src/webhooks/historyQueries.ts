// The history of a webhook, newest first: in the order in which deliveries leave, read backwards.
import { dayMs } from '../shapes/durations.ts'
import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { EventType } from './catalog.ts'
import { joinedEntry, payloadColumns, type SealedPayload } from './payload.ts'
import type { DeliveryRow } from './queries.ts'
import type { DeliveryStatus } from './schema.ts'

/** The place of a delivery in the history. */
export type DeliveryKey = { changeId: Uuid; position: number }

type HistoryFilter = {
  status?: DeliveryStatus | undefined
  event_type?: EventType | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** `sinceChange`: no older changes. */
export type HistoryQuery = Page & HistoryFilter & { after?: DeliveryKey | undefined; sinceChange?: Uuid | undefined }

/** A delivery, and what its entry is found by. */
export type HistoryRow = DeliveryRow & { seq: number }

/** Literals: the indexes are partial, and a parameter would match none of them. */
const literals = (sql: Sql) => ({
  pending: sql`d.status = 'pending'`,
  delivered: sql`d.status = 'delivered'`,
  failed: sql`d.status = 'failed'`,
})

const statusesOf = (sql: Sql, { status }: HistoryFilter): Fragment[] =>
  status ? [literals(sql)[status]] : Object.values(literals(sql))

/** An id carries the time of its change. That only avoids reading others: no clock is wrong by a day. */
const matching = (sql: Sql, { event_type: type, from, to }: HistoryFilter): Fragment => sql`
  ${type ? sql`and d.event_type = ${type}` : sql``}
  ${from ? sql`and d.created_at >= ${from} and d.change_id >= ${firstIdAt(new Date(Math.max(0, from.getTime() - dayMs)))}` : sql``}
  ${to ? sql`and d.created_at <= ${to} and d.change_id < ${firstIdAt(new Date(to.getTime() + dayMs))}` : sql``}`

/** Each status has an index of its own: the newest of each are merged. The offset is skipped in the indexes alone. */
export const deliveriesOf = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, query: HistoryQuery) => {
  const { after, sinceChange } = query
  const merged = (columns: Fragment, from: Fragment, max: number) =>
    statusesOf(sql, query)
      .map(
        (ofStatus) => sql`
          (select ${columns}
           from webhook_deliveries d
           where d.org_id = ${orgId} and d.subscription_id = ${subscriptionId} and ${ofStatus} ${matching(sql, query)} ${ofDays} ${from}
           order by d.change_id desc, d.position desc
           limit ${max})`,
      )
      .reduce((all, one) => sql`${all} union all ${one}`)
  const columns = sql`
    d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type,
    d.status, d.attempts, d.last_attempt_at, d.next_retry_at, d.created_at, d.last_outcome, d.last_http_status, d.last_duration_ms, d.seq`
  const ofDays = sinceChange ? sql`and d.change_id >= ${sinceChange}` : sql``
  // Null, which matches nothing, after the last one.
  const fromFirst = sql`and (d.change_id, d.position) <= (select change_id, position from first)`
  const afterKey = after
    ? sql`and (d.change_id, d.position) < (${after.changeId}::uuid, ${after.position}::smallint)`
    : sql``
  const first = sql`
    with first as materialized (
      select change_id, position
      from (${merged(sql`d.change_id, d.position`, sql``, query.offset + 1)}) skipped
      order by change_id desc, position desc
      limit 1 offset ${query.offset})`
  return own<HistoryRow>(sql, orgId)`
    ${query.offset > 0 ? first : sql``}
    select *
    from (${merged(columns, query.offset > 0 ? fromFirst : afterKey, query.limit)}) newest
    order by change_id desc, position desc
    limit ${query.limit}`
}

const entryKey = { changeId: 'uuid', position: 'smallint', seq: 'bigint' } as const

/** The payloads of deliveries of an organization that are still stored, in no order. */
export const payloadsOf = (sql: Sql, orgId: Uuid, rows: readonly HistoryRow[]) =>
  own<SealedPayload>(sql, orgId)`
  select d.org_id, d.change_id, d.position, ${payloadColumns(sql)}
  from (select ${askedBy(sql, orgId)}, i.* from ${rowsOf(sql, rows, entryKey, 'i')}) d
  ${joinedEntry(sql, sql`d`)}`

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

/** Of those that a filter matches at most so many are counted. */
const maxCounted = 10_000

/** Those that match more than a status. */
export const filteredCount = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, filter: HistoryFilter) => {
  const counted = statusesOf(sql, filter)
    .map(
      (ofStatus) => sql`
        (select from webhook_deliveries d
         where d.org_id = ${orgId} and d.subscription_id = ${subscriptionId} and ${ofStatus} ${matching(sql, filter)}
         limit ${maxCounted})`,
    )
    .reduce((all, one) => sql`${all} union all ${one}`)
  return own<{ total: number }>(sql, orgId)`
    select ${askedBy(sql, orgId)}, least(count(*), ${maxCounted})::integer as total from (${counted}) counted`
}

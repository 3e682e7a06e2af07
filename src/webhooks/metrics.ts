// How many deliveries wait and how many subscriptions are switched off, for the gauges. Counts stop at `maxCounted` rows.
import type { App } from '../app.ts'
import { maxFailures } from './rules.ts'

const maxCounted = 10_000

type DeliveryBacklog = {
  /** Waiting for a first attempt, and for a retry. */
  first: number
  retry: number
  overdue: number
  oldestSeconds: number
}

/** Deliveries that have a time for their next attempt; if there are too many, the earliest ones. */
export async function deliveryBacklog({ sql }: App): Promise<DeliveryBacklog> {
  const [row] = await sql<[DeliveryBacklog]>`
    select
      count(*) filter (where attempts = 0)::integer as first,
      count(*) filter (where attempts > 0)::integer as retry,
      count(*) filter (where next_retry_at <= app_now())::integer as overdue,
      coalesce(greatest(0, extract(epoch from app_now() - min(next_retry_at))), 0)::float8 as oldest_seconds
    from (
      select attempts, next_retry_at
      from webhook_deliveries
      where status = 'pending' and next_retry_at is not null
      order by next_retry_at
      limit ${maxCounted}) earliest`
  return row
}

/** `failures`: switched off after too many in a row. `owner`: by a PATCH. */
export async function disabledWebhooks({ sql }: App): Promise<{ failures: number; owner: number }> {
  const [row] = await sql<[{ failures: number; owner: number }]>`
    select
      count(*) filter (where consecutive_failures >= ${maxFailures})::integer as failures,
      count(*) filter (where consecutive_failures < ${maxFailures})::integer as owner
    from (
      select consecutive_failures
      from webhook_subscriptions
      where not active and deleted_at is null
      limit ${maxCounted}) disabled`
  return row
}

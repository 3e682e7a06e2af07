// How many deliveries have cost a unit of the monthly budget.
import { shortestRetryMs } from '../plans/plans.ts'
import { type Counter, isMadeSince } from '../quotas/budget.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * After an attempt `next_retry_at` is either the end of the attempt's lease or the time of the retry. Every lease is shorter
 * than this, every wait of a plan longer.
 */
export const leaseOrRetryMs = shortestRetryMs / 2

/** A first attempt in progress has not taken its unit yet. */
const hasTakenUnit = (sql: Sql): Fragment => sql`
  attempts > 0
  and (
    attempts > 1
    or status <> 'pending'
    or coalesce(next_retry_at > last_attempt_at + ${leaseOrRetryMs} * interval '1 millisecond', true))`

/** Deliveries that were never attempted cost nothing. */
export const countCharged: Counter = (sql, orgId, periodStart) => sql`
  select count(*)
  from webhook_deliveries
  where ${hasTakenUnit(sql)} and ${isMadeSince(sql, orgId, periodStart)}`

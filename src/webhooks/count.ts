// How many deliveries have cost a unit of the monthly budget.
import { shortestRetryMs } from '../plans/plans.ts'
import type { Counter } from '../quotas/budget.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * After an attempt `next_retry_at` is either the end of the attempt's lease or the time of the retry. Every lease is shorter
 * than this, every wait of a plan longer.
 */
export const leaseOrRetryMs = shortestRetryMs / 2

/** A first attempt in progress has not taken its unit yet. */
const isInFirstAttempt = (sql: Sql): Fragment => sql`
  attempts = 1 and next_retry_at <= last_attempt_at + ${leaseOrRetryMs} * interval '1 millisecond'`

/**
 * Deliveries that were never attempted cost nothing: those that wait for it, and those that had no budget left. Each kind has
 * a small index of its own. A delivery is kept for as long as a period lasts.
 */
export const countSpentUnits: Counter = {
  rows: (sql, made) => sql`from webhook_deliveries where ${made}`,
  unspent: (sql, made) => sql`
    select
      (select count(*) from webhook_deliveries
       where status = 'pending' and (attempts = 0 or ${isInFirstAttempt(sql)}) and ${made})
      + (select count(*) from webhook_deliveries
         where status <> 'pending' and attempts = 0 and ${made})`,
}

// Rows that one worker has at a time, until their `claimed_until`. A worker that dies loses them then; null, or a moment that is over:
// nobody has them.
import type { Fragment, Sql } from './postgres.ts'

/** Of `row`, an alias. */
export const isClaimable = (sql: Sql, row: Fragment): Fragment =>
  sql`(${row}.claimed_until is null or ${row}.claimed_until <= app_now())`

/** When what is claimed now comes due again. */
export const leaseEnd = (sql: Sql, leaseMs: number): Fragment => sql`app_now() + ${leaseMs} * interval '1 millisecond'`

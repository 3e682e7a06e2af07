// Events whose start alone does not say whether they matter, as the index `events_apart` holds them: series, holds, and
// events longer than a week, which may have begun long ago.
import { seriesUntil } from '../recurrence/until.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** A condition on the columns of `events`. */
export const isWide = (sql: Sql): Fragment => sql`
  (recurrence_rule is not null or status = 'hold' or end_time - start_time > interval '7 days')
  and status <> 'cancelled' and deleted_at is null`

/** When such an event is over; for a series, its last occurrence. */
export const apartUntil = (sql: Sql): Fragment =>
  sql`case when recurrence_rule is null then end_time else ${seriesUntil(sql)} end`

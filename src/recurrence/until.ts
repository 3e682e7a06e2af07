// When events are over, and which of them are wide: conditions on a row of `events`, spelled as its indexes know them.
import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * When the last occurrence of a stored series ends, `infinity` for one without end. In UTC, where the sum does not depend on the
 * session's zone.
 */
export const seriesUntil = (sql: Sql, event: Fragment): Fragment => sql`
  coalesce(
    (${event}.series_last_start at time zone 'UTC' + (${event}.end_time - ${event}.start_time)) at time zone 'UTC', 'infinity')`

/** When an event is over; for a series, its last occurrence. */
export const eventUntil = (sql: Sql, event: Fragment): Fragment =>
  sql`case when ${event}.recurrence_rule is null then ${event}.end_time else ${seriesUntil(sql, event)} end`

/**
 * Whether its start alone does not say if it matters, as the index `events_apart` holds them: series, holds, and events longer than a
 * week, which may have begun long ago.
 */
export const isWide = (sql: Sql, event: Fragment): Fragment => sql`
  (${event}.recurrence_rule is not null or ${event}.status = 'hold' or ${event}.end_time - ${event}.start_time > interval '7 days')
  and ${event}.status <> 'cancelled' and ${event}.deleted_at is null`

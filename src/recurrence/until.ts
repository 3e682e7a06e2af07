import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * When the last occurrence of a stored series ends, `infinity` for one without end: on the columns of `events`, as its
 * indexes know it. In UTC, where the sum does not depend on the session's zone.
 */
export const seriesUntil = (sql: Sql): Fragment =>
  sql`coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity')`

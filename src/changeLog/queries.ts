import type { Sql } from '../stores/postgres.ts'

/** For each UTC day of the range. */
export const makePartitions = (sql: Sql, first: Date, last: Date) => sql`
  select make_change_partitions((${first} at time zone 'UTC')::date, (${last} at time zone 'UTC')::date)`

/** The days that ended before the one of `before`. */
export const dropPartitions = (sql: Sql, before: Date) => sql`
  select drop_change_partitions((${before} at time zone 'UTC')::date)`

import type { Sql } from '../stores/postgres.ts'

export const newIncarnation = (sql: Sql) => sql`
  update feed_incarnation
  set incarnation = gen_random_uuid(), since = app_now()`

/**
 * Changes nothing on a time line that has its row. A standby that was promoted knows where it stopped to follow. A server that recovered
 * from a crash names another place, the end of its own log; it has followed nobody, so it has no time of a change that it replayed.
 */
export const insertTimeline = (sql: Sql) => sql`
  insert into feed_timelines (system_identifier, timeline, left_at)
  select
    system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    case when pg_last_xact_replay_timestamp() is not null then pg_last_wal_replay_lsn() end
  from pg_control_system()
  on conflict do nothing`

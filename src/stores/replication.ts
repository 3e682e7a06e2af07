// Replication as the primary sees it. A role without pg_monitor sees which standbys there are, and nothing about them.
import type { Sql } from './postgres.ts'

type Replication = {
  /** Changes wait for a standby: synchronous_standby_names names some. */
  isRequired: boolean
  /** Standbys that changes wait for. Those of which nothing is seen count. */
  synchronous: number
  /** Of the standby that is furthest behind. */
  behindBytes: number
  /** Of what was replayed last. */
  behindSeconds: number
  /** Bytes of the log since its beginning; null where no standby is seen. */
  writtenTo: number
  replayedTo: number | null
  /** The log that is kept for the slot that is furthest behind. */
  slotBytes: number
  /** Server processes of this role whose change waits for a standby. */
  waiting: number
  timeline: number
}

export async function replicationOf(sql: Sql): Promise<Replication | undefined> {
  const [row] = await sql<Replication[]>`
    select
      current_setting('synchronous_standby_names') <> '' as is_required,
      standbys.*, slots.*, waits.*,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as written_to,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline
    from
      (
        select
          count(*) filter (where sync_state in ('sync', 'quorum') or sync_state is null)::int as synchronous,
          coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)::float8 as behind_bytes,
          coalesce(extract(epoch from max(replay_lag)), 0)::float8 as behind_seconds,
          pg_wal_lsn_diff(min(replay_lsn), '0/0')::float8 as replayed_to
        from pg_stat_replication
      ) standbys,
      (
        select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8 as slot_bytes
        from pg_replication_slots
      ) slots,
      (select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep') waits
    where not pg_is_in_recovery()`
  return row
}

import { type Moment, momentColumn } from '../changeLog/moment.ts'
import { dayMs } from '../shapes/durations.ts'
import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, texts, uuids } from '../stores/sql.ts'
import type { Batch, Position } from './cursor.ts'
import { type Filter, type Head, hiddenFromAgents, ofUnlisted } from './filter.ts'
import { namesRunning, type Snapshot } from './snapshot.ts'

/**
 * The history that the snapshot of the statement belongs to, as `historyOf` reads it: the row that an operator changes after a restore,
 * the time line, the cluster. If the time line has its row, also that row's name and the place in the log, which is read after the
 * snapshot. Null on a standby, whose snapshots do not name the transactions that are running.
 */
const database = (sql: Sql): Fragment => sql`
  case when not pg_is_in_recovery() then (
    select
      incarnation || '/' || here.timeline || '/' || here.system_identifier
      || coalesce('/' || recorded.id || '@' || pg_current_wal_insert_lsn(), '')
    from feed_incarnation
    cross join (
      select system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline
      from pg_control_system()
    ) here
    left join feed_timelines recorded using (system_identifier, timeline)
  ) end as database`

/** Of this cluster. */
export const knownTimelines = (sql: Sql) =>
  sql<{ database: string | null; timeline: string; id: string; leftAt: string | null }[]>`
  select ${database(sql)}, timeline, id, left_at::text as left_at
  from feed_timelines
  where system_identifier = (select system_identifier from pg_control_system())`

type Now = { database: string | null; now: Snapshot }

export const currentSnapshot = (sql: Sql, orgId: Uuid) =>
  own<Now>(sql, orgId)`
  select ${askedBy(sql, orgId)}, ${database(sql)}, pg_current_snapshot() as now`

/** `first` and `last` are null if there is nothing new. */
type News = Now & { first: number | null; last: number | null; rows: number }

/**
 * The entries that `base` does not see: newer transactions, and those that were running then. Each is found by its number, so
 * an old snapshot costs no more. The snapshot of the answer must be that of the statement: an entry that commits between two
 * statements would be lost. Goes through `max` rows of each kind: if there are as many, `first` and `last` are of some of them
 * only.
 */
export const newsSince = (sql: Sql, orgId: Uuid, { base, from }: Position, max: number) => {
  const of = unknown(sql, sql`${orgId}::uuid`)
  const xmax = unknown(sql, sql`pg_snapshot_xmax(${base}::pg_snapshot)`)
  // Most polls have none to look for, and each day would be opened for them.
  const wereRunning = sql`
      union all
      (
        select seq from changes where ${wasRunning(sql, of, sql`${base}::pg_snapshot`, from)}
        order by xid
        limit ${max}
      )`
  return own<News>(sql, orgId)`
  select ${askedBy(sql, orgId)}, ${database(sql)}, pg_current_snapshot() as now, news.*
  from (
    select min(seq) as first, max(seq) as last, count(*)::int as rows
    from (
      (
        select seq from changes where ${isNewer(sql, of, xmax, from)}
        order by xid
        limit ${max}
      )
      ${namesRunning(base) ? wereRunning : sql``}
    ) missed
  ) news`
}

/**
 * The lowest and highest number of new entries; later commits may widen them. For many new entries: the index alone answers, as
 * long as no day is asked for. The count keeps Postgres from going through all numbers instead.
 */
export const boundsSince = (sql: Sql, orgId: Uuid, { base, from }: Position) =>
  own<{ first: number | null; last: number | null; rows: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, missed.first, missed.rows, (${lastNumber(sql, orgId, from)}) as last
  from (
    select min(seq) as first, count(*)::int as rows
    from (
      select seq from changes where org_id = ${orgId} and xid >= pg_snapshot_xmax(${base}::pg_snapshot)
      union all
      select seq from changes where org_id = ${orgId} and xid = any (array(select pg_snapshot_xip(${base}::pg_snapshot)))
    ) new
  ) missed`

const lastNumber = (sql: Sql, orgId: Uuid, from: Date): Fragment => sql`
  select max(seq) from changes where org_id = ${orgId} and change_id >= ${firstIdAt(from)}`

/**
 * Something that Postgres does not know before it runs. If it knew whose entries are asked for, or that next to nothing is newer, a plan
 * of its own might look cheaper than the kept one, and each poll would be planned anew, which takes longer than the poll.
 */
const unknown = (sql: Sql, value: Fragment): Fragment => sql`(select ${value})`

/**
 * The first id of a day: only partitions go by it. A later one would look to Postgres as if it left out nearly everything, and it would
 * go through all ids of the organization instead of the newer transactions.
 */
const firstOfDay = (from: Date): Uuid => firstIdAt(new Date(Math.floor(from.getTime() / dayMs) * dayMs))

/**
 * The id alone tells the day, so Postgres leaves out the partitions before it. Ask for the order of `xid` and a limit, as the index
 * has them: without them Postgres may go through a whole day to find that nothing is new.
 */
const isNewer = (sql: Sql, orgId: Fragment, xmax: Fragment, from: Date): Fragment => sql`
  org_id = ${orgId} and change_id >= ${firstOfDay(from)} and xid >= ${xmax}`
const wasRunning = (sql: Sql, orgId: Fragment, base: Fragment, from: Date): Fragment => sql`
  org_id = ${orgId} and change_id >= ${firstOfDay(from)} and xid = any (array(select pg_snapshot_xip(${base})))`

/** Of everything that is kept. */
export const keptNews = (sql: Sql, orgId: Uuid, from: Date) =>
  own<News>(sql, orgId)`
  select
    ${askedBy(sql, orgId)}, ${database(sql)}, pg_current_snapshot() as now, 0 as rows,
    (select min(seq) from changes where org_id = ${orgId} and change_id >= ${firstIdAt(from)}) as first,
    (${lastNumber(sql, orgId, from)}) as last`

export type EntryRow = Head & {
  seq: number
  changeId: Uuid
  position: number
  resourceId: Uuid
  revision: number | null
  cause: string
  actor: unknown
  createdAt: Date
  payloadSealed?: Buffer | null
  moment?: Moment | null
  /** With payloads: its change lies beyond the bytes of the page, so its payload was left behind. */
  isBeyond?: boolean
}

type WalkedRow = {
  database: string | null
  /** How many rows were walked over, and the place of the last one; null: none. */
  walked: number | null
  walkedSeq: number | null
  walkedId: Uuid | null
} & (EntryRow | { seq: null })

type Walk = {
  position: Position & { batch: Batch }
  filter: Filter
  withPayload: boolean
  limit: number
  maxBytes: number
  maxRows: number
}

/** No walk is as long. Where a limit stands Postgres reads in order and stops; else it might sort all that a walk may go through. */
const beyondAnyWalk = 2_000_000_000

/**
 * The entries of the first `limit` changes that match, among the next `maxRows` rows of a batch. A walk reads as many rows
 * as it returns, and those between them: the rank ends it early. There is one row at least. Each end is one bound of `seq` alone:
 * with two, an index scan stops at neither and goes through everything that waits. The first change comes whole, others only up to
 * `maxBytes` of payloads: the length is known without reading them.
 */
export const walkBatch = (sql: Sql, orgId: Uuid, { position, filter, withPayload, limit, maxBytes, maxRows }: Walk) => {
  const { base, from, batch } = position
  const { after, lastSeq, target } = batch
  const following = (last: Fragment) => sql`
    org_id = ${orgId} and change_id >= ${firstIdAt(from)}
    and (seq, change_id) > (${after.seq}::bigint, ${after.changeId}::uuid) and seq <= ${last}`
  return own<WalkedRow>(sql, orgId)`
  with walked as materialized (
    select seq, change_id, row_number() over (order by seq, change_id) as nth
    from (
      select seq, change_id
      from changes
      where ${following(sql`${lastSeq}`)}
      order by seq, change_id
      limit ${maxRows}
    ) next
    order by nth desc
    limit 1
  )
  select
    ${askedBy(sql, orgId)}, ${database(sql)},
    walked.nth as walked, walked.seq as walked_seq, walked.change_id as walked_id,
    page.*
  from (select) always
  left join walked on true
  left join (
    select
      seq, change_id, position, type, calendar_id, agent_id, resource_id, revision, cause, actor, created_at
      ${withPayload ? sql`, case when not is_beyond then payload_sealed end as payload_sealed, moment, is_beyond` : sql``}
    from (
      select
        *, ${
          withPayload
            ? sql`${momentColumn(sql, sql`c`)} as moment,
        dense_rank() over place > 1 and sum(octet_length(payload_sealed)) over place > ${maxBytes} as is_beyond,`
            : sql``
        }
        dense_rank() over place as rank
      from (
        select *
        from changes
        where ${following(sql`(select seq from walked)`)}
          and (seq < (select seq from walked) or change_id <= (select change_id from walked))
          and not pg_visible_in_snapshot(xid, ${base}::pg_snapshot) and pg_visible_in_snapshot(xid, ${target}::pg_snapshot)
          and ${matching(sql, filter)}
        order by seq, change_id
        limit ${beyondAnyWalk}
      ) c
      window place as (order by seq, change_id)
    ) ranked
    where rank <= ${limit}
  ) page on true
  order by page.seq, page.change_id, page.position`
}

/** As `matches` decides. */
export const matching = (sql: Sql, { types, calendarIds, agentIds, only, listed }: Filter): Fragment => sql`
  true
  ${types ? sql`and type = any (${texts(sql, types)})` : sql``}
  ${calendarIds ? sql`and calendar_id = any (${uuids(sql, calendarIds)})` : sql``}
  ${agentIds ? sql`and agent_id = any (${uuids(sql, agentIds)})` : sql``}
  ${listed ? sql`and case when calendar_id is null then split_part(type, '.', 1) <> all (${texts(sql, ofUnlisted)}) else calendar_id = any (${uuids(sql, listed)}) end` : sql``}
  ${only ? sql`and agent_id = ${only} and split_part(type, '.', 1) <> all (${texts(sql, hiddenFromAgents)})` : sql``}`

/** Where readers of an organization wait: the earliest of their snapshots. */
export type Watch = { orgId: Uuid; base: Snapshot }

type HeadRow = { orgId: Uuid; database: string | null; now: Snapshot } & (Head | { type: null })

/** The heads of the new entries for each watch, up to `max`; one row without a head if there are none. */
export const headsSince = (sql: Sql, watches: readonly Watch[], from: Date, max: number) => {
  const asked = new Set(watches.map(({ orgId }) => orgId))
  const of = sql`w.org_id`
  const base = sql`w.base::pg_snapshot`
  return answersTo<HeadRow>(sql, ({ orgId }) => asked.has(orgId))`
  select w.org_id, ${database(sql)}, pg_current_snapshot() as now, heads.type, heads.calendar_id, heads.agent_id
  from ${rowsOf(sql, watches, { orgId: 'uuid', base: 'text' }, 'w')}
  left join lateral (
    (select type, calendar_id, agent_id from changes where ${isNewer(sql, of, sql`pg_snapshot_xmax(${base})`, from)} order by xid limit ${max})
    union all
    (select type, calendar_id, agent_id from changes where ${wasRunning(sql, of, base, from)} order by xid limit ${max})
    limit ${max}
  ) heads on true`
}

export type Known = { id: Uuid; agentId: Uuid | null }

/** Deleted ones as well. */
export const calendarsById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<Known>(sql, orgId)`
  select org_id, id, agent_id
  from calendars
  where org_id = ${orgId} and id = any (${uuids(sql, ids)})`

export const agentsById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<Known>(sql, orgId)`
  select org_id, id, id as agent_id
  from agents
  where org_id = ${orgId} and id = any (${uuids(sql, ids)})`

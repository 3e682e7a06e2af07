// Writes `usage_counters`, `usage_rollups`, `measurements` and `key_days`.
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { Use } from './budget.ts'
import type { Measurement, Rollup } from './queries.ts'

export type Spent = { orgId: Uuid; periodStart: Date; metric: string; used: number }

/** Adds the spending since the last call; deleted organizations are skipped. Rows are locked in one order. */
export const addSpent = (sql: Sql, spent: readonly Spent[]) => sql`
  insert into usage_counters (org_id, period_start, metric, used)
  select s.org_id, s.period_start, s.metric, s.used
  from ${rowsOf(sql, spent, { orgId: 'uuid', periodStart: 'timestamptz', metric: 'text', used: 'bigint' }, 's')}
  join organizations o on o.id = s.org_id
  order by s.org_id, s.period_start, s.metric
  on conflict (org_id, period_start, metric) do update
  set used = usage_counters.used + excluded.used`

/** Takes one unit; no row if all `max` are taken. */
export const takeUnit = (sql: Sql, orgId: Uuid, since: Date, metric: string, max: number) =>
  own<{ used: number }>(sql, orgId)`
  insert into usage_counters (org_id, period_start, metric, used)
  select id, ${since}::timestamptz, ${metric}::text, 1
  from organizations
  where id = ${orgId}
  on conflict (org_id, period_start, metric) do update
  set used = usage_counters.used + 1
  where usage_counters.used < ${max}
  returning org_id, used`

/** Every rollup is exact, so only one that is further ahead replaces another one. */
export const setRollup = (sql: Sql, { orgId, budget, period }: Use, { used, upto }: Rollup) => sql`
  insert into usage_rollups as r (org_id, metric, period_start, used, upto)
  select id, ${budget}::text, ${period.start}::timestamptz, ${used}::bigint, ${upto}::timestamptz
  from organizations
  where id = ${orgId}
  on conflict (org_id, metric) do update
  set period_start = excluded.period_start, used = excluded.used, upto = excluded.upto
  where (r.period_start, r.upto) < (excluded.period_start, excluded.upto)`

/** Replaces the last measurements of the same names and labels. */
export const setMeasurements = (sql: Sql, now: Date, rows: readonly Measurement[]) => sql`
  insert into measurements (name, labels, value, measured_at)
  select m.name, m.labels, m.value, ${now}
  from jsonb_to_recordset(${sql.json(rows)}) as m (name text, labels jsonb, value float8)
  order by m.name, m.labels
  on conflict (name, labels) do update
  set value = excluded.value, measured_at = excluded.measured_at`

export type DayCount = {
  orgId: Uuid
  keyId: Uuid
  day: string
  events: number
  holds: number
  maxEvents: number | null
  maxHolds: number | null
  seenHolds: number | null
  /** The `id` of the guard's row, where many changes share a statement. */
  belongsTo: Uuid | null
}

const dayColumns = {
  orgId: 'uuid',
  keyId: 'uuid',
  day: 'text',
  events: 'bigint',
  holds: 'bigint',
  maxEvents: 'bigint',
  maxHolds: 'bigint',
  seenHolds: 'bigint',
  belongsTo: 'uuid',
} as const

/** Under the alias `d`, in one order, so that two statements do not wait for each other. The constraints of the table refuse too many. */
export const upsertDays = (sql: Sql, counts: readonly DayCount[], condition: Fragment): Fragment => sql`
  insert into key_days as k (org_id, key_id, day, events, holds, max_events, max_holds, seen_holds)
  select
    d.org_id, d.key_id, d.day::date, sum(d.events), sum(d.holds), min(d.max_events), min(d.max_holds), min(d.seen_holds)
  from ${rowsOf(sql, counts, dayColumns, 'd')}
  where ${condition}
  group by d.org_id, d.key_id, d.day
  order by d.org_id, d.key_id, d.day
  on conflict (org_id, key_id, day) do update set
    events = k.events + excluded.events,
    holds = k.holds + excluded.holds,
    max_events = excluded.max_events,
    max_holds = excluded.max_holds,
    -- the row that is proposed meets the constraints as well, so it cannot say this itself
    seen_holds = case when k.holds + excluded.holds <> excluded.seen_holds then -1 end
  returning k.key_id`

/** At most `max` of past days. No zone is more than a day behind. */
export const deleteDays = (sql: Sql, before: Date, max: number) => sql`
  delete from key_days
  where (org_id, key_id, day) in (
    select org_id, key_id, day
    from key_days
    where day < (${before}::timestamptz at time zone 'UTC')::date
    limit ${max}
    for update skip locked)`

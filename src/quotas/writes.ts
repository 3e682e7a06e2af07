// What is written to `usage_counters`, `usage_rollups` and `measurements`.
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { Use } from './budget.ts'
import type { Measurement, Rollup } from './queries.ts'

export type Spent = { orgId: Uuid; periodStart: Date; metric: string; used: number }

/** Adds what was spent since the last call; organizations that were deleted are skipped. Rows are locked in one order. */
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

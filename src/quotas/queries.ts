import type { Fragment, Sql } from '../db.ts'
import type { Budget } from './budgets.ts'

export const usedCounter = (sql: Sql, orgId: string, periodStart: Date, metric: string) => sql<{ used: number }[]>`
  select coalesce(max(used), 0)::bigint as used from usage_counters
  where org_id = ${orgId} and period_start = ${periodStart} and metric = ${metric}`

/** Ids are UUIDv7, so what a period made is within a range of the primary key; its time of creation is the exact bound. */
const firstIdAt = (sql: Sql, at: Date) =>
  sql`overlay(overlay(lpad(to_hex(${at.getTime()}::bigint), 12, '0') || repeat('0', 20) placing '7' from 13) placing '8' from 17)::uuid`

/** Where the things of a counted budget are; imported events and unsent deliveries cost nothing. */
const counted = (sql: Sql, budget: Budget): Fragment => {
  if (budget === 'events') return sql`events where source = 'internal'`
  return budget === 'proposals' ? sql`proposals where true` : sql`webhook_deliveries where ${isCharged(sql)}`
}

/** A first attempt under way has not taken its unit yet: its lease ends long before any retry would be due. */
const isCharged = (sql: Sql): Fragment => sql`
  attempts > 0 and (attempts > 1 or status <> 'pending' or coalesce(next_retry_at > last_attempt_at + interval '30 seconds', true))`

export const countedBudget = (sql: Sql, orgId: string, periodStart: Date, budget: Budget) => sql<{ used: number }[]>`
  select count(*) as used from ${counted(sql, budget)} 
    and org_id = ${orgId} and id >= ${firstIdAt(sql, periodStart)} and created_at >= ${periodStart}`

export type Spent = { org_id: string; period_start: Date; metric: string; used: number }

/** Adds what was spent since the last call; an organization that is gone meanwhile is passed over. */
export const addSpent = (sql: Sql, spent: readonly Spent[]) => sql`
  insert into usage_counters (org_id, period_start, metric, used)
  select s.org_id, s.period_start, s.metric, s.used
  from jsonb_to_recordset(${sql.json(spent as never)}) as s (org_id uuid, period_start timestamptz, metric text, used bigint)
  join organizations o on o.id = s.org_id
  order by s.org_id, s.period_start, s.metric
  on conflict (org_id, period_start, metric) do update set used = usage_counters.used + excluded.used`

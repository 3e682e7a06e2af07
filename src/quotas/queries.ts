import { type AgreedLimits, type PlanId, shortestRetryMs } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { Budget } from './budget.ts'

export const usedCounter = (sql: Sql, orgId: Uuid, periodStart: Date, metric: string) =>
  own<{ used: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, coalesce(max(used), 0)::bigint as used from usage_counters
  where org_id = ${orgId} and period_start = ${periodStart} and metric = ${metric}`

/** Ids are UUIDv7, so what a period made is within a range of the primary key; its time of creation is the exact bound. */
const firstIdAt = (sql: Sql, at: Date) =>
  sql`overlay(overlay(lpad(to_hex(${at.getTime()}::bigint), 12, '0') || repeat('0', 20) placing '7' from 13) placing '8' from 17)::uuid`

/** Where the things of a counted budget are; imported events and unsent deliveries cost nothing. */
const counted = (sql: Sql, budget: Budget): Fragment => {
  if (budget === 'events') return sql`events where source = 'internal'`
  return budget === 'proposals' ? sql`proposals where true` : sql`webhook_deliveries where ${hasTakenUnit(sql)}`
}

/**
 * What is due again sooner after an attempt waits for the end of that attempt's lease, what is due later for a retry.
 * Every lease of a delivery is shorter, every wait of a plan longer.
 */
export const leaseOrRetryMs = shortestRetryMs / 2

/** A first attempt under way has not taken its unit yet. */
const hasTakenUnit = (sql: Sql): Fragment => sql`
  attempts > 0 and (attempts > 1 or status <> 'pending' or coalesce(next_retry_at > last_attempt_at + ${leaseOrRetryMs} * interval '1 millisecond', true))`

export const countedBudget = (sql: Sql, orgId: Uuid, periodStart: Date, budget: Budget) =>
  own<{ used: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*) as used from ${counted(sql, budget)} 
    and org_id = ${orgId} and id >= ${firstIdAt(sql, periodStart)} and created_at >= ${periodStart}`

export type Spent = { org_id: Uuid; period_start: Date; metric: string; used: number }

/** Adds what was spent since the last call; an organization that is gone meanwhile is passed over. */
export const addSpent = (sql: Sql, spent: readonly Spent[]) => sql`
  insert into usage_counters (org_id, period_start, metric, used)
  select s.org_id, s.period_start, s.metric, s.used
  from jsonb_to_recordset(${sql.json(spent)}) as s (org_id uuid, period_start timestamptz, metric text, used bigint)
  join organizations o on o.id = s.org_id
  order by s.org_id, s.period_start, s.metric
  on conflict (org_id, period_start, metric) do update set used = usage_counters.used + excluded.used`

/** Takes one unit; no row when all are taken. */
export const takeCounted = (sql: Sql, orgId: Uuid, since: Date, metric: string, most: number) =>
  own<{ used: number }>(sql, orgId)`
  insert into usage_counters (org_id, period_start, metric, used)
  select id, ${since}::timestamptz, ${metric}::text, 1 from organizations where id = ${orgId}
  on conflict (org_id, period_start, metric) do update set used = usage_counters.used + 1
  where usage_counters.used < ${most}
  returning org_id, used`

export type OrganizationUse = {
  id: Uuid
  plan: PlanId
  limits: AgreedLimits
  createdAt: Date
  /** By budget, of the period that is not over. */
  used: Record<string, number> | null
}

/** In blocks; of the periods of an organization only the one under way began so lately. */
export const organizationsAfter = (sql: Sql, after: Uuid | null, periodMs: number, most: number) => sql<
  OrganizationUse[]
>`
  select o.id, o.plan, o.limits, o.created_at, (
    select jsonb_object_agg(u.metric, u.used) from usage_counters u
    where u.org_id = o.id and u.period_start > app_now() - ${periodMs} * interval '1 millisecond'
      and u.metric in ('api_calls', 'availability_queries')) as used
  from organizations o ${after === null ? sql`` : sql`where o.id > ${after}`} order by o.id limit ${most}`

type Measured = { name: string; labels: Record<string, string | undefined>; value: number }

export const writeMeasured = (sql: Sql, now: Date, rows: readonly Measured[]) => sql`
  insert into measurements (name, labels, value, measured_at)
  select m.name, m.labels, m.value, ${now} from jsonb_to_recordset(${sql.json(rows)}) as m
    (name text, labels jsonb, value float8)
  order by m.name, m.labels
  on conflict (name, labels) do update set value = excluded.value, measured_at = excluded.measured_at`

export const measured = (sql: Sql) => sql<Measured[]>`select name, labels, value from measurements`

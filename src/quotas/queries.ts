import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { type Counter, isMadeSince, type Use } from './budget.ts'

export const usedCounter = (sql: Sql, orgId: Uuid, periodStart: Date, metric: string) =>
  own<{ used: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, coalesce(max(used), 0)::bigint as used
  from usage_counters
  where org_id = ${orgId} and period_start = ${periodStart} and metric = ${metric}`

export const holdsOfDay = (sql: Sql, orgId: Uuid, keyId: Uuid, day: string) =>
  own<{ holds: number }>(sql, orgId)`
  select org_id, holds
  from key_days
  where org_id = ${orgId} and key_id = ${keyId} and day = ${day}::date`

export type Rollup = { used: number; upto: Date }

export const rollupOf = (sql: Sql, { orgId, budget, period }: Use) =>
  own<Rollup>(sql, orgId)`
  select org_id, used, upto
  from usage_rollups
  where org_id = ${orgId} and metric = ${budget} and period_start = ${period.start}`

/** The rows of a period whose id is of `from` or later, and how many of them have one from before `settledUntil`. */
export const rowsFrom = (sql: Sql, counter: Counter, { orgId, period }: Use, from: Date, settledUntil: Date) =>
  own<{ made: number; settled: number; unspent: number }>(sql, orgId)`
  select
    ${askedBy(sql, orgId)},
    count(*) as made,
    count(*) filter (where id < ${firstIdAt(settledUntil)}) as settled,
    ${counter.unspent ? sql`(${counter.unspent(sql, isMadeSince(sql, orgId, period.start))})` : sql`0`} as unspent
  ${counter.rows(sql, isMadeSince(sql, orgId, period.start, from))}`

export type OrganizationUse = {
  id: Uuid
  plan: PlanId
  limits: AgreedLimits
  createdAt: Date
  /** By budget, in the current period. */
  used: Record<string, number> | null
}

/** A block of organizations. Only the current period of an organization can have begun within `periodMs`. */
export const organizationsAfter = (sql: Sql, after: Uuid | null, periodMs: number, max: number) => sql<
  OrganizationUse[]
>`
  select o.id, o.plan, o.limits, o.created_at,
    (
      select jsonb_object_agg(u.metric, u.used)
      from usage_counters u
      where u.org_id = o.id
        and u.period_start > app_now() - ${periodMs} * interval '1 millisecond'
        and u.metric in ('api_calls', 'availability_queries')
    ) as used
  from organizations o
  ${after === null ? sql`` : sql`where o.id > ${after}`}
  order by o.id
  limit ${max}`

export type Measurement = { name: string; labels: Record<string, string | undefined>; value: number }

export const lastMeasurements = (sql: Sql) => sql<Measurement[]>`
  select name, labels, value
  from measurements`

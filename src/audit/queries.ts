import type { Role } from '../actors/roles.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export type EntryRow = {
  id: Uuid
  action: string
  actorKeyPrefix: string | null
  /** The address of the account whose session acted. */
  actorAccount: string | null
  actorMember: Uuid | null
  /** Of the acting member, at that moment. */
  actorRole: Role | null
  agentId: Uuid | null
  resource: string | null
  ip: string | null
  status: number | null
  method: string | null
  path: string | null
  durationMs: number | null
  requestId: string | null
  createdAt: Date
}

type EntryFilter = {
  from: Date
  to: Date
  action: string | undefined
  actorKeyPrefix: string | undefined
  actorMember: Uuid | undefined
  requestId: string | undefined
  agentId: Uuid | undefined
  resource: string | undefined
  /** The last entry of the page before. */
  after: { createdAt: Date; id: Uuid } | undefined
}

/** The bound on the time follows from the one beside it, and keeps Postgres from reading the days after the cursor. */
export const entriesPage = (sql: Sql, orgId: Uuid, filter: EntryFilter, limit: number) =>
  own<EntryRow>(sql, orgId)`
  select
    org_id, id, action, actor_key_prefix, actor_account, actor_member, actor_role, agent_id, resource,
    ip, status, method, path, duration_ms, request_id, created_at
  from audit_entries
  where org_id = ${orgId}
    and created_at >= ${filter.from} and created_at <= ${filter.to}
    ${filter.action === undefined ? sql`` : sql`and action = ${filter.action}`}
    ${filter.actorKeyPrefix === undefined ? sql`` : sql`and actor_key_prefix = ${filter.actorKeyPrefix}`}
    ${filter.actorMember === undefined ? sql`` : sql`and actor_member = ${filter.actorMember}`}
    ${filter.requestId === undefined ? sql`` : sql`and request_id = ${filter.requestId}`}
    ${filter.agentId === undefined ? sql`` : sql`and agent_id = ${filter.agentId}`}
    ${filter.resource === undefined ? sql`` : sql`and resource = ${filter.resource}`}
    ${filter.after ? sql`and created_at <= ${filter.after.createdAt} and (created_at, id) < (${filter.after.createdAt}, ${filter.after.id})` : sql``}
  order by created_at desc, id desc
  limit ${limit}`

/** For each UTC day of the range. */
export const makePartitions = (sql: Sql, first: Date, last: Date) => sql`
  select make_audit_partitions((${first} at time zone 'UTC')::date, (${last} at time zone 'UTC')::date)`

export const dropPartitions = (sql: Sql, before: Date) => sql`
  select drop_audit_partitions((${before} at time zone 'UTC')::date)`

export type Keeper = { id: Uuid; plan: PlanId; limits: AgreedLimits }

/** The different retentions of organizations; agreed limits count on the custom plan only. */
export const keeperKinds = (sql: Sql) => sql<Omit<Keeper, 'id'>[]>`
  select distinct plan, case when plan = 'custom' then limits else '{}' end as limits
  from organizations`

export const keepers = (sql: Sql, after: Uuid | undefined, max: number) => sql<Keeper[]>`
  select id, plan, limits
  from organizations
  ${after === undefined ? sql`` : sql`where id > ${after}`}
  order by id
  limit ${max}`

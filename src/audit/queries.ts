import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type EntryRow = {
  id: Uuid
  action: string
  actorKeyPrefix: string | null
  /** The address of the account whose session acted. */
  actorAccount: string | null
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
  /** The last entry of the page before. */
  after: { createdAt: Date; id: Uuid } | undefined
}

export const entriesPage = (sql: Sql, orgId: Uuid, filter: EntryFilter, limit: number) =>
  own<EntryRow>(sql, orgId)`
  select org_id, id, action, actor_key_prefix, actor_account, agent_id, resource, ip, status, method, path, duration_ms,
    request_id, created_at
  from audit_entries
  where org_id = ${orgId} and created_at >= ${filter.from} and created_at <= ${filter.to}
    ${filter.action === undefined ? sql`` : sql`and action = ${filter.action}`}
    ${filter.actorKeyPrefix === undefined ? sql`` : sql`and actor_key_prefix = ${filter.actorKeyPrefix}`}
    ${filter.after ? sql`and (created_at, id) < (${filter.after.createdAt}, ${filter.after.id})` : sql``}
  order by created_at desc, id desc limit ${limit}`

/** `org_id` null: the organization is the one the key's prefix belongs to, if that is a single one. */
export type FailureItem = {
  org_id: Uuid | null
  id: Uuid
  action: 'auth.failure' | 'rate_limit.exceeded'
  actor_key_prefix: string | null
  agent_id: string | null
  ip: string | null
  status: number
  method: string
  path: string
  duration_ms: number
  request_id: string
  created_at: Date
}

const failureColumns = (sql: Sql): Fragment => sql`
  org_id uuid, id uuid, action text, actor_key_prefix text, agent_id uuid, ip text, status smallint, method text, path text,
  duration_ms integer, request_id text, created_at timestamptz`

export const insertFailures = (sql: Sql, items: readonly FailureItem[]) => sql<{ id: Uuid }[]>`
  insert into audit_entries (org_id, id, action, actor_key_prefix, agent_id, ip, status, method, path, duration_ms,
    request_id, created_at)
  select o.id, f.id, f.action, f.actor_key_prefix, coalesce(f.agent_id, k.agent_id), f.ip, f.status, f.method, f.path,
    f.duration_ms, f.request_id, f.created_at
  from jsonb_to_recordset(${sql.json(items)}) as f (${failureColumns(sql)})
  left join lateral (
    select (array_agg(org_id))[1] as org_id, (array_agg(agent_id))[1] as agent_id from api_keys
    where f.org_id is null and prefix = f.actor_key_prefix having count(distinct org_id) = 1
  ) k on true
  join organizations o on o.id = coalesce(f.org_id, k.org_id)
  returning id`

/** Of the days in UTC. */
export const makePartitions = (sql: Sql, first: Date, last: Date) => sql`
  select make_audit_partitions((${first} at time zone 'UTC')::date, (${last} at time zone 'UTC')::date)`

export const dropPartitions = (sql: Sql, before: Date) => sql`
  select drop_audit_partitions((${before} at time zone 'UTC')::date)`

export type Keeper = { id: Uuid; plan: PlanId; limits: AgreedLimits }

/** How differently organizations keep their log; agreed limits count on the custom plan only. */
export const keeperKinds = (sql: Sql) => sql<Omit<Keeper, 'id'>[]>`
  select distinct plan, case when plan = 'custom' then limits else '{}' end as limits from organizations`

export const keepers = (sql: Sql, after: Uuid | undefined, most: number) => sql<Keeper[]>`
  select id, plan, limits from organizations ${after === undefined ? sql`` : sql`where id > ${after}`}
  order by id limit ${most}`

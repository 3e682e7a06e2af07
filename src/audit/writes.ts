// Writes `audit_entries`, besides the entries of changes (record.ts). The table is partitioned: rows are named by their key,
// since a `ctid` is only unique within a partition.
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'

/** A failure; without `orgId` it concerns the organization of the key's prefix, if exactly one has such a key. */
export type FailureItem = {
  orgId: Uuid | null
  id: Uuid
  action: 'auth.failure' | 'rate_limit.exceeded'
  actorKeyPrefix: string | null
  agentId: Uuid | null
  ip: string | null
  status: number
  method: string
  path: string
  durationMs: number
  requestId: string
  createdAt: Date
}

const failureColumns = {
  orgId: 'uuid',
  id: 'uuid',
  action: 'text',
  actorKeyPrefix: 'text',
  agentId: 'uuid',
  ip: 'text',
  status: 'smallint',
  method: 'text',
  path: 'text',
  durationMs: 'integer',
  requestId: 'text',
  createdAt: 'timestamptz',
} as const

/** Returns the ids of the failures that were written: those with an organization. */
export const insertFailures = (sql: Sql, items: readonly FailureItem[]) => sql<{ id: Uuid }[]>`
  insert into audit_entries (
    org_id, id, action, actor_key_prefix, agent_id,
    ip, status, method, path, duration_ms, request_id, created_at)
  select
    o.id, f.id, f.action, f.actor_key_prefix, coalesce(f.agent_id, k.agent_id),
    f.ip, f.status, f.method, f.path, f.duration_ms, f.request_id, f.created_at
  from ${rowsOf(sql, items, failureColumns, 'f')}
  left join lateral (
    -- the organization and the agent of the key, if the prefix is of one organization only
    select (array_agg(org_id))[1] as org_id, (array_agg(agent_id))[1] as agent_id
    from api_keys
    where f.org_id is null and prefix = f.actor_key_prefix
    having count(distinct org_id) = 1
  ) k on true
  join organizations o on o.id = coalesce(f.org_id, k.org_id)
  returning id`

/** Up to `max` entries of the organizations that are older than `before`. */
export const deleteExpired = (sql: Sql, orgIds: readonly Uuid[], before: Date, max: number) => sql`
  delete from audit_entries
  where (org_id, created_at, id) in (
    select org_id, created_at, id
    from audit_entries
    where org_id = any (${uuids(sql, orgIds)}) and created_at < ${before}
    limit ${max})`

/** Up to `max` entries of an organization. */
export const deleteEntries = (sql: Sql, orgId: Uuid, max: number) => sql`
  delete from audit_entries
  where (org_id, created_at, id) in (
    select org_id, created_at, id
    from audit_entries
    where org_id = ${orgId}
    limit ${max})`

// Writes `refused_requests`. The table is partitioned: rows are named by their key, since a `ctid` is only unique within a
// partition.
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export type RefusedItem = {
  orgId: Uuid
  id: Uuid
  at: Date
  keptUntil: Date
  method: string
  path: string
  status: number
  type: string
  code: string | null
  param: string | null
  keyPrefix: string | null
  actorAccount: string | null
  agentId: Uuid | null
  ip: string | null
  durationMs: number
}

const columns = {
  orgId: 'uuid',
  id: 'uuid',
  at: 'timestamptz',
  keptUntil: 'timestamptz',
  method: 'text',
  path: 'text',
  status: 'smallint',
  type: 'text',
  code: 'text',
  param: 'text',
  keyPrefix: 'text',
  actorAccount: 'text',
  agentId: 'uuid',
  ip: 'text',
  durationMs: 'integer',
} as const

/** Those of deleted organizations are left out. */
export const insertRefused = (sql: Sql, items: readonly RefusedItem[]) => sql`
  insert into refused_requests (
    org_id, id, at, kept_until, method, path, status, type, code, param, key_prefix, actor_account, agent_id, ip, duration_ms)
  select
    r.org_id, r.id, r.at, r.kept_until, r.method, r.path, r.status, r.type, r.code, r.param, r.key_prefix, r.actor_account,
    r.agent_id, r.ip, r.duration_ms
  from ${rowsOf(sql, items, columns, 'r')}
  join organizations o on o.id = r.org_id
  on conflict do nothing`

/** Up to `max` requests of an organization. */
export const deleteRefused = (sql: Sql, orgId: Uuid, max: number) => sql`
  delete from refused_requests
  where (org_id, at, id, kept_until) in (
    select org_id, at, id, kept_until
    from refused_requests
    where org_id = ${orgId}
    limit ${max})`

// What writes `agents`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'
import type { AgentRow } from './queries.ts'

export const insertAgent = (sql: Sql, row: AgentRow): Effect =>
  effect(
    'agent',
    sql`
    insert into agents (
      org_id, id,
      name, type, description, status, metadata,
      created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid,
      ${row.name}::text, ${row.type}::text, ${row.description}::text, ${row.status}::text, ${json(sql, row.metadata)},
      ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}`,
  )

/** Matches while nobody has changed the agent since it was read, last changed at `seen`. */
export const updateAgentGuard = (sql: Sql, row: AgentRow, seen: Date): Fragment => sql`
  update agents set
    name = ${row.name},
    description = ${row.description},
    status = ${row.status},
    metadata = ${json(sql, row.metadata)},
    updated_at = ${row.updatedAt}
  where org_id = ${row.orgId} and id = ${row.id} and updated_at = ${seen} and status <> 'decommissioned'
  returning id`

/** Matches while nobody has changed the agent since it was read. */
export const decommissionAgentGuard = (sql: Sql, { orgId, id, updatedAt }: AgentRow, now: Date): Fragment => sql`
  update agents set
    status = 'decommissioned',
    decommissioned_at = ${now},
    updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and updated_at = ${updatedAt} and status <> 'decommissioned'
  returning id`

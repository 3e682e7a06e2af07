// Writes `agents`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { type Capped, cappedKind } from '../recording/capped.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import type { AgentRow } from './queries.ts'

const agentColumns = {
  orgId: 'uuid',
  id: 'uuid',
  name: 'text',
  type: 'text',
  description: 'text',
  status: 'text',
  metadata: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

/** From a clause whose alias `i` has the `agentColumns`. */
const insertAgents = (sql: Sql, from: Fragment): Effect =>
  effect(
    'agents',
    sql`
    insert into agents (org_id, id, name, type, description, status, metadata, created_at, updated_at)
    select i.org_id, i.id, i.name, i.type, i.description, i.status, i.metadata, i.created_at, i.updated_at
    from ${from}`,
  )

/** As part of another noun's change. */
export const insertAgent = (sql: Sql, row: AgentRow): Effect =>
  insertAgents(sql, sql`${guard}, ${rowsOf(sql, [row], agentColumns, 'i')}`)

/** New agents, which a plan caps. */
export const newAgents = cappedKind<Capped & AgentRow>({
  columns: agentColumns,
  subject: ({ sql }) => sql`null::uuid as calendar_id, i.id as agent_id, null::bigint as revision`,
  insert: ({ sql }, from) => insertAgents(sql, from),
})

/** Matches while the agent has not changed since it was read, last changed at `seen`. */
export const updateAgentGuard = (sql: Sql, row: AgentRow, seen: Date): Fragment => sql`
  update agents set
    name = ${row.name},
    description = ${row.description},
    status = ${row.status},
    metadata = ${json(sql, row.metadata)},
    updated_at = ${row.updatedAt}
  where org_id = ${row.orgId} and id = ${row.id} and updated_at = ${seen} and status <> 'decommissioned'
  returning id`

/** Matches while the agent has not changed since it was read. */
export const decommissionAgentGuard = (sql: Sql, { orgId, id, updatedAt }: AgentRow, now: Date): Fragment => sql`
  update agents set
    status = 'decommissioned',
    decommissioned_at = ${now},
    updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and updated_at = ${updatedAt} and status <> 'decommissioned'
  returning id`

/** A query of the identifiers of its calendars. */
export const calendarIdsOf = (sql: Sql, { orgId, id }: Pick<AgentRow, 'orgId' | 'id'>): Fragment => sql`
  select id
  from calendars
  where org_id = ${orgId} and agent_id = ${id} and deleted_at is null`

import { decodeId, type Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { holdsPart, likeness, uuids } from '../stores/sql.ts'
import type { AgentListQuery, agentStatuses, agentTypes } from './schema.ts'

export type AgentRow = {
  orgId: Uuid
  id: Uuid
  name: string
  type: (typeof agentTypes)[number]
  description: string | null
  status: (typeof agentStatuses)[number]
  metadata: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

const agentColumns = (sql: Sql) => sql`
  org_id, id,
  name, type, description, status, metadata,
  created_at, updated_at`

export const agentById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<AgentRow>(sql, orgId)`
  select ${agentColumns(sql)}
  from agents
  where org_id = ${orgId} and id = ${id}`

/** `only`: the one agent that an agent key may see. */
const matching = (sql: Sql, orgId: Uuid, query: AgentListQuery, only: Uuid | undefined): Fragment => sql`
  org_id = ${orgId}
  ${only ? sql`and id = ${only}` : sql``}
  ${query.ids ? sql`and id = any(${uuids(sql, knownIds(query.ids))})` : sql``}
  ${query.type ? sql`and type = ${query.type}` : sql``}
  ${query.status ? sql`and status = ${query.status}` : sql``}
  ${query.query ? sql`and ${holdsPart(sql, sql`name`, query.query)}` : sql``}`

const knownIds = (ids: readonly string[]): Uuid[] => ids.flatMap((id) => decodeId('agt', id) ?? [])

export const agentsPage = (sql: Sql, orgId: Uuid, query: AgentListQuery, only: Uuid | undefined) =>
  own<AgentRow>(sql, orgId)`
  select ${agentColumns(sql)}
  from agents
  where ${matching(sql, orgId, query, only)}
  order by id desc
  limit ${query.limit} offset ${query.offset}`

export const agentTotal = (sql: Sql, orgId: Uuid, query: AgentListQuery, only: Uuid | undefined) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from agents
  where ${matching(sql, orgId, query, only)}`

/** Living ones whose names hold `part`. */
export const agentsNamed = (sql: Sql, orgId: Uuid, only: Uuid | undefined, part: string, max: number) =>
  own<Pick<AgentRow, 'id' | 'name' | 'type'>>(sql, orgId)`
  select org_id, id, name, type
  from agents
  where org_id = ${orgId} and status <> 'decommissioned' ${only ? sql`and id = ${only}` : sql``}
    and ${holdsPart(sql, sql`name`, part)}
  order by ${likeness(sql, sql`name`)} = ${likeness(sql, sql`${part}::text`)} desc, id desc
  limit ${max}`

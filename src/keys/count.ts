import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * Whether key `k` with agent `a` (null for the organization's key) can be used. Nothing is written to the keys of an agent
 * that is decommissioned.
 */
export const isAlive = (sql: Sql, k: Fragment, a: Fragment): Fragment =>
  sql`${k}.revoked_at is null and ${a}.status is distinct from 'decommissioned'`

/** The clause `from` of the agent keys that can be used: keys as `k`, agents as `a`. */
export const activeAgentKeys = (sql: Sql, orgId: Uuid): Fragment => sql`
  from api_keys k
  join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.org_id = ${orgId} and ${isAlive(sql, sql`k`, sql`a`)}`

/** A scalar query: how many agent keys count against the plan's cap. */
export const agentKeyCount = (sql: Sql, orgId: Uuid): Fragment => sql`select count(*) ${activeAgentKeys(sql, orgId)}`

import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/**
 * Whether key `k` with agent `a` (null for a key of the organization) is known: nobody has ended it. Nothing is written to the
 * keys of an agent that is decommissioned.
 */
export const isKnown = (sql: Sql, k: Fragment, a: Fragment): Fragment =>
  sql`${k}.revoked_at is null and ${a}.status is distinct from 'decommissioned'`

const hasTime = (sql: Sql, k: Fragment): Fragment => sql`(${k}.expires_at is null or ${k}.expires_at > app_now())`

/** Whether it can be used, too. */
export const isAlive = (sql: Sql, k: Fragment, a: Fragment): Fragment =>
  sql`${isKnown(sql, k, a)} and ${hasTime(sql, k)}`

/** The clause `from` of the agent keys that can be used: keys as `k`, agents as `a`. */
export const activeAgentKeys = (sql: Sql, orgId: Uuid): Fragment => sql`
  from api_keys k
  join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.org_id = ${orgId} and ${isAlive(sql, sql`k`, sql`a`)}`

/** The same of the organization's own keys. */
export const activeOwnKeys = (sql: Sql, orgId: Uuid): Fragment => sql`
  from api_keys k
  where k.org_id = ${orgId} and k.agent_id is null and k.revoked_at is null and ${hasTime(sql, sql`k`)}`

/** A scalar query: how many agent keys count against the plan's cap. One that was replaced does not. */
export const agentKeyCount = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) ${activeAgentKeys(sql, orgId)} and k.replaced_by is null`

/** The same of the organization's own keys. */
export const ownKeyCount = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) ${activeOwnKeys(sql, orgId)} and k.replaced_by is null`

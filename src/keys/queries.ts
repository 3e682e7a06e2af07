import type { Fragment, Sql } from '../db.ts'
import type { PlanId } from '../plans/plans.ts'

export type KeyRow = { id: string; prefix: string; agentId: string; label: string | null; createdAt: Date }

export const agentKeys = (sql: Sql, orgId: string) => sql<KeyRow[]>`
  select id, prefix, agent_id, label, created_at from api_keys
  where org_id = ${orgId} and agent_id is not null and revoked_at is null order by id desc`

export const agentKeyCount = (sql: Sql, orgId: string): Fragment =>
  sql`select count(*) from api_keys where org_id = ${orgId} and agent_id is not null and revoked_at is null`

export type PrincipalRow = {
  keyId: string
  keyPrefix: string
  orgId: string
  agentId: string | null
  agentStatus: string | null
  plan: PlanId
  limits: Record<string, number | null>
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  orgCreatedAt: Date
}

export const principalByHash = (sql: Sql, hash: Buffer) => sql<PrincipalRow[]>`
  select k.id as key_id, k.prefix as key_prefix, k.org_id, k.agent_id, a.status as agent_status, o.plan, o.limits,
    o.rate_limit_per_second, o.is_waitlisted, o.created_at as org_created_at
  from api_keys k
  join organizations o on o.id = k.org_id
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.hash = ${hash} and k.revoked_at is null`

export const revokedKey = (sql: Sql, orgId: string, id: string, now: Date): Fragment => sql`
  update api_keys set revoked_at = ${now}
  where org_id = ${orgId} and id = ${id} and agent_id is not null and revoked_at is null
  returning id`

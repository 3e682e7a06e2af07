import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type KeyRow = { id: Uuid; prefix: string; agentId: Uuid; label: string | null; createdAt: Date }

/** Of the key `k` and its agent `a`, if it has one: a decommissioned agent's keys are dead without anybody writing to them. */
const isAlive = (sql: Sql): Fragment => sql`k.revoked_at is null and a.status is distinct from 'decommissioned'`

const livingAgentKeys = (sql: Sql, orgId: Uuid): Fragment => sql`
  from api_keys k join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.org_id = ${orgId} and ${isAlive(sql)}`

export const agentKeys = (sql: Sql, orgId: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select k.org_id, k.id, k.prefix, k.agent_id, k.label, k.created_at ${livingAgentKeys(sql, orgId)} order by k.id desc`

export const agentKeyCount = (sql: Sql, orgId: Uuid): Fragment => sql`select count(*) ${livingAgentKeys(sql, orgId)}`

type PrincipalRow = {
  keyId: Uuid
  keyPrefix: string
  hash: Buffer
  orgId: Uuid
  agentId: Uuid | null
  agentStatus: string | null
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

export const principalByHash = (sql: Sql, hash: Buffer) =>
  answersTo<PrincipalRow>(sql, (row) => hash.equals(row.hash))`
  select k.id as key_id, k.hash, k.prefix as key_prefix, k.org_id, k.agent_id, a.status as agent_status, o.plan, o.limits,
    o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version,
    o.created_at as org_created_at
  from api_keys k
  join organizations o on o.id = k.org_id
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.hash = ${hash} and ${isAlive(sql)}`

export const revokedKey = (sql: Sql, orgId: Uuid, id: Uuid, now: Date): Fragment => sql`
  update api_keys k set revoked_at = ${now} from agents a
  where k.org_id = ${orgId} and k.id = ${id} and a.org_id = k.org_id and a.id = k.agent_id and ${isAlive(sql)}
  returning k.id`

export const livingOrganizationKey = (sql: Sql, orgId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id from api_keys where org_id = ${orgId} and agent_id is null and revoked_at is null`

export const revokeOrganizationKey = (sql: Sql, orgId: Uuid, now: Date): Fragment => sql`
  update api_keys set revoked_at = ${now} from guard
  where org_id = ${orgId} and agent_id is null and revoked_at is null
  returning id`

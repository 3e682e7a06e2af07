import type { Guardrails } from '../actors/guardrails.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { activeAgentKeys, isAlive } from './count.ts'

export type KeyRow = {
  id: Uuid
  prefix: string
  agentId: Uuid
  label: string | null
  guardrails: Guardrails | null
  createdAt: Date
}

const keyColumns = (sql: Sql) => sql`k.org_id, k.id, k.prefix, k.agent_id, k.label, k.guardrails, k.created_at`

export const agentKeys = (sql: Sql, orgId: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeAgentKeys(sql, orgId)}
  order by k.id desc`

export const agentKeyById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeAgentKeys(sql, orgId)} and k.id = ${id}`

export type PrincipalRow = {
  keyId: Uuid
  keyPrefix: string
  hash: Buffer
  orgId: Uuid
  agentId: Uuid | null
  agentStatus: string | null
  guardrails: Guardrails | null
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

const principalColumns = (sql: Sql) => sql`
  k.id as key_id, k.hash, k.prefix as key_prefix, k.org_id, k.agent_id, k.guardrails, a.status as agent_status,
  o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version, o.created_at as org_created_at`

/** Of active keys as `k`. */
const principals = (sql: Sql) => sql`
  join organizations o on o.id = k.org_id
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where ${isAlive(sql, sql`k`, sql`a`)}`

export const principalByHash = (sql: Sql, hash: Buffer) =>
  answersTo<PrincipalRow>(sql, (row) => hash.equals(row.hash))`
  select ${principalColumns(sql)}
  from api_keys k
  ${principals(sql)} and k.hash = ${hash}`

export const principalsByHashes = (sql: Sql, hashes: readonly Buffer[]) =>
  answersTo<PrincipalRow>(sql, (row) => hashes.some((hash) => hash.equals(row.hash)))`
  select ${principalColumns(sql)}
  from ${rowsOf(
    sql,
    hashes.map((hash) => ({ hash })),
    { hash: 'bytea' },
    'w',
  )}
  join api_keys k on k.hash = w.hash
  ${principals(sql)}`

export const activeOrganizationKey = (sql: Sql, orgId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from api_keys
  where org_id = ${orgId} and agent_id is null and revoked_at is null`

export type KeyId = { orgId: Uuid; id: Uuid }

/** Those of the keys that can be used, or could if their organizations were not on the waitlist. */
export const stillAlive = (sql: Sql, keys: readonly KeyId[]) =>
  answersTo<{ id: Uuid; isWaitlisted: boolean }>(sql, isOneOf(keys.map(({ id }) => id)))`
  select k.id, o.is_waitlisted
  from ${rowsOf(sql, keys, { orgId: 'uuid', id: 'uuid' }, 'w')}
  join api_keys k on k.org_id = w.org_id and k.id = w.id
  join organizations o on o.id = k.org_id
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where ${isAlive(sql, sql`k`, sql`a`)}`

import type { Guardrails } from '../actors/guardrails.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { activeAgentKeys, activeOwnKeys, isAlive, isKnown } from './count.ts'
import type { KeyScope } from './organizationKeySchema.ts'
import type { AgentKeyRow, KeyRow } from './row.ts'

const keyColumns = (sql: Sql) => sql`
  k.org_id, k.id, k.prefix, k.agent_id, k.label, k.guardrails, k.is_primary, k.scope, k.allowed_ips, k.created_at,
  k.created_by_member, k.created_by_email, k.last_used_at, k.expires_at, k.replaced_by`

export const agentKeys = (sql: Sql, orgId: Uuid) =>
  own<AgentKeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeAgentKeys(sql, orgId)}
  order by k.id desc`

export const agentKeyById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<AgentKeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeAgentKeys(sql, orgId)} and k.id = ${id}`

export const ownKeys = (sql: Sql, orgId: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeOwnKeys(sql, orgId)}
  order by k.id desc`

export const ownKeyById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  ${activeOwnKeys(sql, orgId)} and k.id = ${id}`

/** The key that a key has replaced, while it can be used. */
export const predecessorOf = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  from api_keys k
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where k.org_id = ${orgId} and k.replaced_by = ${id} and ${isAlive(sql, sql`k`, sql`a`)}`

/** Whether a key, of an agent or of the organization itself, was replaced. It may have ended. */
export const replacedKey = (sql: Sql, orgId: Uuid, id: Uuid, isOfAgent: boolean) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from api_keys
  where org_id = ${orgId} and id = ${id} and (agent_id is not null) = ${isOfAgent} and replaced_by is not null`

/** It may be over: one that has expired is still the primary key until another one takes its place. */
export const primaryKey = (sql: Sql, orgId: Uuid) =>
  own<KeyRow>(sql, orgId)`
  select ${keyColumns(sql)}
  from api_keys k
  where k.org_id = ${orgId} and k.agent_id is null and k.is_primary and k.replaced_by is null and k.revoked_at is null`

export type PrincipalRow = {
  keyId: Uuid
  keyPrefix: string
  hash: Buffer
  orgId: Uuid
  agentId: Uuid | null
  agentStatus: string | null
  guardrails: Guardrails | null
  scope: KeyScope
  allowedIps: readonly string[] | null
  expiresAt: Date | null
  lastUsedAt: Date | null
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

const principalColumns = (sql: Sql) => sql`
  k.id as key_id, k.hash, k.prefix as key_prefix, k.org_id, k.agent_id, k.guardrails, k.scope, k.allowed_ips, k.expires_at,
  k.last_used_at, a.status as agent_status,
  o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version, o.created_at as org_created_at`

/** Of known keys as `k`: a caller learns that theirs has expired. */
const principals = (sql: Sql) => sql`
  join organizations o on o.id = k.org_id
  left join agents a on a.org_id = k.org_id and a.id = k.agent_id
  where ${isKnown(sql, sql`k`, sql`a`)}`

export const principalByHash = (sql: Sql, hash: Buffer) =>
  answersTo<PrincipalRow>(sql, (row) => hash.equals(row.hash))`
  select ${principalColumns(sql)}
  from api_keys k
  ${principals(sql)} and k.hash = ${hash}`

export const principalById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<PrincipalRow>(sql, orgId)`
  select ${principalColumns(sql)}
  from api_keys k
  ${principals(sql)} and k.org_id = ${orgId} and k.id = ${id}`

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

// Writes `api_keys`.
import type { Guardrails } from '../actors/guardrails.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'
import { isAlive } from './count.ts'
import type { MintedKey } from './mint.ts'

type NewKey = MintedKey & { orgId: Uuid; agentId: Uuid | null; label: string | null; guardrails?: Guardrails | null }

/** `after`: the step that revokes the key which this one replaces. Only one key of an organization may be alive. */
export const insertKey = (sql: Sql, key: NewKey, after?: Step): Effect =>
  effect(
    'key',
    sql`
    insert into api_keys (org_id, id, agent_id, hash, prefix, label, guardrails, created_at)
    select
      ${key.orgId}::uuid, ${key.id}::uuid, ${key.agentId}::uuid, ${key.hash}::bytea,
      ${key.prefix}::text, ${key.label}::text, ${storedGuardrails(sql, key.guardrails)}, ${key.createdAt}::timestamptz
    from ${guard}
    ${after ? sql`where (select count(*) from ${after}) >= 0` : sql``}`,
  )

const storedGuardrails = (sql: Sql, guardrails: Guardrails | null | undefined): Fragment =>
  sql`${guardrails ? json(sql, guardrails) : null}::jsonb`

type KeyEdit = { orgId: Uuid; id: Uuid; label: string | null; guardrails: Guardrails | null }

/** Matches an agent key that can be used, as it was read. */
export const updateKeyGuard = (sql: Sql, before: KeyEdit, after: KeyEdit): Fragment => sql`
  update api_keys k
  set label = ${after.label}::text, guardrails = ${storedGuardrails(sql, after.guardrails)}
  from agents a
  where k.org_id = ${after.orgId} and k.id = ${after.id}
    and k.label is not distinct from ${before.label}::text
    and k.guardrails is not distinct from ${storedGuardrails(sql, before.guardrails)}
    and a.org_id = k.org_id and a.id = k.agent_id
    and ${isAlive(sql, sql`k`, sql`a`)}
  returning k.id`

/** Matches an agent key that can be used. */
export const revokeKeyGuard = (sql: Sql, orgId: Uuid, id: Uuid, now: Date): Fragment => sql`
  update api_keys k
  set revoked_at = ${now}
  from agents a
  where k.org_id = ${orgId} and k.id = ${id}
    and a.org_id = k.org_id and a.id = k.agent_id
    and ${isAlive(sql, sql`k`, sql`a`)}
  returning k.id`

export const revokeOrganizationKey = (sql: Sql, orgId: Uuid, now: Date): Effect =>
  effect(
    'revoked',
    sql`
    update api_keys
    set revoked_at = ${now}
    from ${guard}
    where org_id = ${orgId} and agent_id is null and revoked_at is null
    returning id`,
  )

/** All keys of the organization whose `id` the guard returned, including those of decommissioned agents. */
export const revokeKeys = (sql: Sql, now: Date): Effect =>
  effect(
    'keys',
    sql`
    update api_keys k
    set revoked_at = ${now}
    from ${guard}
    where k.org_id = ${guard}.id and k.revoked_at is null`,
  )

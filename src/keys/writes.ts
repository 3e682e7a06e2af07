// Writes `api_keys`.
import type { Actor } from '../actors/actor.ts'
import type { Guardrails } from '../actors/guardrails.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, hasRun, type Step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf, uuids } from '../stores/sql.ts'
import type { MintedKey } from './mint.ts'
import type { KeyRow } from './row.ts'

type NewKey = Omit<MintedKey, 'secret'> & { orgId: Uuid } & Partial<
    Omit<KeyRow, 'id' | 'prefix' | 'createdAt' | 'lastUsedAt' | 'replacedBy'>
  >

/**
 * `after`: the step that ends the key which this one replaces. An organization has at most one primary key that was not replaced.
 */
export const insertKey = (sql: Sql, key: NewKey, after?: Step): Effect =>
  effect(
    'key',
    sql`
    insert into api_keys (
      org_id, id, agent_id, hash, prefix, label, guardrails, is_primary, scope, allowed_ips, expires_at,
      created_by_member, created_by_email, created_at)
    select
      ${key.orgId}::uuid, ${key.id}::uuid, ${key.agentId ?? null}::uuid, ${key.hash}::bytea, ${key.prefix}::text,
      ${key.label ?? null}::text, ${orNull(sql, key.guardrails)}, ${key.isPrimary ?? true}::boolean,
      ${key.scope ?? 'full'}::text, ${orNull(sql, key.allowedIps)}, ${key.expiresAt ?? null}::timestamptz,
      ${key.createdByMember ?? null}::uuid, ${key.createdByEmail ?? null}::text, ${key.createdAt}::timestamptz
    from ${guard}
    where ${hasRun(sql, after)}`,
  )

/** Who makes a key with a console session. */
export const makerOf = ({ member, account }: Actor) => ({
  createdByMember: member?.id ?? null,
  createdByEmail: (member && account) ?? null,
})

const orNull = (sql: Sql, value: object | null | undefined): Fragment => sql`${value ? json(sql, value) : null}::jsonb`

type KeyEdit = { id: Uuid; label: string | null; guardrails: Guardrails | null } & Pick<
  KeyRow,
  'allowedIps' | 'expiresAt'
>

export const updateKey = (sql: Sql, orgId: Uuid, key: KeyEdit): Effect =>
  effect(
    'key',
    sql`
    update api_keys
    set label = ${key.label}::text,
      guardrails = ${orNull(sql, key.guardrails)},
      allowed_ips = ${orNull(sql, key.allowedIps)},
      expires_at = ${key.expiresAt}::timestamptz
    from ${guard}
    where org_id = ${orgId} and id = ${key.id}`,
  )

/** Locks the keys `k` of a `from` clause in one order, as `l`: two statements that change several keys do not wait for each other. */
const lockedKeys = (sql: Sql, from: Fragment, column: Fragment = sql``): Fragment => sql`(
  select k.org_id, k.id ${column}
  from ${from}
  order by k.org_id, k.id
  for no key update of k) l`

const isLocked = (sql: Sql): Fragment => sql`k.org_id = l.org_id and k.id = l.id`

/** A key that ends. `expiresAt`: it works until then; null: no longer. */
export type EndedKey = { id: Uuid; replacedBy?: Uuid; expiresAt: Date | null }

const endColumns = { id: 'uuid', replacedBy: 'uuid', expiresAt: 'timestamptz', revokedAt: 'timestamptz' } as const

/** One that was revoked keeps what it has been. */
export function endKeys(sql: Sql, orgId: Uuid, ended: readonly EndedKey[], now: Date): Effect {
  const rows = ended.map((key) => ({ ...key, revokedAt: key.expiresAt ? null : now }))
  const ids = uuids(
    sql,
    ended.map(({ id }) => id),
  )
  const living = sql`${guard}, api_keys k where k.org_id = ${orgId} and k.id = any (${ids}) and k.revoked_at is null`
  return effect(
    'ended',
    sql`
    update api_keys k
    set replaced_by = coalesce(e.replaced_by, k.replaced_by),
      expires_at = coalesce(e.expires_at, k.expires_at),
      revoked_at = e.revoked_at
    from ${lockedKeys(sql, living)}, ${rowsOf(sql, rows, endColumns, 'e')}
    where ${isLocked(sql)} and k.id = e.id
    returning k.id`,
  )
}

/** All keys of the organization whose `id` the guard returned, including those of decommissioned agents. */
export const revokeKeys = (sql: Sql, now: Date): Effect =>
  effect(
    'keys',
    sql`
    update api_keys k
    set revoked_at = ${now}
    from ${lockedKeys(sql, sql`${guard} join api_keys k on k.org_id = ${guard}.id where k.revoked_at is null`)}
    where ${isLocked(sql)}`,
  )

export type KeyUse = { orgId: Uuid; id: Uuid; at: Date }

export const setUses = (sql: Sql, uses: readonly KeyUse[]) => {
  const used = sql`
    ${rowsOf(sql, uses, { orgId: 'uuid', id: 'uuid', at: 'timestamptz' }, 'u')}
    join api_keys k on k.org_id = u.org_id and k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.at`
  return sql`
  update api_keys k
  set last_used_at = l.at
  from ${lockedKeys(sql, used, sql`, u.at`)}
  where ${isLocked(sql)}`
}

/** The living keys that a member made, those of agents too. */
export function revokeKeysMadeBy(sql: Sql, orgId: Uuid, memberId: Uuid, now: Date): Effect {
  const made = sql`
    ${guard}, api_keys k where k.org_id = ${orgId} and k.created_by_member = ${memberId} and k.revoked_at is null`
  return effect(
    'revoked_keys',
    sql`
    update api_keys k
    set revoked_at = ${now}
    from ${lockedKeys(sql, made)}
    where ${isLocked(sql)}`,
  )
}

/** How many approvals of a key may wait. */
export const maxPending = 100

/** Matches an active key for which one more approval may wait. Returns a `revision` for its timer. */
export const askingKeyGuard = (sql: Sql, orgId: Uuid, keyId: Uuid): Fragment => sql`
  update api_keys
  set pending_approvals = pending_approvals + 1
  where org_id = ${orgId} and id = ${keyId} and revoked_at is null and pending_approvals < ${maxPending}
  returning 1::bigint as revision`

/** For each row of `decided`, `org_id, key_id`, one approval of the key no longer waits. */
export function releaseKeys(sql: Sql, decided: Step | typeof guard): Effect {
  const keys = sql`api_keys k where (k.org_id, k.id) in (select d.org_id, d.key_id from ${decided} d)`
  return effect(
    'pending_approvals',
    sql`
    update api_keys k
    set pending_approvals = k.pending_approvals - d.count
    from ${lockedKeys(sql, keys)}
    join (select org_id, key_id, count(*)::integer as count from ${decided} group by org_id, key_id) d
      on d.org_id = l.org_id and d.key_id = l.id
    where ${isLocked(sql)}`,
  )
}

// Writes `verification_codes`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** The code of the organization whose `id` the guard returned. It replaces an earlier one. */
export const setCode = (sql: Sql, hashSealed: Buffer, now: Date, expiresAt: Date): Effect =>
  effect(
    'code',
    sql`
    insert into verification_codes (org_id, hash_sealed, attempts, created_at, expires_at)
    select ${guard}.id, ${hashSealed}::bytea, 0, ${now}::timestamptz, ${expiresAt}::timestamptz
    from ${guard}
    on conflict (org_id) do update
    set hash_sealed = excluded.hash_sealed,
      attempts = 0,
      created_at = excluded.created_at,
      expires_at = excluded.expires_at`,
  )

/** Takes one of `max` attempts at the current code; no row if there is no code or no attempt left. */
export const takeAttempt = (sql: Sql, orgId: Uuid, max: number) =>
  own<{ hashSealed: Buffer }>(sql, orgId)`
  update verification_codes
  set attempts = attempts + 1
  where org_id = ${orgId} and attempts < ${max} and expires_at > app_now()
    and exists (select from organizations where id = ${orgId} and verification_status = 'unverified')
  returning org_id, hash_sealed`

/** Gives back the attempt that a right guess took. */
export const giveAttempt = (sql: Sql, orgId: Uuid, hashSealed: Buffer) => sql`
  update verification_codes
  set attempts = attempts - 1
  where org_id = ${orgId} and hash_sealed = ${hashSealed} and attempts > 0`

/** A code works once. Matches if it is still the one that was checked. */
export const spendCodeGuard = (sql: Sql, orgId: Uuid, hashSealed: Buffer): Fragment => sql`
  delete from verification_codes
  where org_id = ${orgId} and hash_sealed = ${hashSealed}
  returning org_id as id`

export const deleteCodes = (sql: Sql, before: Date) => sql`
  delete from verification_codes
  where expires_at < ${before}`

/** Matches an organization in the sandbox. */
export const sandboxGuard = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id
  from organizations
  where id = ${orgId} and verification_status = 'unverified'
  for no key update`

import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** The code of the organization that the guard returned as `id`; an earlier one, however worn, is gone. */
export const setCode = (sql: Sql, hashSealed: Buffer, now: Date, expiresAt: Date): Fragment => sql`
  insert into verification_codes (org_id, hash_sealed, attempts, created_at, expires_at)
  select guard.id, ${hashSealed}::bytea, 0, ${now}::timestamptz, ${expiresAt}::timestamptz from guard
  on conflict (org_id) do update set hash_sealed = excluded.hash_sealed, attempts = 0, created_at = excluded.created_at,
    expires_at = excluded.expires_at`

/** The guard of a fresh code: matches while the organization is in the sandbox. */
export const unverified = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id from organizations where id = ${orgId} and verification_status = 'unverified' for no key update`

/** Takes one attempt at the living code; none is left after the tenth. */
export const takeAttempt = (sql: Sql, orgId: Uuid, most: number) =>
  own<{ hashSealed: Buffer }>(sql, orgId)`
  update verification_codes set attempts = attempts + 1
  where org_id = ${orgId} and attempts < ${most} and expires_at > app_now()
    and exists (select from organizations where id = ${orgId} and verification_status = 'unverified')
  returning org_id, hash_sealed`

/** The guard of a verification: a code works once, and only while it is still the one that was checked. */
export const spentCode = (sql: Sql, orgId: Uuid, hashSealed: Buffer): Fragment => sql`
  delete from verification_codes where org_id = ${orgId} and hash_sealed = ${hashSealed} returning org_id as id`

export const purgeCodes = (sql: Sql, before: Date) => sql`delete from verification_codes where expires_at < ${before}`

// Writes the second factor of `accounts`, and `recovery_codes`. A code is used up by the update that accepts it, so of several
// requests with one code one succeeds. Guards return the account's `id`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { FactorRow } from './queries.ts'

/** A code that was right when it was read. `sealed`: the secret that it was compared with. */
export type Proof = { kind: 'totp'; sealed: Buffer; step: number } | { kind: 'recovery'; hash: Buffer }

/** `condition` may look at `accounts`. Returns its `generation` as well. */
export const useCodeGuard = (sql: Sql, accountId: Uuid, proof: Proof, condition: Fragment = sql`true`): Fragment =>
  proof.kind === 'totp'
    ? sql`
  update accounts
  set totp_last_step = ${proof.step}
  where id = ${accountId} and totp_sealed = ${proof.sealed}
    and (totp_last_step is null or totp_last_step < ${proof.step}) and ${condition}
  returning id, generation`
    : sql`
  delete from recovery_codes
  using accounts
  where recovery_codes.account_id = ${accountId} and recovery_codes.hash = ${proof.hash}
    and accounts.id = recovery_codes.account_id and ${condition}
  returning accounts.id, accounts.generation`

/** Matches while the password is still the one that was checked, and the factor is off. */
export const passwordAloneGuard = (sql: Sql, { accountId, passwordHash }: FactorRow): Fragment => sql`
  select id
  from accounts
  where id = ${accountId} and password_hash = ${passwordHash} and totp_sealed is null
  for key share`

/** Matches if the session is one of the identity's account, which has neither a password nor a factor. */
export const reauthenticateByIdentityGuard = (
  sql: Sql,
  sessionId: Uuid,
  { issuer, subject }: { issuer: string; subject: string },
  now: Date,
): Fragment => sql`
  update sessions s
  set reauthenticated_at = ${now}
  from accounts a, identities i
  where s.id = ${sessionId} and s.expires_at > app_now()
    and a.id = s.account_id and a.generation = s.generation
    and a.password_hash is null and a.totp_sealed is null
    and i.account_id = a.id and i.issuer = ${issuer} and i.subject = ${subject}
  returning s.id`

/** Another secret replaces one that is not confirmed. Matches while the factor is off. */
export const beginTotpGuard = (sql: Sql, accountId: Uuid, sealed: Buffer, expiresAt: Date): Fragment => sql`
  update accounts
  set totp_pending_sealed = ${sealed}, totp_pending_expires_at = ${expiresAt}
  where id = ${accountId} and totp_sealed is null
  returning id`

type Confirmed = { pending: Buffer; sealed: Buffer; step: number; now: Date }

/** Matches while the secret that the code was compared with still waits. All sessions are of an old generation then. */
export const confirmTotpGuard = (sql: Sql, accountId: Uuid, { pending, sealed, step, now }: Confirmed): Fragment => sql`
  update accounts
  set totp_sealed = ${sealed}, totp_enabled_at = ${now}, totp_last_step = ${step}, ${nothingPending(sql)},
    factor_revision = factor_revision + 1, generation = generation + 1, updated_at = ${now}
  where id = ${accountId} and totp_pending_sealed = ${pending} and totp_pending_expires_at > app_now()
    and totp_sealed is null
  returning id, generation`

/** Locks the organizations of an account: their policies stay what they are. */
export const lockOrganizations = (sql: Sql, accountId: Uuid): Step =>
  step(
    'organizations_of_account',
    sql`
    select o.id as org_id, o.require_second_factor
    from memberships m
    join organizations o on o.id = m.org_id
    where m.account_id = ${accountId}
    order by o.id
    for no key update of o`,
  )

/** The factor that a change was decided by. */
type Seen = Pick<FactorRow, 'accountId' | 'factorRevision'>

/** Matches if the factor is as it was seen, on, and none of the locked organizations requires it. */
export const turnOffGuard = (sql: Sql, seen: Seen, organizations: Step, now: Date): Fragment => sql`
  update accounts
  set ${off(sql)}, factor_revision = factor_revision + 1, updated_at = ${now}
  where id = ${seen.accountId} and factor_revision = ${seen.factorRevision} and totp_sealed is not null
    and not exists (select from ${organizations} where require_second_factor)
  returning id`

/** For a change of the recovery codes. */
export const sameFactorGuard = (sql: Sql, seen: Seen): Fragment => sql`
  update accounts
  set factor_revision = factor_revision + 1
  where id = ${seen.accountId} and factor_revision = ${seen.factorRevision}
  returning id`

/** The administrator takes the factor away; sessions and challenges are of an old generation then. */
export const resetFactorGuard = (sql: Sql, seen: Seen, now: Date): Fragment => sql`
  update accounts
  set ${off(sql)}, ${nothingPending(sql)},
    factor_revision = factor_revision + 1, generation = generation + 1, updated_at = ${now}
  where id = ${seen.accountId} and factor_revision = ${seen.factorRevision}
  returning id`

const off = (sql: Sql): Fragment => sql`totp_sealed = null, totp_enabled_at = null, totp_last_step = null`
const nothingPending = (sql: Sql): Fragment => sql`totp_pending_sealed = null, totp_pending_expires_at = null`

export const insertRecoveryCodes = (sql: Sql, rows: readonly { hash: Buffer }[]): Effect =>
  effect(
    'recovery_codes',
    sql`
    insert into recovery_codes (account_id, hash)
    select ${guard}.id, h.hash
    from ${guard}, ${rowsOf(sql, rows, { hash: 'bytea' }, 'h')}`,
  )

export const removeRecoveryCodes = (sql: Sql): Effect =>
  effect(
    'removed_recovery_codes',
    sql`
    delete from recovery_codes
    using ${guard}
    where account_id = ${guard}.id`,
  )

// Challenges

/** One of the attempts of a living challenge; no row: none is left, or it has ended. */
export const takeAttempt = (sql: Sql, hash: Buffer, maxAttempts: number) =>
  answersTo<{ hash: Buffer; totpSealed: Buffer | null }>(sql, (row) => hash.equals(row.hash))`
  update sign_in_challenges c
  set attempts = c.attempts + 1
  from accounts a
  where c.hash = ${hash} and c.attempts < ${maxAttempts} and c.expires_at > app_now()
    and a.id = c.account_id and a.generation = c.generation
  returning c.hash, a.totp_sealed`

/** Locks a living challenge, so that it signs in once. */
export const lockChallenge = (sql: Sql, hash: Buffer): Step =>
  step(
    'challenge',
    sql`
    select generation
    from sign_in_challenges
    where hash = ${hash} and expires_at > app_now()
    for update`,
  )

/** Of the account's own generation: no new password and no reset came in between. */
export const isCurrent = (sql: Sql, challenge: Step): Fragment =>
  sql`accounts.generation = (select generation from ${challenge})`

export const removeChallenge = (sql: Sql, hash: Buffer): Effect =>
  effect(
    'removed_challenge',
    sql`
    delete from sign_in_challenges
    using ${guard}
    where hash = ${hash}`,
  )

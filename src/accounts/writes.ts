// Writes `accounts`, `identities`, `sessions` and `password_resets`, and the memberships of new accounts. Effects depend on a row of
// the guard; where they say so, they are for the organization whose `id` it returned. Addresses are stored in lower case.

import type { Role } from '../actors/roles.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { AccountRow, Link } from './queries.ts'

// Accounts

/** `provenAt`: set if the person has shown access to the mail of the address. */
type NewAccount = {
  id: Uuid
  memberId: Uuid
  email: string
  passwordHash: string | null
  provenAt: Date | null
  now: Date
}

/** Its first membership comes with it. */
export const insertAccount = (
  sql: Sql,
  { id, email, passwordHash, provenAt, now }: Omit<NewAccount, 'memberId'>,
): Effect =>
  effect(
    'account',
    sql`
    insert into accounts (id, email, password_hash, proven_at, created_at, updated_at)
    select
      ${id}::uuid, ${email.toLowerCase()}::text, ${passwordHash}::text, ${provenAt}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz
    from ${guard}`,
  )

/** An account and its first membership: that of the owner, in the organization whose `id` the guard returned. */
export const insertOwner = (sql: Sql, { memberId, ...account }: NewAccount): Effect[] => [
  insertAccount(sql, account),
  insertMembership(sql, { id: memberId, accountId: account.id, role: 'owner', joinedAt: account.now }),
]

type NewMembership = { id: Uuid; accountId: Uuid; role: Role; joinedAt: Date }

/** In the organization whose `id` the guard returned. */
export const insertMembership = (sql: Sql, { id, accountId, role, joinedAt }: NewMembership): Effect =>
  effect(
    'membership',
    sql`
    insert into memberships (org_id, id, account_id, role, joined_at)
    select ${guard}.id, ${id}::uuid, ${accountId}::uuid, ${role}::text, ${joinedAt}::timestamptz
    from ${guard}`,
  )

/**
 * Matches while the password is still the one that was checked, and no second factor is on; returns the account's organization and
 * its `generation`.
 */
export const samePasswordGuard = (sql: Sql, { id, orgId, passwordHash }: AccountRow): Fragment => sql`
  select m.org_id as id, a.generation
  from accounts a
  join memberships m on m.account_id = a.id
  where a.id = ${id} and m.org_id = ${orgId} and a.password_hash is not distinct from ${passwordHash}
    and a.totp_sealed is null
  for key share`

/** Matches while the password is still the one that was checked; returns the new `generation`. */
export const changePasswordGuard = (
  sql: Sql,
  { id, passwordHash }: AccountRow,
  newHash: string,
  now: Date,
): Fragment => sql`
  update accounts
  set password_hash = ${newHash}, generation = generation + 1, updated_at = ${now}
  where id = ${id} and password_hash = ${passwordHash}
  returning id, generation`

/**
 * A new password ends all sessions. The follower of a mailed link has proven the address. A second factor stays, unless the address was
 * not proven: a stranger may have turned it on.
 */
export const setPassword = (sql: Sql, accountId: Uuid, passwordHash: string, now: Date): Effect[] => [
  effect(
    'password',
    sql`
    update accounts
    set password_hash = ${passwordHash}, generation = generation + 1, proven_at = coalesce(proven_at, ${now}), updated_at = ${now},
      totp_sealed = case when proven_at is not null then totp_sealed end,
      totp_enabled_at = case when proven_at is not null then totp_enabled_at end,
      totp_last_step = case when proven_at is not null then totp_last_step end,
      totp_pending_sealed = null, totp_pending_expires_at = null, factor_revision = factor_revision + 1
    from ${guard}
    where accounts.id = ${accountId}`,
  ),
  endUnprovenCodes(sql, accountId),
]

/** The recovery codes of a factor that ends with the proof of the address. */
const endUnprovenCodes = (sql: Sql, accountId: Uuid): Effect =>
  effect(
    'unproven_codes',
    sql`
    delete from recovery_codes
    using ${guard}, accounts
    where account_id = ${accountId} and accounts.id = account_id and accounts.proven_at is null`,
  )

/** Locks out a sign-up with somebody else's address: removes password, second factor and sessions. The address is proven from now on. */
export const lockOut = (sql: Sql, accountId: Uuid, now: Date): Effect[] => [
  effect(
    'password',
    sql`
    update accounts
    set password_hash = null, generation = generation + 1, proven_at = ${now}, updated_at = ${now},
      totp_sealed = null, totp_enabled_at = null, totp_last_step = null,
      totp_pending_sealed = null, totp_pending_expires_at = null, factor_revision = factor_revision + 1
    from ${guard}
    where accounts.id = ${accountId}`,
  ),
  endUnprovenCodes(sql, accountId),
  endSessions(sql, accountId),
]

export const proveAccount = (sql: Sql, accountId: Uuid, now: Date): Effect =>
  effect(
    'proven_account',
    sql`
    update accounts
    set proven_at = ${now}, updated_at = ${now}
    from ${guard}
    where accounts.id = ${accountId} and proven_at is null`,
  )

type NewIdentity = { issuer: string; subject: string }

/** Lets an identity of a provider sign in. */
export const insertIdentity = (sql: Sql, accountId: Uuid, { issuer, subject }: NewIdentity, now: Date): Effect =>
  effect(
    'identity',
    sql`
    insert into identities (account_id, issuer, subject, created_at)
    select ${accountId}::uuid, ${issuer}::text, ${subject}::text, ${now}::timestamptz
    from ${guard}
    on conflict do nothing`,
  )

/** Matches while the account exists. */
export const accountGuard = (sql: Sql, { id, orgId }: Pick<AccountRow, 'id' | 'orgId'>): Fragment => sql`
  select ${orgId}::uuid as id
  from accounts
  where id = ${id}
  for key share`

/** Locks the account, if it exists and `before` has a row. */
export const lockAccount = (sql: Sql, id: Uuid, before: Step): Step =>
  step(
    'locked_account',
    sql`
    select id
    from accounts
    where id = ${id} and exists (select from ${before})
    for key share`,
  )

// Sessions

type NewSession = {
  id: Uuid
  accountId: Uuid
  orgId: Uuid
  ip: string | null
  userAgent: string | null
  secondFactor: boolean
  now: Date
  expiresAt: Date
}

/** `generation`: of the account. Who signs in has shown who they are. */
export const insertSession = (sql: Sql, session: NewSession, generation: Fragment): Effect =>
  effect(
    'session',
    sql`
    insert into sessions (
      id, account_id, org_id, ip, user_agent, second_factor, created_at, last_seen_at, reauthenticated_at, expires_at, generation)
    select
      ${session.id}::uuid, ${session.accountId}::uuid, ${session.orgId}::uuid, ${session.ip}::text, ${session.userAgent}::text,
      ${session.secondFactor}::boolean, ${session.now}::timestamptz, ${session.now}::timestamptz, ${session.now}::timestamptz, ${session.expiresAt}::timestamptz,
      ${generation}
    from ${guard}`,
  )

export const endSessionGuard = (sql: Sql, id: Uuid): Fragment => sql`
  delete from sessions
  where id = ${id}
  returning id`

/** Ends all sessions. One that is opened at this moment has an old generation. */
export const endSessions = (sql: Sql, accountId: Uuid): Effect =>
  effect(
    'sessions',
    sql`
    delete from sessions
    using ${guard}
    where account_id = ${accountId}`,
  )

/** Matches while the account is a member of the organization. */
export const membershipGuard = (sql: Sql, accountId: Uuid, orgId: Uuid): Fragment => sql`
  select org_id as id
  from memberships
  where org_id = ${orgId} and account_id = ${accountId}
  for key share`

export const chooseForAccount = (sql: Sql, accountId: Uuid, orgId: Uuid): Effect =>
  effect(
    'chosen_for_account',
    sql`
    update accounts
    set own_org_id = ${orgId}
    from ${guard}
    where accounts.id = ${accountId}`,
  )

export const chooseForSession = (sql: Sql, id: Uuid, orgId: Uuid): Effect =>
  effect(
    'chosen_for_session',
    sql`
    update sessions
    set org_id = ${orgId}
    from ${guard}
    where sessions.id = ${id}`,
  )

// Challenges

type NewChallenge = { hash: Buffer; now: Date; expiresAt: Date }

/** Matches while the password is still the one that was checked. */
export const insertChallengeGuard = (
  sql: Sql,
  { id, passwordHash }: AccountRow,
  { hash, now, expiresAt }: NewChallenge,
): Fragment => sql`
  insert into sign_in_challenges (hash, account_id, generation, created_at, expires_at)
  select ${hash}::bytea, id, generation, ${now}::timestamptz, ${expiresAt}::timestamptz
  from accounts
  where id = ${id} and password_hash is not distinct from ${passwordHash}
  for key share
  returning account_id as id`

// Links in mails

/** Matches while the organization exists. */
export const organizationGuard = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id
  from organizations
  where id = ${orgId}
  for key share`

/** Matches while the organization exists and has no member. */
export const memberlessGuard = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id
  from organizations o
  where id = ${orgId} and not exists (select from memberships m where m.org_id = o.id)`

type NewLink = { hash: Buffer; accountId: Uuid | null; now: Date; expiresAt: Date }

/** For the organization whose `id` the guard returned. Earlier links stay valid until one of them is followed. */
export const insertLink = (sql: Sql, { hash, accountId, now, expiresAt }: NewLink): Effect =>
  effect(
    'link',
    sql`
    insert into password_resets (org_id, account_id, hash, created_at, expires_at)
    select ${guard}.id, ${accountId}::uuid, ${hash}::bytea, ${now}::timestamptz, ${expiresAt}::timestamptz
    from ${guard}`,
  )

/** Matches while the link is valid and the organization has not changed since it was read. */
export const followLinkGuard = (sql: Sql, hash: Buffer, revision: number): Fragment => sql`
  select o.id
  from organizations o
  join password_resets r on r.org_id = o.id
  where r.hash = ${hash} and r.expires_at > app_now() and o.revision = ${revision}
  for no key update of o, r`

/** Ends all links of the account, including the one that was followed, and those from before the organization had a member. */
export const endLinks = (sql: Sql, { orgId, accountId }: Pick<Link, 'orgId' | 'accountId'>): Effect =>
  effect(
    'links',
    sql`
    delete from password_resets
    using ${guard}
    where account_id = ${accountId} or (org_id = ${orgId} and account_id is null)`,
  )

export const purgeExpired = (sql: Sql) => sql`
  with resets as (
    delete from password_resets
    where expires_at < app_now()
  ),
  challenges as (
    delete from sign_in_challenges
    where expires_at < app_now()
  )
  delete from sessions
  where expires_at < app_now()`

/** Matches while the account has not made another organization since it was read. Returns the `id` of the new one. */
export const countOrganizationGuard = (
  sql: Sql,
  { id, revision }: { id: Uuid; revision: number },
  orgId: Uuid,
): Fragment => sql`
  update accounts
  set revision = revision + 1
  where id = ${id} and revision = ${revision}
  returning ${orgId}::uuid as id`

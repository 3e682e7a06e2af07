// Writes `accounts`, `identities`, `sessions` and `password_resets`. Effects are for the organization whose `id` the guard
// returned. Addresses are stored in lower case.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { AccountRow } from './queries.ts'

// Accounts

export const insertAccount = (sql: Sql, email: string, passwordHash: string | null, now: Date): Effect =>
  effect(
    'account',
    sql`
    insert into accounts (org_id, email, password_hash, created_at, updated_at)
    select
      ${guard}.id, ${email.toLowerCase()}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz
    from ${guard}`,
  )

/** Gives an account to an organization that was made without one. Matches nothing if it has one already. */
export const attachAccountGuard = (sql: Sql, { orgId, email, passwordHash }: AccountRow, now: Date): Fragment => sql`
  insert into accounts (org_id, email, password_hash, created_at, updated_at)
  select id, ${email.toLowerCase()}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz
  from organizations
  where id = ${orgId}
  on conflict do nothing
  returning org_id as id`

/** Matches while the password is still the one that was checked; returns the account's `generation` as well. */
export const samePasswordGuard = (sql: Sql, { orgId, passwordHash }: AccountRow): Fragment => sql`
  select org_id as id, generation
  from accounts
  where org_id = ${orgId} and password_hash is not distinct from ${passwordHash}
  for key share`

/** Makes an account for an organization that has none: the follower of the link reads the owner's mail. */
export const setPassword = (sql: Sql, email: string, passwordHash: string, now: Date): Effect =>
  effect(
    'password',
    sql`
    insert into accounts (org_id, email, password_hash, created_at, updated_at)
    select
      ${guard}.id, ${email.toLowerCase()}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz
    from ${guard}
    on conflict (org_id) do update
    set password_hash = excluded.password_hash,
      generation = accounts.generation + 1,
      updated_at = excluded.updated_at`,
  )

/** Locks out a sign-up with somebody else's address: removes the password and the sessions. */
export const lockOut = (sql: Sql, now: Date): Effect[] => [
  effect(
    'password',
    sql`
    update accounts
    set password_hash = null, generation = generation + 1, updated_at = ${now}
    from ${guard}
    where org_id = ${guard}.id`,
  ),
  endSessions(sql),
]

/** Lets an identity of a provider sign in. */
export const insertIdentity = (sql: Sql, { issuer, subject }: { issuer: string; subject: string }, now: Date): Effect =>
  effect(
    'identity',
    sql`
    insert into identities (org_id, issuer, subject, created_at)
    select ${guard}.id, ${issuer}::text, ${subject}::text, ${now}::timestamptz
    from ${guard}
    on conflict do nothing`,
  )

// Sessions

type NewSession = { id: Uuid; now: Date; expiresAt: Date }

/** `generation`: of the account. */
export const insertSession = (sql: Sql, session: NewSession, generation: Fragment): Effect =>
  effect(
    'session',
    sql`
    insert into sessions (org_id, id, created_at, expires_at, generation)
    select
      ${guard}.id, ${session.id}::uuid, ${session.now}::timestamptz, ${session.expiresAt}::timestamptz, ${generation}
    from ${guard}`,
  )

export const endSessionGuard = (sql: Sql, orgId: Uuid, id: Uuid): Fragment => sql`
  delete from sessions
  where org_id = ${orgId} and id = ${id}
  returning id`

/** Ends all sessions. One that is opened at this moment has an old generation. */
export const endSessions = (sql: Sql): Effect =>
  effect(
    'sessions',
    sql`
    delete from sessions
    using ${guard}
    where org_id = ${guard}.id`,
  )

// Links in mails

/** Matches while the organization exists. */
export const organizationGuard = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id
  from organizations
  where id = ${orgId}`

/** Earlier links stay valid until one of them is followed. */
export const insertLink = (sql: Sql, hash: Buffer, now: Date, expiresAt: Date): Effect =>
  effect(
    'link',
    sql`
    insert into password_resets (org_id, hash, created_at, expires_at)
    select ${guard}.id, ${hash}::bytea, ${now}::timestamptz, ${expiresAt}::timestamptz
    from ${guard}`,
  )

/** Matches while the link is valid and the organization has not changed since it was read. */
export const followLinkGuard = (sql: Sql, hash: Buffer, revision: number): Fragment => sql`
  select o.id
  from organizations o
  join password_resets r on r.org_id = o.id
  where r.hash = ${hash} and r.expires_at > app_now() and o.revision = ${revision}
  for no key update of o, r`

/** Ends all links, including the one that was followed. */
export const endLinks = (sql: Sql): Effect =>
  effect(
    'links',
    sql`
    delete from password_resets
    using ${guard}
    where org_id = ${guard}.id`,
  )

export const purgeExpired = (sql: Sql) => sql`
  with resets as (
    delete from password_resets
    where expires_at < app_now()
  )
  delete from sessions
  where expires_at < app_now()`

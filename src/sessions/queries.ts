import type { Fragment, Sql } from '../db.ts'
import type { PlanId } from '../plans/plans.ts'

type SessionRow = {
  orgId: string
  sessionId: string
  /** The address of the account. */
  account: string
  plan: PlanId
  limits: Record<string, number | null>
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

export const livingSession = (sql: Sql, orgId: string, id: string) => sql<SessionRow[]>`
  select s.org_id, s.id as session_id, a.email as account, o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version,
    o.created_at as org_created_at
  from sessions s join organizations o on o.id = s.org_id join accounts a on a.org_id = s.org_id
  where s.org_id = ${orgId} and s.id = ${id} and s.expires_at > app_now()`

/** For the organization that the guard returned as `id`. */
export const insertSession = (sql: Sql, id: string, now: Date, expiresAt: Date): Fragment => sql`
  insert into sessions (org_id, id, created_at, expires_at)
  select guard.id, ${id}::uuid, ${now}::timestamptz, ${expiresAt}::timestamptz from guard`

export const endedSession = (sql: Sql, orgId: string, id: string): Fragment =>
  sql`delete from sessions where org_id = ${orgId} and id = ${id} returning id`

/** All of the organization that the guard returned as `id`. */
export const endSessions = (sql: Sql): Fragment => sql`delete from sessions using guard where org_id = guard.id`

/** The guard of a sign-in to an account that the provider's identity is new to. */
export const lockedAccount = (sql: Sql, orgId: string): Fragment =>
  sql`select org_id as id from accounts where org_id = ${orgId} for no key update`

export type AccountRow = { orgId: string; email: string; passwordHash: string | null }

export const accountByEmail = (sql: Sql, email: string) => sql<AccountRow[]>`
  select org_id, email, password_hash from accounts where email = ${email}`

/** For the organization that the guard returned as `id`. */
export const insertAccount = (sql: Sql, email: string, passwordHash: string | null, now: Date): Fragment => sql`
  insert into accounts (org_id, email, password_hash, created_at, updated_at)
  select guard.id, ${email}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz from guard`

/** The guard of an account for an organization that has none yet. */
export const attachedAccount = (sql: Sql, row: AccountRow, now: Date): Fragment => sql`
  insert into accounts (org_id, email, password_hash, created_at, updated_at)
  select id, ${row.email}::text, ${row.passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz
  from organizations where id = ${row.orgId}
  on conflict do nothing
  returning org_id as id`

/** The guard of a sign-in: matches while the password is still the one that was checked. */
export const sameAccount = (sql: Sql, { orgId, passwordHash }: AccountRow): Fragment => sql`
  select org_id as id from accounts
  where org_id = ${orgId} and password_hash is not distinct from ${passwordHash} for key share`

/** The guard of a link to a new password; an earlier one stays good until one of them is followed. */
export const insertReset = (sql: Sql, orgId: string, hash: Buffer, now: Date, expiresAt: Date): Fragment => sql`
  insert into password_resets (org_id, hash, created_at, expires_at)
  select id, ${hash}::bytea, ${now}::timestamptz, ${expiresAt}::timestamptz from organizations where id = ${orgId}
  returning org_id as id`

export const livingReset = (sql: Sql, hash: Buffer) => sql<{ orgId: string; email: string }[]>`
  select r.org_id, o.email from password_resets r join organizations o on o.id = r.org_id
  where r.hash = ${hash} and r.expires_at > app_now()`

/** The guard of a new password: whoever takes the link has used it up. */
export const takenReset = (sql: Sql, hash: Buffer): Fragment =>
  sql`delete from password_resets where hash = ${hash} and expires_at > app_now() returning org_id as id`

/** The other links of the organization that the guard returned as `id`. */
export const endResets = (sql: Sql): Fragment => sql`delete from password_resets using guard where org_id = guard.id`

/** Also the account of an organization that had none: who followed the link reads the owner's mail. */
export const setPassword = (sql: Sql, email: string, passwordHash: string, now: Date): Fragment => sql`
  insert into accounts (org_id, email, password_hash, created_at, updated_at)
  select guard.id, ${email}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz from guard
  on conflict (org_id) do update set password_hash = excluded.password_hash, updated_at = excluded.updated_at`

export const accountByIdentity = (sql: Sql, issuer: string, subject: string) => sql<AccountRow[]>`
  select a.org_id, a.email, a.password_hash
  from identities i join accounts a on a.org_id = i.org_id where i.issuer = ${issuer} and i.subject = ${subject}`

/** For the organization that the guard returned as `id`. */
export const insertIdentity = (sql: Sql, issuer: string, subject: string, now: Date): Fragment => sql`
  insert into identities (org_id, issuer, subject, created_at)
  select guard.id, ${issuer}::text, ${subject}::text, ${now}::timestamptz from guard
  on conflict do nothing`

/** Takes a password back that somebody set who never proved that the address is theirs. */
export const dropPassword = (sql: Sql, now: Date): Fragment => sql`
  update accounts set password_hash = null, updated_at = ${now} from guard where org_id = guard.id`

/** What nobody can use any more. */
export const purgeExpired = (sql: Sql) => sql`
  with resets as (delete from password_resets where expires_at < app_now())
  delete from sessions where expires_at < app_now()`

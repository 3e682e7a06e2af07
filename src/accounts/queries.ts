import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

type SessionRow = {
  orgId: Uuid
  sessionId: Uuid
  /** The address of the account. */
  account: string
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

export const livingSession = (sql: Sql, orgId: Uuid, id: Uuid) =>
  answersTo<SessionRow>(sql, (row) => row.orgId === orgId && row.sessionId === id)`
  select s.org_id, s.id as session_id, a.email as account, o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted,
    o.accepted_terms_version, o.created_at as org_created_at
  from sessions s join organizations o on o.id = s.org_id
  join accounts a on a.org_id = s.org_id and a.generation = s.generation
  where s.org_id = ${orgId} and s.id = ${id} and s.expires_at > app_now()`

/** For the organization that the guard returned as `id`, whose account is of that generation. */
export const insertSession = (sql: Sql, session: SessionTimes, generation: Fragment): Fragment => sql`
  insert into sessions (org_id, id, created_at, expires_at, generation)
  select guard.id, ${session.id}::uuid, ${session.now}::timestamptz, ${session.expiresAt}::timestamptz, ${generation}
  from guard`

type SessionTimes = { id: Uuid; now: Date; expiresAt: Date }

export const endedSession = (sql: Sql, orgId: Uuid, id: Uuid): Fragment =>
  sql`delete from sessions where org_id = ${orgId} and id = ${id} returning id`

/** All of the organization that the guard returned as `id`. One that is opened at this moment is of an old generation. */
export const endSessions = (sql: Sql): Fragment => sql`delete from sessions using guard where org_id = guard.id`

export type AccountRow = { orgId: Uuid; email: string; passwordHash: string | null }

export const accountOf = (sql: Sql, orgId: Uuid) =>
  own<AccountRow>(sql, orgId)`
  select org_id, email, password_hash from accounts where org_id = ${orgId}`

export const accountByEmail = (sql: Sql, email: string) =>
  answersTo<AccountRow>(sql, (row) => row.email === email)`
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
  select org_id as id, generation from accounts
  where org_id = ${orgId} and password_hash is not distinct from ${passwordHash} for key share`

/** The guard of a link to an address: matches while there is the organization. */
export const livingOrganization = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select id from organizations where id = ${orgId}`

/** A link for the organization that the guard returned as `id`; an earlier one stays good until one of them is followed. */
export const insertLink = (sql: Sql, hash: Buffer, now: Date, expiresAt: Date): Fragment => sql`
  insert into password_resets (org_id, hash, created_at, expires_at)
  select guard.id, ${hash}::bytea, ${now}::timestamptz, ${expiresAt}::timestamptz from guard`

export const livingLink = (sql: Sql, hash: Buffer) =>
  answersTo<{ orgId: Uuid; email: string; hash: Buffer }>(sql, (row) => hash.equals(row.hash))`
  select r.org_id, r.hash, o.email from password_resets r join organizations o on o.id = r.org_id
  where r.hash = ${hash} and r.expires_at > app_now()`

/** The guard of what a link does: it is still good, and the organization as it was read. */
export const followedLink = (sql: Sql, hash: Buffer, revision: number): Fragment => sql`
  select o.id from organizations o join password_resets r on r.org_id = o.id
  where r.hash = ${hash} and r.expires_at > app_now() and o.revision = ${revision}
  for no key update of o, r`

/** All links of the organization that the guard returned as `id`: the one that was followed and the others. */
export const endLinks = (sql: Sql): Fragment => sql`delete from password_resets using guard where org_id = guard.id`

/** Also the account of an organization that had none: who followed the link reads the owner's mail. */
export const setPassword = (sql: Sql, email: string, passwordHash: string, now: Date): Fragment => sql`
  insert into accounts (org_id, email, password_hash, created_at, updated_at)
  select guard.id, ${email}::text, ${passwordHash}::text, ${now}::timestamptz, ${now}::timestamptz from guard
  on conflict (org_id) do update set password_hash = excluded.password_hash, generation = accounts.generation + 1,
    updated_at = excluded.updated_at`

export const accountByIdentity = (sql: Sql, issuer: string, subject: string) =>
  answersTo<AccountRow & { issuer: string; subject: string }>(
    sql,
    (row) => row.issuer === issuer && row.subject === subject,
  )`
  select a.org_id, a.email, a.password_hash, i.issuer, i.subject
  from identities i join accounts a on a.org_id = i.org_id where i.issuer = ${issuer} and i.subject = ${subject}`

/** For the organization that the guard returned as `id`. */
export const insertIdentity = (sql: Sql, issuer: string, subject: string, now: Date): Fragment => sql`
  insert into identities (org_id, issuer, subject, created_at)
  select guard.id, ${issuer}::text, ${subject}::text, ${now}::timestamptz from guard
  on conflict do nothing`

/** Takes a password back that somebody set who never proved that the address is theirs. */
export const dropPassword = (sql: Sql, now: Date): Fragment => sql`
  update accounts set password_hash = null, generation = generation + 1, updated_at = ${now} from guard where org_id = guard.id`

/** What nobody can use any more. */
export const purgeExpired = (sql: Sql) => sql`
  with resets as (delete from password_resets where expires_at < app_now())
  delete from sessions where expires_at < app_now()`

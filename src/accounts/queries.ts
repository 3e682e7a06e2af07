import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

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

export const activeSession = (sql: Sql, orgId: Uuid, id: Uuid) =>
  answersTo<SessionRow>(sql, (row) => row.orgId === orgId && row.sessionId === id)`
  select
    s.org_id, s.id as session_id, a.email as account,
    o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version, o.created_at as org_created_at
  from sessions s
  join organizations o on o.id = s.org_id
  join accounts a on a.org_id = s.org_id and a.generation = s.generation
  where s.org_id = ${orgId} and s.id = ${id} and s.expires_at > app_now()`

type SessionId = { orgId: Uuid; id: Uuid }

/** Those of the sessions that have neither ended nor expired. */
export const stillSignedIn = (sql: Sql, sessions: readonly SessionId[]) =>
  answersTo<{ id: Uuid; isWaitlisted: boolean }>(sql, isOneOf(sessions.map(({ id }) => id)))`
  select s.id, o.is_waitlisted
  from ${rowsOf(sql, sessions, { orgId: 'uuid', id: 'uuid' }, 'w')}
  join sessions s on s.org_id = w.org_id and s.id = w.id
  join organizations o on o.id = s.org_id
  join accounts a on a.org_id = s.org_id and a.generation = s.generation
  where s.expires_at > app_now()`

export type AccountRow = { orgId: Uuid; email: string; passwordHash: string | null }

export const accountOf = (sql: Sql, orgId: Uuid) =>
  own<AccountRow>(sql, orgId)`
  select org_id, email, password_hash
  from accounts
  where org_id = ${orgId}`

export const accountByEmail = (sql: Sql, email: string) =>
  answersTo<AccountRow>(sql, (row) => row.email === email)`
  select org_id, email, password_hash
  from accounts
  where email = ${email}`

export const accountByIdentity = (sql: Sql, issuer: string, subject: string) =>
  answersTo<AccountRow & { issuer: string; subject: string }>(
    sql,
    (row) => row.issuer === issuer && row.subject === subject,
  )`
  select a.org_id, a.email, a.password_hash, i.issuer, i.subject
  from identities i
  join accounts a on a.org_id = i.org_id
  where i.issuer = ${issuer} and i.subject = ${subject}`

export const activeLink = (sql: Sql, hash: Buffer) =>
  answersTo<{ orgId: Uuid; email: string; hash: Buffer }>(sql, (row) => hash.equals(row.hash))`
  select r.org_id, r.hash, o.email
  from password_resets r
  join organizations o on o.id = r.org_id
  where r.hash = ${hash} and r.expires_at > app_now()`

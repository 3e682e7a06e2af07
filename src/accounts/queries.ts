import type { Role } from '../actors/roles.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

type SessionRow = {
  sessionId: Uuid
  /** The session's own organization. */
  ownOrgId: Uuid
  accountId: Uuid
  /** The address of the account. */
  account: string
  hasPassword: boolean
  hasFactor: boolean
  secondFactor: boolean
  reauthenticatedAt: Date | null
  lastSeenAt: Date | null
  expiresAt: Date
} & (MembershipRow | { orgId: null })

type MembershipRow = {
  orgId: Uuid
  memberId: Uuid
  role: Role
  /** Whether the organization has another member. */
  hasCompany: boolean
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
  /** Whether the organization requires a second factor. */
  requiresFactor: boolean
}

/** A session with its account's membership of `orgId`, or of its own organization; `orgId` is null if there is no such membership. */
export const activeSession = (sql: Sql, id: Uuid, orgId: Uuid | undefined) =>
  answersTo<SessionRow>(
    sql,
    (row) => row.sessionId === id && (row.orgId === null || row.orgId === (orgId ?? row.ownOrgId)),
  )`
  select
    s.id as session_id, s.org_id as own_org_id, s.account_id, s.second_factor, s.reauthenticated_at, s.expires_at, s.last_seen_at,
    a.email as account, a.password_hash is not null as has_password, a.totp_sealed is not null as has_factor,
    m.org_id, m.id as member_id, m.role,
    exists (select from memberships other where other.org_id = m.org_id and other.id <> m.id) as has_company,
    o.plan, o.limits, o.rate_limit_per_second, o.is_waitlisted, o.accepted_terms_version, o.created_at as org_created_at,
    o.require_second_factor as requires_factor
  from sessions s
  join accounts a on a.id = s.account_id and a.generation = s.generation
  left join memberships m on m.account_id = s.account_id and m.org_id = ${orgId ? sql`${orgId}` : sql`s.org_id`}
  left join organizations o on o.id = m.org_id
  where s.id = ${id} and s.expires_at > app_now()`

type Signed = { orgId: Uuid; id: Uuid }

/** Those of the sessions that have neither ended nor expired. `orgId`: that they act in; `isMember`: they still may. */
export const stillSignedIn = (sql: Sql, sessions: readonly Signed[]) =>
  answersTo<Signed & { isMember: boolean; isWaitlisted: boolean; lacksFactor: boolean }>(
    sql,
    isOneOf(sessions.map(({ id }) => id)),
  )`
  select s.id, w.org_id, m.id is not null as is_member, coalesce(o.is_waitlisted, false) as is_waitlisted,
    coalesce(o.require_second_factor, false) and a.totp_sealed is null as lacks_factor
  from ${rowsOf(sql, sessions, { orgId: 'uuid', id: 'uuid' }, 'w')}
  join sessions s on s.id = w.id
  join accounts a on a.id = s.account_id and a.generation = s.generation
  left join memberships m on m.org_id = w.org_id and m.account_id = s.account_id
  left join organizations o on o.id = m.org_id
  where s.expires_at > app_now()`

export type AccountRow = {
  id: Uuid
  /** The organization that its sign-ins begin in: the last one chosen, else the one joined first. */
  orgId: Uuid
  email: string
  passwordHash: string | null
  /** When access to the mail of the address was shown. */
  provenAt: Date | null
  hasFactor: boolean
}

const accountColumns = (sql: Sql): Fragment => sql`a.id, home.org_id, a.email, a.password_hash, a.proven_at,
    a.totp_sealed is not null as has_factor`

/** `a`: the account. It has a membership for as long as it exists. */
const homeOfAccount = (sql: Sql): Fragment => sql`
  join lateral (
    select m.org_id
    from memberships m
    where m.account_id = a.id
    order by m.org_id is distinct from a.own_org_id, m.joined_at, m.id
    limit 1
  ) home on true`

export const accountById = (sql: Sql, id: Uuid) =>
  answersTo<AccountRow>(sql, (row) => row.id === id)`
  select ${accountColumns(sql)}
  from accounts a
  ${homeOfAccount(sql)}
  where a.id = ${id}`

/** `email`: in lower case. */
export const accountByEmail = (sql: Sql, email: string) =>
  answersTo<AccountRow>(sql, (row) => row.email === email)`
  select ${accountColumns(sql)}
  from accounts a
  ${homeOfAccount(sql)}
  where a.email = ${email}`

export const accountByIdentity = (sql: Sql, issuer: string, subject: string) =>
  answersTo<AccountRow & { issuer: string; subject: string }>(
    sql,
    (row) => row.issuer === issuer && row.subject === subject,
  )`
  select ${accountColumns(sql)}, i.issuer, i.subject
  from identities i
  join accounts a on a.id = i.account_id
  ${homeOfAccount(sql)}
  where i.issuer = ${issuer} and i.subject = ${subject}`

/** Of an account in an organization, if it is a member there. */
export const membershipOf = (sql: Sql, accountId: Uuid, orgId: Uuid) =>
  own<{ id: Uuid; role: Role }>(sql, orgId)`
  select org_id, id, role
  from memberships
  where org_id = ${orgId} and account_id = ${accountId}`

/** A link that was mailed to an account or, while the organization has no member, to its address. */
export type Link = { hash: Buffer; orgId: Uuid; accountId: Uuid | null; email: string }

/** That of an account counts while the account is a member of the organization. */
export const activeLink = (sql: Sql, hash: Buffer) =>
  answersTo<Link>(sql, (row) => hash.equals(row.hash))`
  select r.hash, r.org_id, r.account_id, coalesce(a.email, o.email) as email
  from password_resets r
  join organizations o on o.id = r.org_id
  left join accounts a on a.id = r.account_id
  where r.hash = ${hash} and r.expires_at > app_now()
    and (
      r.account_id is null
      or exists (select from memberships m where m.org_id = r.org_id and m.account_id = r.account_id))`

type SessionOfAccount = {
  accountId: Uuid
  id: Uuid
  createdAt: Date
  lastSeenAt: Date | null
  ip: string | null
  userAgent: string | null
}

/** The newest first; more than anybody opens in twelve hours. */
export const sessionsOf = (sql: Sql, accountId: Uuid) =>
  answersTo<SessionOfAccount>(sql, (row) => row.accountId === accountId)`
  select s.account_id, s.id, s.created_at, s.last_seen_at, s.ip, s.user_agent
  from sessions s
  join accounts a on a.id = s.account_id and a.generation = s.generation
  where s.account_id = ${accountId} and s.expires_at > app_now()
  order by s.created_at desc, s.id desc
  limit 1000`

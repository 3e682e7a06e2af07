import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { OrganizationListQuery } from './schema.ts'

export type OrganizationRow = {
  id: Uuid
  name: string
  email: string
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  verificationStatus: 'unverified' | 'verified' | null
  signupSource: string
  emailVerified: boolean
  isWaitlisted: boolean
  waitlistedAt: Date | null
  acceptedTermsVersion: string | null
  acceptedTermsAt: Date | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

const organizationColumns = (sql: Sql) => sql`
  id, name, email, plan, limits, rate_limit_per_second, verification_status, signup_source, email_verified, is_waitlisted,
  waitlisted_at, accepted_terms_version, accepted_terms_at, revision, created_at, updated_at`

export const organizationById = (sql: Sql, id: Uuid) =>
  answersTo<OrganizationRow>(sql, (row) => row.id === id)`
  select ${organizationColumns(sql)} from organizations where id = ${id}`

const withEmail = (sql: Sql, email: string | undefined): Fragment =>
  email === undefined ? sql`` : sql`where lower(email) = lower(${email})`

export const organizationsPage = (sql: Sql, query: OrganizationListQuery) => sql<OrganizationRow[]>`
  select ${organizationColumns(sql)} from organizations ${withEmail(sql, query.email)}
  order by id desc limit ${query.limit} offset ${query.offset}`

export const organizationCount = (sql: Sql, email: string | undefined) => sql<{ total: number }[]>`
  select count(*)::integer as total from organizations ${withEmail(sql, email)}`

/** The guard of a sign-up: matches nothing when the address has an organization already. */
export const insertOrganization = (sql: Sql, row: OrganizationRow): Fragment => sql`
  insert into organizations (id, name, email, plan, limits, rate_limit_per_second, verification_status, signup_source,
    email_verified, is_waitlisted, waitlisted_at, accepted_terms_version, accepted_terms_at, created_at, updated_at)
  values (${row.id}, ${row.name}, ${row.email}, ${row.plan}, ${sql.json(row.limits)}, ${row.rateLimitPerSecond},
    ${row.verificationStatus}, ${row.signupSource}, ${row.emailVerified}, ${row.isWaitlisted}, ${row.waitlistedAt},
    ${row.acceptedTermsVersion}, ${row.acceptedTermsAt}, ${row.createdAt}, ${row.updatedAt})
  on conflict (lower(email)) where signup_source <> 'admin' do nothing
  returning id`

/** The guard of a change by an administrator: matches while nobody else changed the organization since it was read. */
export const changeOrganization = (sql: Sql, row: OrganizationRow): Fragment => sql`
  update organizations set plan = ${row.plan}, limits = ${sql.json(row.limits)},
    rate_limit_per_second = ${row.rateLimitPerSecond}, verification_status = ${row.verificationStatus},
    is_waitlisted = ${row.isWaitlisted}, waitlisted_at = ${row.waitlistedAt}, updated_at = ${row.updatedAt},
    revision = revision + 1
  where id = ${row.id} and revision = ${row.revision} returning id`

/** The guard of an activation: matches an organization that is on the waitlist. */
export const activatedOrganization = (sql: Sql, id: Uuid, now: Date): Fragment => sql`
  update organizations set is_waitlisted = false, updated_at = ${now}, revision = revision + 1
  where id = ${id} and is_waitlisted returning id`

export type Holder = OrganizationRow & { hasAccount: boolean }

/** Whose address it is: the organization with an account first, then one that signed up by itself, then the oldest. */
export const holderOfEmail = (sql: Sql, email: string) =>
  answersTo<Holder>(sql, (row) => row.email.toLowerCase() === email.toLowerCase())`
  select o.*, a.org_id is not null as has_account
  from (select ${organizationColumns(sql)} from organizations where lower(email) = lower(${email})) o
  left join accounts a on a.org_id = o.id
  order by a.org_id is null, o.signup_source = 'admin', o.id limit 1`

/** Of the organization that the guard returned as `id`. */
export const verifyEmail = (sql: Sql, now: Date): Fragment => sql`
  update organizations set email_verified = true, updated_at = ${now}, revision = revision + 1
  from guard where organizations.id = guard.id`

export type Completion = { name: string | null; termsVersion: string | null; emailVerified: boolean }

/** What a sign-up adds to an organization that the guard returned as `id`, and that was made before. */
export const completeOrganization = (
  sql: Sql,
  { name, termsVersion, emailVerified }: Completion,
  now: Date,
): Fragment =>
  sql`
  update organizations set name = coalesce(${name}::text, name),
    accepted_terms_version = coalesce(${termsVersion}::text, accepted_terms_version),
    accepted_terms_at = case when ${termsVersion}::text is null then accepted_terms_at else ${now}::timestamptz end,
    email_verified = email_verified or ${emailVerified}, updated_at = ${now}, revision = revision + 1
  from guard where organizations.id = guard.id`

/** Of the organization that the guard returned as `id`. */
export const liftSandbox = (sql: Sql, now: Date): Fragment => sql`
  update organizations set verification_status = 'verified', plan = 'free-agent', email_verified = true,
    updated_at = ${now}, revision = revision + 1
  from guard where organizations.id = guard.id and verification_status = 'unverified'`

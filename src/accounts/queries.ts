import type { Fragment, Sql } from '../db.ts'
import type { PlanId } from '../plans/plans.ts'
import type { OrganizationListQuery } from './schema.ts'

export type OrganizationRow = {
  id: string
  name: string
  email: string
  plan: PlanId
  limits: Record<string, number | null>
  rateLimitPerSecond: number | null
  verificationStatus: 'unverified' | 'verified' | null
  signupSource: string
  emailVerified: boolean
  isWaitlisted: boolean
  waitlistedAt: Date | null
  acceptedTermsVersion: string | null
  acceptedTermsAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const organizationColumns = (sql: Sql) => sql`
  id, name, email, plan, limits, rate_limit_per_second, verification_status, signup_source, email_verified, is_waitlisted,
  waitlisted_at, accepted_terms_version, accepted_terms_at, created_at, updated_at`

export const organizationById = (sql: Sql, id: string) => sql<OrganizationRow[]>`
  select ${organizationColumns(sql)} from organizations where id = ${id}`

const withEmail = (sql: Sql, email: string | undefined): Fragment =>
  email === undefined ? sql`` : sql`where lower(email) = lower(${email})`

export const organizationsPage = (sql: Sql, query: OrganizationListQuery) => sql<OrganizationRow[]>`
  select ${organizationColumns(sql)} from organizations ${withEmail(sql, query.email)}
  order by id desc limit ${query.limit} offset ${query.offset}`

export const organizationCount = (sql: Sql, email: string | undefined) => sql<{ total: number }[]>`
  select count(*)::integer as total from organizations ${withEmail(sql, email)}`

export const insertOrganization = (sql: Sql, row: OrganizationRow): Fragment => sql`
  insert into organizations (id, name, email, plan, limits, rate_limit_per_second, verification_status, signup_source,
    email_verified, is_waitlisted, waitlisted_at, created_at, updated_at)
  values (${row.id}, ${row.name}, ${row.email}, ${row.plan}, ${sql.json(row.limits)}, ${row.rateLimitPerSecond},
    ${row.verificationStatus}, ${row.signupSource}, ${row.emailVerified}, ${row.isWaitlisted}, ${row.waitlistedAt},
    ${row.createdAt}, ${row.updatedAt})
  returning id`

/** The guard of a change to an organization by an administrator. */
export const changeOrganization = (sql: Sql, row: OrganizationRow): Fragment => sql`
  update organizations set plan = ${row.plan}, limits = ${sql.json(row.limits)},
    rate_limit_per_second = ${row.rateLimitPerSecond}, verification_status = ${row.verificationStatus},
    is_waitlisted = ${row.isWaitlisted}, waitlisted_at = ${row.waitlistedAt}, updated_at = ${row.updatedAt},
    revision = revision + 1
  where id = ${row.id} returning id`

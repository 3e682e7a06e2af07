import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { holdsPart } from '../stores/sql.ts'
import type { Holder, OrganizationRow } from './row.ts'
import type { OrganizationListQuery } from './schema.ts'

const organizationColumns = (sql: Sql) => sql`
  id, name, email, plan, limits, rate_limit_per_second,
  verification_status, signup_source, email_verified,
  is_waitlisted, waitlisted_at, pages_closed_at, accepted_terms_version, accepted_terms_at,
  shares_address, require_second_factor, revision, created_at, updated_at`

export const organizationById = (sql: Sql, id: Uuid) =>
  answersTo<OrganizationRow>(sql, (row) => row.id === id)`
  select ${organizationColumns(sql)}
  from organizations
  where id = ${id}`

/** Of all owners; without any, the address of the organization itself. */
export const ownerAddresses = (sql: Sql, orgId: Uuid) =>
  own<{ email: string }>(sql, orgId)`
  select o.id as org_id, coalesce(a.email, o.email) as email
  from organizations o
  left join (memberships m join accounts a on a.id = m.account_id) on m.org_id = o.id and m.role = 'owner'
  where o.id = ${orgId}
  order by m.joined_at, m.id`

type Filter = Pick<OrganizationListQuery, 'email' | 'query' | 'plan' | 'is_waitlisted'>

const matching = (sql: Sql, { email, query, plan, is_waitlisted: isWaitlisted }: Filter): Fragment => sql`
  where true
  ${email === undefined ? sql`` : sql`and lower(email) = lower(${email})`}
  ${query ? sql`and (${holdsPart(sql, sql`name`, query)} or ${holdsPart(sql, sql`email`, query)})` : sql``}
  ${plan ? sql`and plan = ${plan}` : sql``}
  ${isWaitlisted === undefined ? sql`` : sql`and is_waitlisted = ${isWaitlisted}`}`

export const organizationsPage = (sql: Sql, query: OrganizationListQuery) => sql<OrganizationRow[]>`
  select ${organizationColumns(sql)}
  from organizations
  ${matching(sql, query)}
  order by id desc
  limit ${query.limit} offset ${query.offset}`

export const organizationCount = (sql: Sql, filter: Filter) => sql<{ total: number }[]>`
  select count(*)::integer as total
  from organizations
  ${matching(sql, filter)}`

/** Several may have an address: one with members counts, then one that signed up, then the oldest. */
export const holderOfEmail = (sql: Sql, email: string) =>
  answersTo<Holder>(sql, (row) => row.email.toLowerCase() === email.toLowerCase())`
  select ${organizationColumns(sql)}, exists (select from memberships m where m.org_id = organizations.id) as has_members
  from organizations
  where lower(email) = lower(${email})
  order by has_members desc, signup_source = 'admin', id
  limit 1`

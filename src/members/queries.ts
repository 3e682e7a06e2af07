import type { Role } from '../actors/roles.ts'
import { isPaid, type PlanId, planIds } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import type { Person } from './rules.ts'

export type MemberRow = {
  orgId: Uuid
  id: Uuid
  email: string
  role: Role
  joinedAt: Date
  /** When a session of the account was last used; null: it has none. */
  lastSeenAt: Date | null
  hasFactor: boolean
}

const memberColumns = (sql: Sql): Fragment => sql`
  m.org_id, m.id, a.email, m.role, m.joined_at, a.totp_sealed is not null as has_factor,
  (select max(s.last_seen_at) from sessions s where s.account_id = a.id) as last_seen_at`

export const memberById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<MemberRow>(sql, orgId)`
  select ${memberColumns(sql)}
  from memberships m
  join accounts a on a.id = m.account_id
  where m.org_id = ${orgId} and m.id = ${id}`

/** The one who joined first comes first. */
export const membersPage = (sql: Sql, orgId: Uuid, page: Page) =>
  own<MemberRow>(sql, orgId)`
  select ${memberColumns(sql)}
  from memberships m
  join accounts a on a.id = m.account_id
  where m.org_id = ${orgId}
  order by m.joined_at, m.id
  limit ${page.limit} offset ${page.offset}`

export const memberTotal = (sql: Sql, orgId: Uuid) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from memberships
  where org_id = ${orgId}`

export type PeopleRow = { orgId: Uuid; name: string; email: string; revision: number; members: Person[] }

const people = (sql: Sql): Fragment => sql`
  o.id as org_id, o.name, o.email, o.revision, (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('id', m.id, 'accountId', m.account_id, 'role', m.role, 'email', a.email)
        order by m.joined_at, m.id),
      '[]')
    from memberships m
    join accounts a on a.id = m.account_id
    where m.org_id = o.id) as members`

/** An organization and all its members, as of one revision. */
export const peopleOf = (sql: Sql, orgId: Uuid) =>
  own<PeopleRow>(sql, orgId)`
  select ${people(sql)}
  from organizations o
  where o.id = ${orgId}`

/** The same of each organization that an account is an owner of, as of one moment. */
export const peopleOfOwner = (sql: Sql, accountId: Uuid) =>
  answersTo<PeopleRow & { accountId: Uuid }>(sql, (row) => row.accountId === accountId)`
  select mine.account_id, ${people(sql)}
  from memberships mine
  join organizations o on o.id = mine.org_id
  where mine.account_id = ${accountId} and mine.role = 'owner'
  order by mine.joined_at, mine.id`

type Owner = { id: Uuid; email: string; provenAt: Date | null; revision: number; freeOrganizations: number }

/** An account that wants another organization, as of one revision. */
export const ownerOf = (sql: Sql, accountId: Uuid) =>
  answersTo<Owner>(sql, (row) => row.id === accountId)`
  select a.id, a.email, a.proven_at, a.revision, (
    select count(*)::integer
    from memberships m
    join organizations o on o.id = m.org_id
    where m.account_id = a.id and m.role = 'owner' and o.plan = any (${texts(
      sql,
      planIds.filter((plan) => !isPaid(plan)),
    )})
  ) as free_organizations
  from accounts a
  where a.id = ${accountId}`

export type MembershipRow = {
  accountId: Uuid
  orgId: Uuid
  id: Uuid
  role: Role
  name: string
  plan: PlanId
  requiresFactor: boolean
}

/** The organizations of an account, the one that it joined first comes first. */
export const membershipsOf = (sql: Sql, accountId: Uuid) =>
  answersTo<MembershipRow>(sql, (row) => row.accountId === accountId)`
  select m.account_id, m.org_id, m.id, m.role, o.name, o.plan, o.require_second_factor as requires_factor
  from memberships m
  join organizations o on o.id = m.org_id
  where m.account_id = ${accountId}
  order by m.joined_at, m.id`

// Reads invitations. Every statement checks the organization of an invitation, or the secret in its address.
import type { Role } from '../actors/roles.ts'
import { isStopped } from '../organizations/standing.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { InvitationStatus } from './invitationRules.ts'

export type InvitationRow = {
  orgId: Uuid
  id: Uuid
  email: string
  role: Role
  status: InvitationStatus
  /** The membership of the member who sent the link. */
  invitedBy: Uuid
  invitedByEmail: string
  createdAt: Date
  sentAt: Date
  expiresAt: Date
}

const columns = (sql: Sql): Fragment => sql`
  i.org_id, i.id, i.email, i.role, i.status, i.invited_by, i.invited_by_email, i.created_at, i.sent_at, i.expires_at`

/** `since`: those that ended before it are no longer shown. */
export const invitationById = (sql: Sql, orgId: Uuid, id: Uuid, since: Date) =>
  own<InvitationRow>(sql, orgId)`
  select ${columns(sql)}
  from invitations i
  where i.org_id = ${orgId} and i.id = ${id} and coalesce(i.ended_at, i.expires_at) > ${since}`

type Listed = { status: InvitationStatus | undefined; since: Date; now: Date }

const listed = (sql: Sql, orgId: Uuid, { status, since, now }: Listed): Fragment => sql`
  i.org_id = ${orgId} and coalesce(i.ended_at, i.expires_at) > ${since}
  ${
    status === undefined
      ? sql``
      : sql`and case when i.status = 'pending' and i.expires_at <= ${now} then 'expired' else i.status end = ${status}`
  }`

export const invitationsPage = (sql: Sql, orgId: Uuid, which: Listed, page: Page) =>
  own<InvitationRow>(sql, orgId)`
  select ${columns(sql)}
  from invitations i
  where ${listed(sql, orgId, which)}
  order by i.id desc
  limit ${page.limit} offset ${page.offset}`

export const invitationCount = (sql: Sql, orgId: Uuid, which: Listed) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from invitations i
  where ${listed(sql, orgId, which)}`

type Invited = Pick<InvitationRow, 'orgId' | 'id' | 'email'>

const isLiving = (sql: Sql, now: Date): Fragment => sql`i.status = 'pending' and i.expires_at > ${now}`

/** Whether the address of an invitation belongs to a member, or to another living invitation. */
export const standingOf = (sql: Sql, { orgId, id, email }: Invited, now: Date) =>
  own<{ isMember: boolean; isInvited: boolean }>(sql, orgId)`
  select ${askedBy(sql, orgId)},
    exists (
      select from memberships m
      join accounts a on a.id = m.account_id
      where m.org_id = ${orgId} and a.email = ${email}) as is_member,
    exists (
      select from invitations i
      where i.org_id = ${orgId} and i.email = ${email} and i.id <> ${id} and ${isLiving(sql, now)}) as is_invited`

/** A scalar query of the taken seats: members and living invitations, without this one. */
export const seatsTaken = (sql: Sql, { orgId, id }: Invited, now: Date): Fragment => sql`
  select (select count(*) from memberships where org_id = ${orgId})
    + (select count(*) from invitations i where i.org_id = ${orgId} and i.id <> ${id} and ${isLiving(sql, now)})`

/** A living invitation, with the organization as it is at its revision. */
export type OpenInvitation = InvitationRow & {
  orgName: string
  /** Whether the organization requires a second factor. */
  requiresFactor: boolean
  plan: PlanId
  limits: AgreedLimits
  revision: number
  orgCreatedAt: Date
  members: number
}

/** By the digest of the secret in its address; none of an organization that is stopped. */
export const openInvitationByHash = (sql: Sql, hash: Buffer, now: Date) =>
  answersTo<OpenInvitation & { tokenHash: Buffer }>(sql, (row) => row.tokenHash.equals(hash))`
  select ${columns(sql)}, i.token_hash,
    o.name as org_name, o.require_second_factor as requires_factor, o.plan, o.limits, o.revision, o.created_at as org_created_at,
    (select count(*)::integer from memberships m where m.org_id = o.id) as members
  from invitations i
  join organizations o on o.id = i.org_id and not ${isStopped(sql, sql`o`)}
  where i.token_hash = ${hash} and ${isLiving(sql, now)}`

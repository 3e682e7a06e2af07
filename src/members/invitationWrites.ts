// Writes `invitations`. Effects are for the change whose guard matched.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { InvitationRow } from './invitationQueries.ts'

type Key = Pick<InvitationRow, 'orgId' | 'id'>

/** The one of this address whose time is over makes room for another. */
export const expireInvitation = (sql: Sql, { orgId, id, email }: Key & { email: string }, now: Date): Effect =>
  effect(
    'expired_invitation',
    sql`
    update invitations i
    set status = 'expired', ended_at = i.expires_at
    from ${guard}
    where i.org_id = ${orgId} and i.email = ${email} and i.id <> ${id} and i.status = 'pending' and i.expires_at <= ${now}
    returning i.id`,
  )

/** The count makes Postgres finish `expired` first: both rows would be pending for a moment otherwise. */
const after = (sql: Sql, expired: Effect): Fragment => sql`(select count(*) from ${expired}) >= 0`

export const insertInvitation = (sql: Sql, row: InvitationRow, hash: Buffer, expired: Effect): Effect =>
  effect(
    'invitation',
    sql`
    insert into invitations (
      org_id, id, email, role, token_hash, status, invited_by, invited_by_email, created_at, sent_at, expires_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.email}::text, ${row.role}::text, ${hash}::bytea, 'pending',
      ${row.invitedBy}::uuid, ${row.invitedByEmail}::text,
      ${row.createdAt}::timestamptz, ${row.sentAt}::timestamptz, ${row.expiresAt}::timestamptz
    from ${guard}
    where ${after(sql, expired)}`,
  )

/** Another link in place of the one before, by the member who sends it. */
export const renewInvitation = (sql: Sql, row: InvitationRow, hash: Buffer, expired: Effect): Effect =>
  effect(
    'invitation',
    sql`
    update invitations i
    set token_hash = ${hash}, status = 'pending', ended_at = null, sent_at = ${row.sentAt}, expires_at = ${row.expiresAt},
      invited_by = ${row.invitedBy}, invited_by_email = ${row.invitedByEmail}
    from ${guard}
    where i.org_id = ${row.orgId} and i.id = ${row.id} and ${after(sql, expired)}`,
  )

/** A part of a guard: matches an invitation that can still be revoked, while `organization` matches. */
export const revokeInvitationGuard = (sql: Sql, { orgId, id }: Key, organization: Step, now: Date): Fragment => sql`
  update invitations
  set status = 'revoked', ended_at = ${now}
  where org_id = ${orgId} and id = ${id} and status in ('pending', 'expired') and exists (select from ${organization})
  returning org_id, id`

/** A part of a guard: matches while the link works, and `organization` matches. */
export const acceptInvitationGuard = (
  sql: Sql,
  { orgId, id }: Key,
  hash: Buffer,
  organization: Step,
  now: Date,
): Fragment => sql`
  update invitations
  set status = 'accepted', ended_at = ${now}
  where org_id = ${orgId} and id = ${id} and token_hash = ${hash} and status = 'pending' and expires_at > ${now}
    and exists (select from ${organization})
  returning org_id as id`

export const purgeInvitations = (sql: Sql, endedSince: Date) => sql`
  delete from invitations
  where coalesce(ended_at, expires_at) <= ${endedSince}`

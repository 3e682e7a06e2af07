// Guards and effects on links.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import type { LinkRow } from './linkQueries.ts'

export const insertLink = (sql: Sql, row: LinkRow, tokenDigest: Buffer): Effect =>
  effect(
    'link',
    sql`
    insert into connection_links (
      org_id, id, calendar_id, token_digest, capabilities, publication_policy, status, expires_at, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.calendarId}::uuid, ${tokenDigest}::bytea,
      ${texts(sql, row.capabilities)}, ${row.publicationPolicy}::text, ${row.status}::text,
      ${row.expiresAt}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

type LinkKey = { orgId: Uuid; id: Uuid }

/** Matches while the link waits for its human; with `lockedOrganization`, if that has a row. */
export const endLinkGuard = (
  sql: Sql,
  { orgId, id }: LinkKey,
  status: 'declined' | 'cancelled',
  now: Date,
  lockedOrganization?: Step,
): Fragment => sql`
  update connection_links
  set status = ${status}, ended_at = ${now}
  where org_id = ${orgId} and id = ${id} and ended_at is null and expires_at > ${now}
    ${lockedOrganization ? sql`and exists (select from ${lockedOrganization})` : sql``}
  returning org_id, id`

/** The human has begun; `connectionId` is the account they have connected so far. */
export const beginLink = (sql: Sql, { orgId, id }: LinkKey, connectionId: Uuid | null, now: Date): Effect =>
  effect(
    'begun_link',
    sql`
    update connection_links l
    set status = 'in_progress', connection_id = coalesce(${connectionId}::uuid, l.connection_id)
    from ${guard}
    where l.org_id = ${orgId} and l.id = ${id} and l.ended_at is null and l.expires_at > ${now}`,
  )

/** A part of a completion; it matches while the link waits, and this connection is the one that was made for it. */
export const completeLinkGuard = (
  sql: Sql,
  { orgId, id }: LinkKey,
  connectionId: Uuid,
  lockedOrganization: Step,
  now: Date,
): Fragment => sql`
  update connection_links
  set status = 'completed', ended_at = ${now}
  where org_id = ${orgId} and id = ${id} and connection_id = ${connectionId}
    and ended_at is null and expires_at > ${now} and exists (select from ${lockedOrganization})
  returning org_id, id`

/** Matches a link that has expired without its human, once. */
export const expireLinkGuard = (sql: Sql, { orgId, id }: LinkKey, now: Date): Fragment => sql`
  update connection_links
  set status = 'expired', ended_at = expires_at
  where org_id = ${orgId} and id = ${id} and ended_at is null and expires_at <= ${now}
  returning org_id, id`

export const purgeLinks = (sql: Sql, keptSince: Date) => sql`
  delete from connection_links
  where coalesce(ended_at, expires_at) < ${keptSince}`

// Guards and effects on connections and their calendars. A change of a selection or a grant also takes the organization's
// revision, so that these never cross.
import { unpublishCalendars } from '../calendars/writes.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import { departureMs } from '../externalCopies/rules.ts'
import { destinationsOf, endDestinations, hurryDestinations } from '../externalCopies/writes.ts'
import type { Capability } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts, uuids } from '../stores/sql.ts'
import { insertEndedConnections } from './endedConnections.ts'
import type { ConnectionRow } from './queries.ts'
import { revokeRemoved } from './revocationWrites.ts'
import type { ConnectionStatus } from './rules.ts'

type Seen = { orgId: Uuid; id: Uuid; revision: number }

/** A change by the human; `isDue`: the selected calendars are read at once, by a read that knows of the change. */
type ConnectionChange = {
  capabilities?: readonly Capability[] | undefined
  isDue?: boolean
  /** It no longer ends with the link that made it. */
  isKept?: true
}

/** A CalDAV server has no channels. */
const watchAt = (sql: Sql, now: Date): Fragment => sql`case when provider <> 'caldav' then ${now}::timestamptz end`

/** Matches if the connection has not changed since it was read and `lockedOrganization` has a row. */
export const changeConnectionGuard = (
  sql: Sql,
  { orgId, id, revision }: Seen,
  lockedOrganization: Step,
  { capabilities, isDue, isKept }: ConnectionChange,
  now: Date,
): Fragment => sql`
  update calendar_connections
  set revision = revision + 1, next_watch_at = ${watchAt(sql, now)}
    ${isKept ? sql`, made_by_link = null` : sql``}
    ${capabilities ? sql`, capabilities = ${texts(sql, capabilities)}` : sql``}
    ${
      isDue
        ? sql`
    , claim = claim + 1, claimed_until = null,
    next_read_at = case when status = 'active' then greatest(held_until, ${now}::timestamptz) end`
        : sql``
    }
  where org_id = ${orgId} and id = ${id} and revision = ${revision} and exists (select from ${lockedOrganization})
  returning org_id, id`

/** Pausing or resuming. A read under way is superseded; resuming reads everything at once. */
export const changeStatusGuard = (
  sql: Sql,
  { orgId, id, revision }: Seen,
  status: ConnectionStatus,
  now: Date,
): Fragment => sql`
  update calendar_connections
  set status = ${status}, revision = revision + 1, claim = claim + 1, claimed_until = null,
    next_watch_at = ${watchAt(sql, now)},
    next_read_at = case when ${status} = 'active' then greatest(held_until, ${now}::timestamptz) end
  where org_id = ${orgId} and id = ${id} and revision = ${revision}
  returning org_id, id`

/** Matches if the connection has not changed since it was read and `lockedOrganization` has a row; locks it for its removal. */
export const removeConnectionGuard = (
  sql: Sql,
  { orgId, id, revision }: Seen,
  lockedOrganization: Step,
): Fragment => sql`
  select org_id, id
  from calendar_connections
  where org_id = ${orgId} and id = ${id} and revision = ${revision} and exists (select from ${lockedOrganization})
  for update`

type Leaving = { now: Date; keepsCopies: boolean }

/**
 * Removes connections with all their rows: `which` is a query of their `id`. A grant left without calendars goes too. The
 * events published through them are withdrawn afterwards, unless they are kept.
 */
export function removeConnections(sql: Sql, orgId: Uuid, which: Fragment, { now, keepsCopies }: Leaving): Effect[] {
  const givesUpAt = new Date(now.getTime() + departureMs)
  const destinations = destinationsOf(sql, orgId, which)
  const removed = sql`(
    select x.id from external_calendars x where x.org_id = ${orgId} and x.connection_id in (${which}))`
  return [
    unpublishCalendars(sql, orgId, destinations),
    endDestinations(sql, orgId, destinations, { now, givesUpAt, keepsCopies }),
    hurryDestinations(sql, orgId, which, { now, givesUpAt }),
    insertEndedConnections(sql, orgId, which, givesUpAt),
    ...removeCopies(sql, orgId, removed),
    removeEmptyGrants(sql, orgId, removed),
    revokeRemoved(sql, orgId, which, givesUpAt),
    effect(
      'removed_connections',
      sql`
      delete from calendar_connections n
      using ${guard}
      where n.org_id = ${orgId} and n.id in (${which})
      returning n.id`,
    ),
  ]
}

/** The connections that some links made and never completed. */
export const removeMadeBy = (sql: Sql, orgId: Uuid, links: Fragment, now: Date): Effect[] =>
  removeConnections(
    sql,
    orgId,
    sql`select m.id from calendar_connections m where m.org_id = ${orgId} and m.made_by_link in (${links})`,
    { now, keepsCopies: false },
  )

/** The connections that a member made. */
export const removeOfMember = (sql: Sql, orgId: Uuid, memberId: Uuid, now: Date): Effect[] =>
  removeConnections(
    sql,
    orgId,
    sql`select m.id from calendar_connections m where m.org_id = ${orgId} and m.member_id = ${memberId}`,
    { now, keepsCopies: false },
  )

/** `calendars` is a query of identifiers in brackets. */
const removeCopies = (sql: Sql, orgId: Uuid, calendars: Fragment): Effect[] => [
  effect(
    'removed_busy',
    sql`
    delete from external_busy b
    using (select from ${guard} limit 1) g
    where b.org_id = ${orgId} and b.external_calendar_id in ${calendars}`,
  ),
  effect(
    'removed_objects',
    sql`
    delete from external_objects o
    using (select from ${guard} limit 1) g
    where o.org_id = ${orgId} and o.external_calendar_id in ${calendars}`,
  ),
]

const removeEmptyGrants = (sql: Sql, orgId: Uuid, calendars: Fragment): Effect =>
  effect(
    'removed_grants',
    sql`
    delete from availability_grants g
    using (select from ${guard} limit 1) one
    where g.org_id = ${orgId}
      and exists (
        select from availability_grant_calendars gc
        where gc.org_id = g.org_id and gc.grant_id = g.id and gc.external_calendar_id in ${calendars})
      and not exists (
        select from availability_grant_calendars gc
        where gc.org_id = g.org_id and gc.grant_id = g.id and gc.external_calendar_id not in ${calendars})`,
  )

/** Deletes the copies of all calendars of a connection; selection and grants stay, and their time counts as busy. */
export const eraseCopiesOf = (sql: Sql, orgId: Uuid, connectionId: Uuid): Effect[] => {
  const all = sql`(select x.id from external_calendars x where x.org_id = ${orgId} and x.connection_id = ${connectionId})`
  return [
    ...removeCopies(sql, orgId, all),
    effect(
      'erased_calendars',
      sql`
      update external_calendars x
      set ${withoutCopy(sql)}
      from (select from ${guard} limit 1) g
      where x.org_id = ${orgId} and x.connection_id = ${connectionId}`,
    ),
  ]
}

const withoutCopy = (sql: Sql): Fragment => sql`
  revision = x.revision + 1, last_attempted_at = null, last_read_at = null, last_error = null, is_refused = false, is_cut = false,
  has_unread = false, covers_from = null, covers_until = null, cursor_sealed = null, compared_at = null, read_whole_at = null`

/** Takes these calendars out of all grants and erases their copies. */
export function unselect(sql: Sql, orgId: Uuid, ids: readonly Uuid[]): Effect[] {
  if (ids.length === 0) return []
  const unselected = sql`(select unnest(${uuids(sql, ids)}))`
  return [
    ...removeCopies(sql, orgId, unselected),
    removeEmptyGrants(sql, orgId, unselected),
    effect(
      'ungranted',
      sql`
      delete from availability_grant_calendars gc
      using (select from ${guard} limit 1) g
      where gc.org_id = ${orgId} and gc.external_calendar_id in ${unselected}`,
    ),
    effect(
      'unselected',
      sql`
      update external_calendars x
      set is_selected = false, ${withoutCopy(sql)}
      from (select from ${guard} limit 1) g
      where x.org_id = ${orgId} and x.id in ${unselected}`,
    ),
  ]
}

export const select = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]): Effect | undefined =>
  ids.length === 0
    ? undefined
    : effect(
        'selected',
        sql`
        update external_calendars x
        set is_selected = true
        from (select from ${guard} limit 1) g
        where x.org_id = ${orgId} and x.id = any (${uuids(sql, ids)}) and not x.is_selected`,
      )

/** Somebody else may have made it in the meantime. */
export const insertDigestKey = (sql: Sql, orgId: Uuid, keySealed: Buffer) => sql`
  insert into connection_keys (org_id, key_sealed)
  select id, ${keySealed}::bytea from organizations where id = ${orgId}
  on conflict do nothing`

export type Authorized = Omit<
  ConnectionRow,
  'revision' | 'credentialsVersion' | 'notified' | 'notifiedAt' | 'claimedUntil' | 'selectedCount'
>

export const insertConnection = (sql: Sql, row: Authorized): Effect =>
  effect(
    'connection',
    sql`
    insert into calendar_connections (
      org_id, id, provider, account_digest, label_sealed, credentials_sealed, server_sealed,
      capabilities, granted, status, timezone, made_by_link, member_id, listed_at, last_authenticated_at, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.provider}::text, ${row.accountDigest}::bytea,
      ${row.labelSealed}::bytea, ${row.credentialsSealed}::bytea, ${row.serverSealed}::bytea,
      ${texts(sql, row.capabilities)}, ${row.granted}::text[], ${row.status}::text, ${row.timezone}::text, ${row.madeByLink}::uuid, ${row.memberId}::uuid,
      ${row.createdAt}::timestamptz, ${row.lastAuthenticatedAt}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

/**
 * The account was authorized again. Matches if the connection has not changed since it was read. The selected calendars are
 * due.
 */
export const reauthorizeGuard = (sql: Sql, row: Authorized & { revision: number }, now: Date): Fragment => sql`
  update calendar_connections
  set
    label_sealed = ${row.labelSealed}, credentials_sealed = ${row.credentialsSealed}, server_sealed = ${row.serverSealed},
    credentials_version = credentials_version + 1, renewing_until = null, next_watch_at = ${watchAt(sql, now)},
    capabilities = ${texts(sql, row.capabilities)}, granted = ${row.granted}::text[], member_id = ${row.memberId}::uuid,
    status = ${row.status}, reauthorization_reason = null,
    revision = revision + 1, claim = claim + 1, claimed_until = null, held_until = null, consecutive_failures = 0,
    refused_at = null, broken_at = null, attention_at = null, listed_at = ${now}, last_authenticated_at = ${now},
    next_read_at = case when ${row.status} = 'active' then ${now}::timestamptz end
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision}
  returning org_id, id`

type Consent = {
  orgId: Uuid
  id: Uuid
  connectionId: Uuid
  sessionId: Uuid
  ip: string | null
  textVersion: string
  capabilities: readonly Capability[]
  calendarIds: readonly Uuid[]
  createdAt: Date
}

export const insertConsent = (sql: Sql, row: Consent): Effect =>
  effect(
    'consent',
    sql`
    insert into connection_consents (
      org_id, id, connection_id, session_id, ip, text_version, capabilities, external_calendar_ids, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.connectionId}::uuid, ${row.sessionId}::uuid, ${row.ip}::text,
      ${row.textVersion}::text, ${texts(sql, row.capabilities)}, ${uuids(sql, row.calendarIds)},
      ${row.createdAt}::timestamptz
    from (select from ${guard} limit 1) one`,
  )

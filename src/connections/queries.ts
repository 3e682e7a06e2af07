import type { Capability, ErrorCategory, ProviderName, ReauthorizationReason } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { ConnectionStatus } from './rules.ts'

export type ConnectionKey = { orgId: Uuid; id: Uuid }

export type ConnectionRow = {
  orgId: Uuid
  id: Uuid
  provider: ProviderName
  accountDigest: Buffer
  labelSealed: Buffer | null
  credentialsSealed: Buffer | null
  /** Counts the tokens. */
  credentialsVersion: number
  serverSealed: Buffer | null
  capabilities: Capability[]
  /** The scopes that the human allowed at the provider; null: all. */
  granted: Capability[] | null
  status: ConnectionStatus
  reauthorizationReason: ReauthorizationReason | null
  timezone: string
  madeByLink: Uuid | null
  /** The member who connected the account. */
  memberId: Uuid | null
  revision: number
  notified: number
  notifiedAt: Date | null
  claimedUntil: Date | null
  lastAuthenticatedAt: Date
  brokenAt: Date | null
  createdAt: Date
  selectedCount: number
}

const connectionColumns = (sql: Sql): Fragment => sql`
  n.org_id, n.id, n.provider, n.account_digest, n.label_sealed, n.credentials_sealed, n.credentials_version, n.server_sealed,
  n.capabilities, n.granted, n.status, n.reauthorization_reason, n.timezone, n.made_by_link, n.member_id, n.revision, n.notified, n.notified_at, n.claimed_until,
  n.last_authenticated_at, n.broken_at, n.created_at,
  (select count(*)::integer from external_calendars x
    where x.org_id = n.org_id and x.connection_id = n.id and x.is_selected) as selected_count`

export const connectionById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<ConnectionRow>(sql, orgId)`
  select ${connectionColumns(sql)}
  from calendar_connections n
  where n.org_id = ${orgId} and n.id = ${id}`

export const connectionOfAccount = (sql: Sql, orgId: Uuid, provider: ProviderName, digest: Buffer) =>
  own<ConnectionRow>(sql, orgId)`
  select ${connectionColumns(sql)}
  from calendar_connections n
  where n.org_id = ${orgId} and n.provider = ${provider} and n.account_digest = ${digest}`

/** `ofMember` undefined: those of all members. */
const ofMemberAlone = (sql: Sql, ofMember: Uuid | undefined): Fragment =>
  ofMember === undefined ? sql`` : sql`and member_id is not distinct from ${ofMember}`

/** Newest first. */
export const connectionsPage = (sql: Sql, orgId: Uuid, ofMember: Uuid | undefined, page: Page) =>
  own<ConnectionRow>(sql, orgId)`
  select ${connectionColumns(sql)}
  from calendar_connections n
  where n.org_id = ${orgId} ${ofMemberAlone(sql, ofMember)}
  order by n.id desc
  limit ${page.limit} offset ${page.offset}`

export const connectionTotal = (sql: Sql, orgId: Uuid, ofMember: Uuid | undefined) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from calendar_connections
  where org_id = ${orgId} ${ofMemberAlone(sql, ofMember)}`

export type ExternalCalendarRow = {
  orgId: Uuid
  id: Uuid
  connectionId: Uuid
  remoteDigest: Buffer
  remoteSealed: Buffer
  nameSealed: Buffer
  accessRole: 'owner' | 'writer' | 'reader' | 'free_busy' | null
  isPrimary: boolean
  isFeed: boolean
  timezone: string | null
  isReadable: boolean
  isWritable: boolean
  isSelected: boolean
  lastAttemptedAt: Date | null
  lastReadAt: Date | null
  lastError: ErrorCategory | null
  isRefused: boolean
  isCut: boolean
  /** Something in it could not be read. */
  hasUnread: boolean
  coversFrom: Date | null
  coversUntil: Date | null
  cursorSealed: Buffer | null
  comparedAt: Date | null
  readWholeAt: Date | null
  /** In an active grant. */
  isGranted: boolean
}

const calendarColumns = (sql: Sql): Fragment => sql`
  x.org_id, x.id, x.connection_id, x.remote_digest, x.remote_sealed, x.name_sealed, x.access_role,
  x.is_primary, x.is_feed, x.timezone, x.is_readable, x.is_writable, x.is_selected,
  x.last_attempted_at, x.last_read_at, x.last_error, x.is_refused, x.is_cut, x.has_unread, x.covers_from, x.covers_until,
  x.cursor_sealed, x.compared_at, x.read_whole_at,
  exists (
    select from availability_grant_calendars gc
    join availability_grants g on g.org_id = gc.org_id and g.id = gc.grant_id
    where gc.org_id = x.org_id and gc.external_calendar_id = x.id and g.active) as is_granted`

/** Of a connection, in no order: names are sealed. */
export const calendarsOf = (sql: Sql, orgId: Uuid, connectionId: Uuid) =>
  own<ExternalCalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)}
  from external_calendars x
  where x.org_id = ${orgId} and x.connection_id = ${connectionId}`

type GrantableRow = {
  id: Uuid
  connectionId: Uuid
  isSelected: boolean
  isReadable: boolean
  connectionStatus: ConnectionStatus
  memberId: Uuid | null
}

/** Of any connection of the organization. */
export const calendarsById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<GrantableRow>(sql, orgId)`
  select x.org_id, x.id, x.connection_id, x.is_selected, x.is_readable, n.status as connection_status, n.member_id
  from external_calendars x
  join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id
  where x.org_id = ${orgId} and x.id = any (${uuids(sql, ids)})`

export const digestKey = (sql: Sql, orgId: Uuid) =>
  own<{ keySealed: Buffer }>(sql, orgId)`
  select org_id, key_sealed
  from connection_keys
  where org_id = ${orgId}`

export type WritableRow = {
  id: Uuid
  connectionId: Uuid
  remoteSealed: Buffer
  isWritable: boolean
  connectionStatus: ConnectionStatus
  capabilities: Capability[]
  memberId: Uuid | null
}

/** Of any connection of the organization, with what decides whether events can be published into it. */
export const writableCalendar = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<WritableRow>(sql, orgId)`
  select x.org_id, x.id, x.connection_id, x.remote_sealed, x.is_writable, n.status as connection_status, n.capabilities, n.member_id
  from external_calendars x
  join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id
  where x.org_id = ${orgId} and x.id = ${id}`

/** A scalar query. */
export const activeConnections = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from calendar_connections
  where org_id = ${orgId}`

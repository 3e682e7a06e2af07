// Reads and writes of channels, through which a provider announces changes.

import type { App } from '../app.ts'
import type { ConnectionKey } from '../connections/queries.ts'
import type { ProviderName } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export type ClaimedWatch = ConnectionKey & {
  provider: ProviderName
  credentialsSealed: Buffer
  credentialsVersion: number
  serverSealed: Buffer | null
}

/** Takes the channels of a connection that are due; a process that dies meanwhile leaves them due after `leaseMs`. */
export const claimWatch = (sql: Sql, { orgId, id }: ConnectionKey, leaseMs: number) =>
  answersTo<ClaimedWatch>(sql, (row) => row.orgId === orgId && row.id === id)`
  update calendar_connections
  set next_watch_at = ${leaseEnd(sql, leaseMs)}
  where org_id = ${orgId} and id = ${id} and next_watch_at <= app_now()
    and status = 'active' and credentials_sealed is not null
  returning org_id, id, provider, credentials_sealed, credentials_version, server_sealed`

/** Somebody who changed the selection meanwhile has made them due again, which stays. */
export const endWatch = (sql: Sql, { orgId, id }: ConnectionKey, at: Date | null) => sql`
  update calendar_connections
  set next_watch_at = ${at}
  where org_id = ${orgId} and id = ${id} and next_watch_at > app_now()`

export type ChannelRow = ConnectionKey & {
  externalCalendarId: Uuid
  resourceSealed: Buffer | null
  renewAt: Date
  expiresAt: Date
}

export const channelsOf = (sql: Sql, { orgId, id }: ConnectionKey) =>
  own<ChannelRow>(sql, orgId)`
  select org_id, id, external_calendar_id, resource_sealed, renew_at, expires_at
  from connection_channels
  where org_id = ${orgId} and connection_id = ${id}`

type NewChannel = ConnectionKey & { connectionId: Uuid; externalCalendarId: Uuid; tokenDigest: Buffer; until: Date }

/** Before the provider is asked: its first message may be faster than its answer. */
export const insertChannel = (sql: Sql, row: NewChannel, now: Date) => sql`
  insert into connection_channels (
    org_id, id, connection_id, external_calendar_id, token_digest, renew_at, expires_at, created_at)
  values (
    ${row.orgId}, ${row.id}, ${row.connectionId}, ${row.externalCalendarId}, ${row.tokenDigest},
    ${row.until}, ${row.until}, ${now})`

type MadeChannel = ConnectionKey & { resourceSealed: Buffer; renewAt: Date; expiresAt: Date }

export const confirmChannel = (sql: Sql, { orgId, id, resourceSealed, renewAt, expiresAt }: MadeChannel) => sql`
  update connection_channels
  set resource_sealed = ${resourceSealed}, renew_at = ${renewAt}, expires_at = ${expiresAt}
  where org_id = ${orgId} and id = ${id}`

export const removeChannel = (sql: Sql, { orgId, id }: ConnectionKey) => sql`
  delete from connection_channels
  where org_id = ${orgId} and id = ${id}`

export async function purgeChannels({ sql, clock }: App): Promise<void> {
  await sql`delete from connection_channels where expires_at < ${clock.now()}`
}

export type KnownChannel = ConnectionKey & {
  connectionId: Uuid
  tokenDigest: Buffer
  isMade: boolean
  provider: ProviderName
}

/** By the name that the provider sends. */
export const channelNamed = (sql: Sql, id: Uuid) =>
  answersTo<KnownChannel>(sql, (row) => row.id === id)`
  select c.org_id, c.id, c.connection_id, c.token_digest, c.resource_sealed is not null as is_made, n.provider
  from connection_channels c
  join calendar_connections n on n.org_id = c.org_id and n.id = c.connection_id
  where c.id = ${id}`

/** Something has changed at the provider: it is read now. A read under way goes on, and is followed by another one. */
export const notify = (sql: Sql, { orgId, id }: ConnectionKey, now: Date) =>
  answersTo<ConnectionKey>(sql, (row) => row.orgId === orgId && row.id === id)`
  update calendar_connections
  set notified = notified + 1, notified_at = coalesce(notified_at, ${now}),
    next_read_at = greatest(held_until, least(next_read_at, ${now}))
  where org_id = ${orgId} and id = ${id} and status = 'active'
  returning org_id, id`

/** Another channel is made in the place of this one, which may have ended already. */
export const renewEarly = (
  sql: Sql,
  { orgId, id, connectionId }: ConnectionKey & { connectionId: Uuid },
  isLost: boolean,
  now: Date,
) => answersTo<ConnectionKey>(sql, (row) => row.orgId === orgId && row.id === connectionId)`
  with channel as (
    update connection_channels
    set renew_at = ${now}, expires_at = case when ${isLost} then least(expires_at, ${now}) else expires_at end
    where org_id = ${orgId} and id = ${id}
    returning org_id, connection_id)
  update calendar_connections n
  set next_watch_at = ${now}
  from channel c
  where n.org_id = c.org_id and n.id = c.connection_id and n.status = 'active'
  returning n.org_id, n.id`

/** Changes that were missed without a channel are read. */
export const readNow = (sql: Sql, { orgId, id }: ConnectionKey, now: Date) => sql`
  update calendar_connections
  set next_read_at = greatest(held_until, least(next_read_at, ${now}))
  where org_id = ${orgId} and id = ${id} and status = 'active'`

/** Whether each selected calendar of a connection has a channel that lives. */
export const isWatched = (sql: Sql, { orgId, id }: ConnectionKey, now: Date) =>
  own<{ isWatched: boolean }>(sql, orgId)`
  select ${orgId}::uuid as org_id, not exists (
    select from external_calendars x
    where x.org_id = ${orgId} and x.connection_id = ${id} and x.is_selected and x.is_readable and not exists (
      select from connection_channels c
      where c.org_id = x.org_id and c.connection_id = x.connection_id and c.external_calendar_id = x.id
        and c.resource_sealed is not null and c.expires_at > ${now})) as is_watched`

// The reads of the reading engine.

import type { ConnectionKey } from '../connections/queries.ts'
import type { ProviderName } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

type DueConnection = ConnectionKey & { dueAt: Date }

/** Due after `from` (any time without it) and up to `until`, the earliest first; all of them without `max`. */
export const dueReads = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<DueConnection[]>`
  select org_id, id, next_read_at as due_at
  from calendar_connections
  where next_read_at <= ${until} ${from ? sql`and next_read_at > ${from}` : sql``}
  order by next_read_at
  limit ${max ?? null}`

export const dueReauthorizationReminders = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<
  DueConnection[]
>`
  select org_id, id, attention_at as due_at
  from calendar_connections
  where attention_at <= ${until} ${from ? sql`and attention_at > ${from}` : sql``}
  order by attention_at
  limit ${max ?? null}`

export const dueWatches = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<DueConnection[]>`
  select org_id, id, next_watch_at as due_at
  from calendar_connections
  where next_watch_at <= ${until} ${from ? sql`and next_watch_at > ${from}` : sql``} and status = 'active'
  order by next_watch_at
  limit ${max ?? null}`

/** Where the account of a connection lives. */
export const serverOf = (sql: Sql, { orgId, id }: ConnectionKey) =>
  own<{ provider: ProviderName; serverSealed: Buffer | null; nextReadAt: Date | null }>(sql, orgId)`
  select org_id, provider, server_sealed, next_read_at
  from calendar_connections
  where org_id = ${orgId} and id = ${id} and status = 'active'`

/** The versions of the objects of calendars, as digests in hexadecimal. */
export const knownVersions = (sql: Sql, orgId: Uuid, calendarIds: readonly Uuid[]) => {
  const asked = new Set(calendarIds)
  return answersTo<{ calendarId: Uuid; object: string; version: string }>(sql, (row) => asked.has(row.calendarId))`
  select external_calendar_id as calendar_id, encode(object_digest, 'hex') as object, encode(version_digest, 'hex') as version
  from external_objects
  where org_id = ${orgId} and external_calendar_id = any (${calendarIds}::uuid[])`
}

export const busyCount = (sql: Sql, orgId: Uuid, calendarId: Uuid) =>
  own<{ count: number }>(sql, orgId)`
  select ${orgId}::uuid as org_id, count(*)::integer as count
  from external_busy
  where org_id = ${orgId} and external_calendar_id = ${calendarId}`

type ReadState = {
  id: Uuid
  status: string
  claim: number
  claimedUntil: Date | null
  /** Until then nothing is asked. */
  heldUntil: Date | null
}

export const readStates = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<ReadState>(sql, orgId)`
  select org_id, id, status, claim, claimed_until, held_until
  from calendar_connections
  where org_id = ${orgId} and id = any (${ids}::uuid[])`

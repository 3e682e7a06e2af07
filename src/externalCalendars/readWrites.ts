// Changes of a read: its claim, the copies of calendars, and its end. The claim counts: a result is written only while its read
// is the latest of the connection.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { ConnectionKey } from '../connections/queries.ts'
import type { ErrorCategory, ProviderName } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isClaimable, leaseEnd } from '../stores/claims.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export type ClaimedRead = ConnectionKey & {
  provider: ProviderName
  credentialsSealed: Buffer
  credentialsVersion: number
  serverSealed: Buffer | null
  timezone: string
  claim: number
  /** The changes at the provider that the read knows of. */
  notified: number
  beganAt: Date
  /** When it came due; null: started by a request. */
  dueAt: Date | null
  /** The time of the first announced change that no read has seen; null: none. */
  notifiedAt: Date | null
  /** Somebody waits for a read that begins now. */
  isWanted: boolean
  listedAt: Date
  refusedAt: Date | null
  consecutiveFailures: number
}

/** Takes a due read, or one that somebody's question asks for; one that never ends comes due again after `leaseMs`. */
export const claimRead = (
  sql: Sql,
  { orgId, id }: ConnectionKey,
  { leaseMs, interestMs }: { leaseMs: number; interestMs: number | undefined },
) => answersTo<ClaimedRead>(sql, (row) => row.orgId === orgId && row.id === id)`
  update calendar_connections n
  set claim = n.claim + 1, last_read_began_at = app_now(),
    claimed_until = ${leaseEnd(sql, leaseMs)},
    next_read_at = ${leaseEnd(sql, leaseMs)}
  from calendar_connections before
  where n.org_id = ${orgId} and n.id = ${id} and before.org_id = n.org_id and before.id = n.id
    and n.status = 'active' and n.credentials_sealed is not null
    and ${isClaimable(sql, sql`n`)}
    and (n.held_until is null or n.held_until <= app_now())
    and (n.next_read_at <= app_now() ${
      interestMs === undefined
        ? sql``
        : sql`or n.last_read_began_at <= app_now() - ${interestMs} * interval '1 millisecond'`
    })
  returning n.org_id, n.id, n.provider, n.credentials_sealed, n.credentials_version, n.server_sealed, n.timezone, n.claim, n.notified,
    n.last_read_began_at as began_at, before.next_read_at as due_at, n.notified_at,
    coalesce(n.wanted_claim >= before.claim, false) as is_wanted, n.listed_at, n.refused_at, n.consecutive_failures`

/** The guard of a write: matches while the read is the latest. A removal of the connection decides again. */
export const stillReading = (sql: Sql, { orgId, id, claim }: ClaimedRead): Fragment => sql`
  update calendar_connections
  set revision = revision + 1
  where org_id = ${orgId} and id = ${id} and claim = ${claim}
  returning org_id, id`

export const stillListing = (sql: Sql, { orgId, id, claim }: ClaimedRead, now: Date): Fragment => sql`
  update calendar_connections
  set revision = revision + 1, listed_at = ${now}
  where org_id = ${orgId} and id = ${id} and claim = ${claim}
  returning org_id, id`

type BusyRow = { objectDigest: Buffer; startTime: Date; endTime: Date }
type ObjectRow = { objectDigest: Buffer; versionDigest: Buffer }

/** `isWhole`: rows that are not among the objects are deleted. */
type CopyChange = {
  calendarId: Uuid
  isWhole: boolean
  objects: readonly ObjectRow[]
  removed: readonly Buffer[]
  busy: readonly BusyRow[]
}

/** Replaces what these objects make busy. */
export function changeCopy(sql: Sql, { orgId }: ConnectionKey, change: CopyChange): Effect[] {
  const { calendarId, isWhole, objects, removed, busy } = change
  const ofCalendar = (alias: Fragment) =>
    sql`${alias}.org_id = ${orgId} and ${alias}.external_calendar_id = ${calendarId}`
  const digests = (list: readonly Buffer[]) =>
    sql`(select d.object_digest from ${rowsOf(
      sql,
      list.map((objectDigest) => ({ objectDigest })),
      { objectDigest: 'bytea' },
      'd',
    )})`
  const replaced = [...objects.map(({ objectDigest }) => objectDigest), ...removed]
  const goes = isWhole
    ? sql`o.object_digest not in ${digests(objects.map(({ objectDigest }) => objectDigest))}`
    : sql`o.object_digest in ${digests(removed)}`
  return [
    effect(
      'outdated_busy',
      sql`
      delete from external_busy b
      using (select from ${guard} limit 1) one
      where ${ofCalendar(sql`b`)} ${isWhole ? sql`` : sql`and b.object_digest in ${digests(replaced)}`}`,
    ),
    effect(
      'outdated_objects',
      sql`
      delete from external_objects o
      using (select from ${guard} limit 1) one
      where ${ofCalendar(sql`o`)} and ${goes}`,
    ),
    effect(
      'busy',
      sql`
      insert into external_busy (org_id, external_calendar_id, object_digest, start_time, end_time)
      select ${orgId}::uuid, ${calendarId}::uuid, b.object_digest, b.start_time, b.end_time
      from ${rowsOf(sql, busy, { objectDigest: 'bytea', startTime: 'timestamptz', endTime: 'timestamptz' }, 'b')}
      where exists (select from ${guard})`,
    ),
    effect(
      'objects',
      sql`
      insert into external_objects (org_id, external_calendar_id, object_digest, version_digest)
      select ${orgId}::uuid, ${calendarId}::uuid, o.object_digest, o.version_digest
      from ${rowsOf(sql, objects, { objectDigest: 'bytea', versionDigest: 'bytea' }, 'o')}
      where exists (select from ${guard})
      on conflict (org_id, external_calendar_id, object_digest) do update set version_digest = excluded.version_digest`,
    ),
  ]
}

type CopyState = {
  calendarId: Uuid
  beganAt: Date
  cursorSealed: Buffer | null
  /** When everything was compared, if it was. */
  comparedAt: Date | undefined
  /** The window of a whole read, whether it had to be cut, and whether a part of it could not be read. */
  whole: { from: Date; until: Date; isCut: boolean; hasUnread: boolean } | undefined
  /** Whether the busy time may have changed. */
  isChanged: boolean
}

/** A calendar was read. One that was unselected meanwhile keeps nothing. */
export const markRead = (sql: Sql, { orgId }: ConnectionKey, state: CopyState): Effect =>
  effect(
    'read_calendar',
    sql`
    update external_calendars x
    set last_attempted_at = ${state.beganAt}, last_read_at = ${state.beganAt}, last_error = null, is_refused = false,
      cursor_sealed = ${state.cursorSealed},
      revision = x.revision + ${state.isChanged ? 1 : 0}
      ${state.comparedAt ? sql`, compared_at = ${state.comparedAt}` : sql``}
      ${
        state.whole
          ? sql`
      , covers_from = ${state.whole.from}, covers_until = ${state.whole.until}, is_cut = ${state.whole.isCut},
      has_unread = ${state.whole.hasUnread}, read_whole_at = ${state.beganAt}`
          : sql``
      }
    from (select from ${guard} limit 1) one
    where x.org_id = ${orgId} and x.id = ${state.calendarId} and x.is_selected`,
  )

/** All of these were read and compared, and have not changed. */
export const markSame = (sql: Sql, { orgId, beganAt }: ClaimedRead, calendarIds: readonly Uuid[]): Effect =>
  effect(
    'same_calendars',
    sql`
    update external_calendars x
    set last_attempted_at = ${beganAt}, last_read_at = ${beganAt}, compared_at = ${beganAt}, last_error = null, is_refused = false
    from (select from ${guard} limit 1) one
    where x.org_id = ${orgId} and x.id = any (${calendarIds}::uuid[]) and x.is_selected`,
  )

type Failure = { category: ErrorCategory; isRefusal?: boolean }

/** These calendars could not be read; their copies stay. */
export const markFailed = (
  sql: Sql,
  read: ClaimedRead,
  calendarIds: readonly Uuid[],
  { category, isRefusal = false }: Failure,
) => sql`
  update external_calendars x
  set last_attempted_at = ${read.beganAt}, last_error = ${category}, is_refused = ${isRefusal}
  from calendar_connections n
  where x.org_id = ${read.orgId} and x.id = any (${calendarIds}::uuid[]) and x.is_selected
    and n.org_id = x.org_id and n.id = x.connection_id and n.claim = ${read.claim}`

type ReadEnding = { at: Date; isThrottled: boolean; failures: number; refusedAt: Date | null; now: Date }

/** Changes that were announced or requested since the read began make it due again, unless the provider asked for patience. */
export const endRead = (sql: Sql, read: ClaimedRead, { at, isThrottled, failures, refusedAt, now }: ReadEnding) => sql`
  update calendar_connections
  set claimed_until = null, last_read_ended_at = ${now}, consecutive_failures = ${failures}, refused_at = ${refusedAt},
    held_until = ${isThrottled ? at : null},
    -- Changes that the read has seen are no longer unread: messages since then are as old as the read at most.
    notified_at = case
      when ${failures} > 0 then notified_at
      when notified > ${read.notified} then greatest(notified_at, ${read.beganAt})
    end,
    next_read_at = case
      when not ${isThrottled}::boolean and ${failures} = 0 and (notified > ${read.notified} or wanted_claim >= ${read.claim}) then ${now}
      else ${at}::timestamptz
    end
  where org_id = ${read.orgId} and id = ${read.id} and claim = ${read.claim}
  returning next_read_at`

type RequestedRead = {
  ids: readonly Uuid[]
  withList?: boolean
  /** Only if this calendar is read at all. */
  calendarId?: Uuid
}

/** The reads that have begun are not enough: returns the latest of each. Reads nothing itself: workers do. */
export const requestRead = (sql: Sql, orgId: Uuid, { ids, withList = false, calendarId }: RequestedRead, now: Date) =>
  own<{ id: Uuid; claim: number }>(sql, orgId)`
  update calendar_connections
  set wanted_claim = claim, next_read_at = greatest(held_until, least(next_read_at, ${now}))
    ${withList ? sql`, listed_at = 'epoch'` : sql``}
  where org_id = ${orgId} and id = any (${ids}::uuid[]) and status = 'active'
    ${
      calendarId === undefined
        ? sql``
        : sql`and exists (
      select from external_calendars x where x.org_id = ${orgId} and x.id = ${calendarId} and x.is_selected)`
    }
  returning org_id, id, claim`

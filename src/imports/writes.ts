// Guards and effects on subscriptions to external feeds, and the claim and the end of a sync.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Keepable } from '../icalendar/contentLines.ts'
import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import { isPaused } from './paused.ts'

export type SubscriptionKey = { orgId: Uuid; id: Uuid }

type NewSubscription = SubscriptionKey & {
  agentId: Uuid
  calendarId: Uuid
  urlSealed: Buffer
  label: string | null
  digestKeySealed: Buffer
  keep: Keepable[] | null
  createdAt: Date
}

/** Due at once. */
export const insertSubscription = (sql: Sql, row: NewSubscription): Effect =>
  effect(
    'subscription',
    sql`
    insert into ical_subscriptions (
      org_id, id, agent_id, calendar_id,
      url_sealed, label, digest_key_sealed, keep,
      next_sync_at, created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.agentId}::uuid, ${row.calendarId}::uuid,
      ${row.urlSealed}::bytea, ${row.label}::text, ${row.digestKeySealed}::bytea, ${row.keep ? texts(sql, row.keep) : sql`null::text[]`},
      ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

type SubscriptionEdit = {
  label: string | undefined
  urlSealed: Buffer | undefined
  keep: Keepable[] | null | undefined
}

/** A new address, or another `keep`, is read at once and as if for the first time; a sync of the old one that is under way is superseded. */
export const editSubscriptionGuard = (
  sql: Sql,
  { orgId, id }: SubscriptionKey,
  edit: SubscriptionEdit,
  now: Date,
): Fragment => sql`
  update ical_subscriptions
  set
    updated_at = ${now}
    ${edit.label === undefined ? sql`` : sql`, label = ${edit.label}`}
    ${edit.urlSealed === undefined ? sql`` : sql`, url_sealed = ${edit.urlSealed}`}
    ${edit.keep === undefined ? sql`` : sql`, keep = ${edit.keep ? texts(sql, edit.keep) : sql`null`}`}
    ${
      edit.urlSealed === undefined && edit.keep === undefined
        ? sql``
        : sql`,
    etag = null, last_modified = null, body_digest = null, expanded_at = null, expanded_zone = null,
    claim = claim + 1, next_sync_at = ${now}`
    }
  where org_id = ${orgId} and id = ${id}
  returning id`

/** A sync on request. It supersedes one that is under way, which may have fetched the feed too early. */
export const startSyncGuard = (sql: Sql, { orgId, id }: SubscriptionKey, now: Date): Fragment => sql`
  update ical_subscriptions
  set next_sync_at = ${now}, claim = claim + 1
  where org_id = ${orgId} and id = ${id}
  returning id`

/** How many events of a calendar a sync has written. */
export type Written = { added: number; changed: number; removed: number }

type Unreported = {
  /** The counts that the change feed does not have yet, as they were read. */
  unreported: Written
  /** Locks the calendar that this is about, if there is anything. The guard then returns its `revision` and its `agent_id`. */
  calendar: Step | undefined
}

/** Matches while nothing more was written. */
export const removeSubscriptionGuard = (
  sql: Sql,
  { orgId, id }: SubscriptionKey,
  { unreported, calendar }: Unreported,
): Fragment => sql`
  delete from ical_subscriptions s
  ${calendar ? sql`using ${calendar} c` : sql``}
  where s.org_id = ${orgId} and s.id = ${id} and ${isUnreported(sql, unreported)}
  returning s.id ${ofCalendar(sql, calendar)}`

/** A paused one is not due any more. Matches while nothing more was written. */
export const suspendSubscriptionGuard = (
  sql: Sql,
  { orgId, id }: SubscriptionKey,
  { unreported, calendar }: Unreported,
): Fragment => sql`
  update ical_subscriptions s
  set next_sync_at = null, untold_added = 0, untold_changed = 0, untold_removed = 0
  ${calendar ? sql`from ${calendar} c` : sql``}
  where s.org_id = ${orgId} and s.id = ${id} and ${isUnreported(sql, unreported)}
  returning s.id ${ofCalendar(sql, calendar)}`

const isUnreported = (sql: Sql, { added, changed, removed }: Written): Fragment => sql`
  s.untold_added = ${added} and s.untold_changed = ${changed} and s.untold_removed = ${removed}`

const ofCalendar = (sql: Sql, calendar: Step | undefined): Fragment =>
  calendar ? sql`, c.revision, c.agent_id` : sql``

export const postponeSync = (sql: Sql, { orgId, id }: SubscriptionKey, waitMs: number) => sql`
  update ical_subscriptions
  set next_sync_at = app_now() + ${waitMs} * interval '1 millisecond'
  where org_id = ${orgId} and id = ${id} and next_sync_at <= app_now()`

/** Identifies the body that was fetched last, so that the same one is not parsed again. */
export type LastBody = {
  etag: string | null
  lastModified: string | null
  bodyDigest: Buffer | null
  /** When its series were expanded, and in the time zone of the calendar at that time. */
  expandedAt: Date | null
  expandedZone: string | null
}

export type ClaimedSync = SubscriptionKey &
  LastBody & {
    calendarId: Uuid
    /** Grows with each sync: a result counts only while it is the latest. */
    claim: number
    urlSealed: Buffer
    digestKeySealed: Buffer
    keep: Keepable[] | null
    consecutiveFailures: number
    /** Of the calendar. */
    timezone: string
    untoldAdded: number
    untoldChanged: number
    untoldRemoved: number
  }

/** Takes a due sync; one that never ends comes due again after `leaseMs`. */
export const claimSync = (sql: Sql, { orgId, id }: SubscriptionKey, leaseMs: number) =>
  answersTo<ClaimedSync>(sql, (row) => row.orgId === orgId && row.id === id)`
  update ical_subscriptions s
  set claim = s.claim + 1, next_sync_at = ${leaseEnd(sql, leaseMs)}
  from calendars c, agents a
  where s.org_id = ${orgId} and s.id = ${id} and s.next_sync_at <= app_now()
    and c.org_id = s.org_id and c.id = s.calendar_id
    and a.org_id = s.org_id and a.id = s.agent_id
    and not ${isPaused(sql, { calendar: sql`c`, agent: sql`a` })}
  returning
    s.org_id, s.id, s.calendar_id, s.claim, s.url_sealed, s.digest_key_sealed, s.keep, s.consecutive_failures,
    s.etag, s.last_modified, s.body_digest, s.expanded_at, s.expanded_zone,
    s.untold_added, s.untold_changed, s.untold_removed,
    c.timezone`

/** `last` is undefined if the server itself said that nothing changed, `unread` if nothing was parsed. */
export const finishSync = (
  sql: Sql,
  sync: ClaimedSync,
  { last, unread }: { last?: LastBody; unread?: number },
  now: Date,
  nextSyncAt: Date,
) => sql`
  update ical_subscriptions
  set
    status = 'active', last_error = null, consecutive_failures = 0,
    last_synced_at = ${now}, next_sync_at = ${nextSyncAt}
    ${unread === undefined ? sql`` : sql`, unread = ${unread}`}
    ${
      last
        ? sql`,
    etag = ${last.etag}, last_modified = ${last.lastModified}, body_digest = ${last.bodyDigest},
    expanded_at = ${last.expandedAt}, expanded_zone = ${last.expandedZone}`
        : sql``
    }
  where org_id = ${sync.orgId} and id = ${sync.id} and claim = ${sync.claim}`

export const failSync = (sql: Sql, sync: ClaimedSync, message: string, nextSyncAt: Date) => sql`
  update ical_subscriptions
  set
    status = 'error', last_error = ${message},
    consecutive_failures = consecutive_failures + 1, next_sync_at = ${nextSyncAt}
  where org_id = ${sync.orgId} and id = ${sync.id} and claim = ${sync.claim}`

/** The counts that the change feed does not have yet. The guard has locked the subscription. */
export const keepUnreported = (sql: Sql, { orgId, id }: SubscriptionKey, unreported: Written): Effect =>
  effect(
    'unreported',
    sql`
    update ical_subscriptions s
    set untold_added = ${unreported.added}, untold_changed = ${unreported.changed}, untold_removed = ${unreported.removed}
    from ${guard}
    where s.org_id = ${orgId} and s.id = ${id}`,
  )

/**
 * The guard of a write: matches while the sync is the latest of its subscription and the calendar is not deleted. The calendar
 * is locked first, as in every other change. Returns its `revision` after the change, and its owner `agent_id`.
 */
export const stillImporting = (sql: Sql, sync: ClaimedSync): Fragment => sql`
  select c.org_id, c.id as calendar_id, c.agent_id, c.revision + 1 as revision
  from calendars c
  join ical_subscriptions s on s.org_id = c.org_id and s.calendar_id = c.id
  where s.org_id = ${sync.orgId} and s.id = ${sync.id} and s.claim = ${sync.claim}
    and c.deleted_at is null
  for no key update of c, s`

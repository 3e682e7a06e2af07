import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { Kept } from './rules.ts'
import type { SubscriptionStatus } from './schema.ts'

/** So many rows are unpacked at once, before everybody else gets a turn. */
const rowsAtOnce = 250

export type SubscriptionRow = {
  orgId: Uuid
  id: Uuid
  agentId: Uuid
  calendarId: Uuid
  urlSealed: Buffer
  label: string | null
  status: SubscriptionStatus
  lastSyncedAt: Date | null
  lastError: string | null
  createdAt: Date
  /** Of the agent. */
  ownerStatus: string
}

const withPlace = (sql: Sql): Fragment => sql`
  ical_subscriptions s
  join calendars c on c.org_id = s.org_id and c.id = s.calendar_id
  join agents a on a.org_id = s.org_id and a.id = s.agent_id`

/** Of the calendar `c` and the agent `a` of a subscription: neither comes back once it is deleted or decommissioned. */
export const isPaused = (sql: Sql): Fragment => sql`(c.deleted_at is not null or a.status = 'decommissioned')`

const shownStatus = (sql: Sql): Fragment => sql`case when ${isPaused(sql)} then 'paused' else s.status end`

const subscriptionColumns = (sql: Sql): Fragment => sql`
  s.org_id, s.id, s.agent_id, s.calendar_id, s.url_sealed, s.label, ${shownStatus(sql)} as status, s.last_synced_at,
  s.last_error, s.created_at, a.status as owner_status`

export const subscriptionById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<SubscriptionRow>(sql, orgId)`
  select ${subscriptionColumns(sql)} from ${withPlace(sql)} where s.org_id = ${orgId} and s.id = ${id}`

const ofAgent = (sql: Sql, orgId: Uuid, agentId: Uuid, status: SubscriptionStatus | undefined): Fragment => sql`
  s.org_id = ${orgId} and s.agent_id = ${agentId} ${status ? sql`and ${shownStatus(sql)} = ${status}` : sql``}`

export const subscriptionsPage = (
  sql: Sql,
  orgId: Uuid,
  agentId: Uuid,
  query: Page & { status?: SubscriptionStatus | undefined },
) =>
  own<SubscriptionRow>(sql, orgId)`
  select ${subscriptionColumns(sql)} from ${withPlace(sql)} where ${ofAgent(sql, orgId, agentId, query.status)}
  order by s.id desc limit ${query.limit} offset ${query.offset}`

export const subscriptionTotal = (sql: Sql, orgId: Uuid, agentId: Uuid, status: SubscriptionStatus | undefined) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total from ${withPlace(sql)} where ${ofAgent(sql, orgId, agentId, status)}`

/** What the plan caps: a paused one never syncs again and takes no place. */
export const liveSubscriptions = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*) from ${withPlace(sql)} where s.org_id = ${orgId} and not ${isPaused(sql)}`

type NewSubscription = Pick<SubscriptionRow, 'orgId' | 'id' | 'agentId' | 'calendarId' | 'urlSealed' | 'label'> & {
  digestKeySealed: Buffer
  createdAt: Date
}

export const insertSubscription = (sql: Sql, row: NewSubscription): Fragment => sql`
  insert into ical_subscriptions (org_id, id, agent_id, calendar_id, url_sealed, label, digest_key_sealed, next_sync_at,
    created_at, updated_at)
  select ${row.orgId}::uuid, ${row.id}::uuid, ${row.agentId}::uuid, ${row.calendarId}::uuid, ${row.urlSealed}::bytea,
    ${row.label}::text, ${row.digestKeySealed}::bytea, ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz,
    ${row.createdAt}::timestamptz
  from guard`

type SubscriptionEdit = { label: string | undefined; urlSealed: Buffer | undefined }

/** The guard of an edit. Another address is read as if for the first time, and at once. */
export const editedSubscription = (
  sql: Sql,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  edit: SubscriptionEdit,
  now: Date,
): Fragment => sql`
  update ical_subscriptions set updated_at = ${now}
    ${edit.label === undefined ? sql`` : sql`, label = ${edit.label}`}
    ${
      edit.urlSealed === undefined
        ? sql``
        : sql`, url_sealed = ${edit.urlSealed}, etag = null, last_modified = null, body_digest = null,
            expanded_at = null, expanded_zone = null, claim = claim + 1, next_sync_at = ${now}`
    }
  where org_id = ${orgId} and id = ${id}
  returning id`

/** The guard of a sync that somebody asked for. One that is under way began too early to count. */
export const syncDue = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }, now: Date): Fragment => sql`
  update ical_subscriptions set next_sync_at = ${now}, claim = claim + 1 where org_id = ${orgId} and id = ${id}
  returning id`

export const removedSubscription = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }): Fragment =>
  sql`delete from ical_subscriptions where org_id = ${orgId} and id = ${id} returning id`

type SubscriptionKey = { orgId: Uuid; id: Uuid }

/** Due after `from` (undefined: since ever) and up to `until`, the earliest first; all of them unless told how many. */
export const dueSubscriptions = (sql: Sql, from: Date | undefined, until: Date, most?: number) => sql<
  (SubscriptionKey & { dueAt: Date })[]
>`
  select org_id, id, next_sync_at as due_at from ical_subscriptions
  where next_sync_at <= ${until} ${from ? sql`and next_sync_at > ${from}` : sql``}
  order by next_sync_at limit ${most ?? null}`

/** Where a due one is to be read; `paused`: nowhere any more. */
export const dueAddress = (sql: Sql, { orgId, id }: SubscriptionKey) =>
  own<{ urlSealed: Buffer; paused: boolean }>(sql, orgId)`
  select s.org_id, s.url_sealed, ${isPaused(sql)} as paused from ${withPlace(sql)}
  where s.org_id = ${orgId} and s.id = ${id} and s.next_sync_at <= app_now()`

export const parkSubscription = (sql: Sql, { orgId, id }: SubscriptionKey) =>
  sql`update ical_subscriptions set next_sync_at = null where org_id = ${orgId} and id = ${id}`

export const postponeSync = (sql: Sql, { orgId, id }: SubscriptionKey, waitMs: number) => sql`
  update ical_subscriptions set next_sync_at = app_now() + ${waitMs} * interval '1 millisecond'
  where org_id = ${orgId} and id = ${id} and next_sync_at <= app_now()`

/** What was read last, so that the same is not read again. */
export type LastBody = {
  etag: string | null
  lastModified: string | null
  bodyDigest: Buffer | null
  expandedAt: Date | null
  expandedZone: string | null
}

export type ClaimedSync = SubscriptionKey &
  LastBody & {
    calendarId: Uuid
    claim: number
    urlSealed: Buffer
    digestKeySealed: Buffer
    consecutiveFailures: number
    /** Of the calendar. */
    timezone: string
  }

/** Takes a due sync; one that never ends comes due again by itself. */
export const claimSync = (sql: Sql, { orgId, id }: SubscriptionKey, leaseMs: number) =>
  answersTo<ClaimedSync>(sql, (row) => row.orgId === orgId && row.id === id)`
  update ical_subscriptions s
  set claim = s.claim + 1, next_sync_at = app_now() + ${leaseMs} * interval '1 millisecond'
  from calendars c, agents a
  where s.org_id = ${orgId} and s.id = ${id} and s.next_sync_at <= app_now()
    and c.org_id = s.org_id and c.id = s.calendar_id and a.org_id = s.org_id and a.id = s.agent_id and not ${isPaused(sql)}
  returning s.org_id, s.id, s.calendar_id, s.claim, s.url_sealed, s.digest_key_sealed, s.consecutive_failures, s.etag,
    s.last_modified, s.body_digest, s.expanded_at, s.expanded_zone, c.timezone`

/** `last` undefined: the server said that nothing changed. */
export const finishSync = (sql: Sql, sync: ClaimedSync, last: LastBody | undefined, now: Date, nextSyncAt: Date) => sql`
  update ical_subscriptions set status = 'active', last_error = null, consecutive_failures = 0, last_synced_at = ${now},
    next_sync_at = ${nextSyncAt}
    ${
      last
        ? sql`, etag = ${last.etag}, last_modified = ${last.lastModified}, body_digest = ${last.bodyDigest},
            expanded_at = ${last.expandedAt}, expanded_zone = ${last.expandedZone}`
        : sql``
    }
  where org_id = ${sync.orgId} and id = ${sync.id} and claim = ${sync.claim}`

export const failSync = (sql: Sql, sync: ClaimedSync, message: string, nextSyncAt: Date) => sql`
  update ical_subscriptions set status = 'error', last_error = ${message},
    consecutive_failures = consecutive_failures + 1, next_sync_at = ${nextSyncAt}
  where org_id = ${sync.orgId} and id = ${sync.id} and claim = ${sync.claim}`

export async function keptImports(sql: Sql, { orgId, id }: SubscriptionKey): Promise<Kept[]> {
  const all: Kept[] = []
  await answersTo<Kept & { subscriptionId: Uuid }>(sql, (row) => row.subscriptionId === id)`
    select ical_subscription_id as subscription_id, id, encode(ical_key, 'hex') as key, encode(ical_content, 'hex') as content from events
    where org_id = ${orgId} and ical_subscription_id = ${id}`.cursor(rowsAtOnce, (rows) => {
    all.push(...rows)
  })
  return all
}

/**
 * The guard of a write: the sync is still the latest of its subscription, whose calendar lives. The calendar is locked
 * first, as by every other change.
 */
export const stillImporting = (sql: Sql, sync: ClaimedSync): Fragment => sql`
  select c.org_id, c.id as calendar_id from calendars c
  join ical_subscriptions s on s.org_id = c.org_id and s.calendar_id = c.id
  where s.org_id = ${sync.orgId} and s.id = ${sync.id} and s.claim = ${sync.claim} and c.deleted_at is null
  for no key update of c, s`

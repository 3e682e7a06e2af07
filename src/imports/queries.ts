import type { Keepable } from '../icalendar/contentLines.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { Kept } from './compare.ts'
import { isPaused } from './paused.ts'
import type { SubscriptionStatus } from './schema.ts'
import type { SubscriptionKey, Written } from './writes.ts'

/** Rows to unpack at once: then other work of the process gets a turn. */
const rowsAtOnce = 250

export type SubscriptionRow = {
  orgId: Uuid
  id: Uuid
  agentId: Uuid
  calendarId: Uuid
  urlSealed: Buffer
  label: string | null
  keep: Keepable[] | null
  status: SubscriptionStatus
  lastSyncedAt: Date | null
  lastError: string | null
  /** Parts of the feed that could not be read. */
  unread: number
  createdAt: Date
  /** Of the agent. */
  ownerStatus: string
}

/** Subscriptions `s` with their calendars `c` and agents `a`. */
const subscriptions = (sql: Sql): Fragment => sql`
  ical_subscriptions s
  join calendars c on c.org_id = s.org_id and c.id = s.calendar_id
  join agents a on a.org_id = s.org_id and a.id = s.agent_id`

const isPausedHere = (sql: Sql): Fragment => isPaused(sql, { calendar: sql`c`, agent: sql`a` })

const shownStatus = (sql: Sql): Fragment => sql`case when ${isPausedHere(sql)} then 'paused' else s.status end`

const subscriptionColumns = (sql: Sql): Fragment => sql`
  s.org_id, s.id, s.agent_id, s.calendar_id, s.url_sealed, s.label, s.keep,
  ${shownStatus(sql)} as status, s.last_synced_at, s.last_error, s.unread, s.created_at,
  a.status as owner_status`

export const subscriptionById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<SubscriptionRow>(sql, orgId)`
  select ${subscriptionColumns(sql)}
  from ${subscriptions(sql)}
  where s.org_id = ${orgId} and s.id = ${id}`

/** `agentId` undefined: of all agents. `only`: into these calendars alone. */
type Listing = { agentId: Uuid | undefined; status: SubscriptionStatus | undefined; only: readonly Uuid[] | undefined }

const listed = (sql: Sql, orgId: Uuid, { agentId, status, only }: Listing): Fragment => sql`
  s.org_id = ${orgId}
  ${agentId ? sql`and s.agent_id = ${agentId}` : sql``}
  ${status ? sql`and ${shownStatus(sql)} = ${status}` : sql``}
  ${only ? sql`and s.calendar_id = any (${uuids(sql, only)})` : sql``}`

/** Newest first. */
export const subscriptionsPage = (sql: Sql, orgId: Uuid, listing: Listing, page: Page) =>
  own<SubscriptionRow>(sql, orgId)`
  select ${subscriptionColumns(sql)}
  from ${subscriptions(sql)}
  where ${listed(sql, orgId, listing)}
  order by s.id desc
  limit ${page.limit} offset ${page.offset}`

export const subscriptionTotal = (sql: Sql, orgId: Uuid, listing: Listing) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from ${subscriptions(sql)}
  where ${listed(sql, orgId, listing)}`

/** Of any organization, for an operator: those that cannot be read, the ones first whose last good read is the oldest. */
export const failingSubscriptions = (sql: Sql, max: number) => sql<
  Pick<SubscriptionRow, 'orgId' | 'id' | 'agentId' | 'lastSyncedAt' | 'lastError'>[]
>`
  select s.org_id, s.id, s.agent_id, s.last_synced_at, s.last_error
  from ${subscriptions(sql)}
  where ${shownStatus(sql)} = 'error'
  order by s.last_synced_at nulls first, s.id
  limit ${max}`

/** Due after `from` (any time without it) and up to `until`, the earliest first; all of them without `max`. */
export const dueSubscriptions = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<
  (SubscriptionKey & { dueAt: Date })[]
>`
  select org_id, id, next_sync_at as due_at
  from ical_subscriptions
  where next_sync_at <= ${until}
    ${from ? sql`and next_sync_at > ${from}` : sql``}
  order by next_sync_at
  limit ${max ?? null}`

/** The address of a due subscription. `paused`: it is not read any more. */
export const dueAddress = (sql: Sql, { orgId, id }: SubscriptionKey) =>
  own<{ urlSealed: Buffer; paused: boolean }>(sql, orgId)`
  select s.org_id, s.url_sealed, ${isPausedHere(sql)} as paused
  from ${subscriptions(sql)}
  where s.org_id = ${orgId} and s.id = ${id} and s.next_sync_at <= app_now()`

/** `calendarGone`: its calendar was deleted. */
export const unreportedById = (sql: Sql, { orgId, id }: SubscriptionKey) =>
  own<Written & { orgId: Uuid; calendarId: Uuid; calendarGone: boolean }>(sql, orgId)`
  select
    s.org_id, s.calendar_id, c.deleted_at is not null as calendar_gone,
    s.untold_added as added, s.untold_changed as changed, s.untold_removed as removed
  from ${subscriptions(sql)}
  where s.org_id = ${orgId} and s.id = ${id}`

/** The starts of the earlier imports. */
export const keptStarts = (sql: Sql, { orgId, id }: SubscriptionKey) =>
  own<{ startTime: Date }>(sql, orgId)`
  select distinct org_id, start_time
  from events
  where org_id = ${orgId} and ical_subscription_id = ${id}`

/** The digests of the earlier imports. */
export async function keptImports(sql: Sql, { orgId, id }: SubscriptionKey): Promise<Kept[]> {
  const all: Kept[] = []
  await answersTo<Kept & { subscriptionId: Uuid }>(sql, (row) => row.subscriptionId === id)`
    select
      ical_subscription_id as subscription_id, id,
      encode(ical_key, 'hex') as key, encode(ical_content, 'hex') as content
    from events
    where org_id = ${orgId} and ical_subscription_id = ${id}`.cursor(rowsAtOnce, (rows) => {
    all.push(...rows)
  })
  return all
}

import type { DateHours } from '../availability/closings.ts'
import type { WorkingHours } from '../availability/hours.ts'
import { isOpen } from '../calendars/writes.ts'
import { isStopped } from '../organizations/standing.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { Details } from './details.ts'
import { readableOf } from './vanitySlug.ts'

export type PageRow = {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  /** The owner of the calendar. */
  agentId: Uuid | null
  slugSealed: Buffer
  title: string
  description: string | null
  durationMinutes: number
  bufferMinutes: number
  windowDays: number
  minNoticeMinutes: number
  timezone: string
  availabilityConstraints: WorkingHours | null
  /** As its owner set it. */
  active: boolean
  details: Details
  vanitySlug: string | null
  /** Whether its calendar lives and can be written to. */
  calendarOpen: boolean
  calendarGone: boolean
  bookingsCount: number
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** Of `pagesWithCalendar`. */
const pageColumns = (sql: Sql): Fragment => sql`
  p.org_id, p.id, p.calendar_id, c.agent_id,
  p.slug_sealed, p.title, p.description,
  p.duration_minutes, p.buffer_minutes, p.window_days, p.min_notice_minutes, p.timezone, p.availability_constraints,
  p.active, p.details, p.vanity_slug, ${isOpen(sql, sql`c`)} as calendar_open, c.deleted_at is not null as calendar_gone,
  p.bookings_count, p.revision, p.created_at, p.updated_at`

/** Pages as `p`, their calendars as `c`. */
const pagesWithCalendar = (sql: Sql): Fragment => sql`
  booking_pages p
  join calendars c on c.org_id = p.org_id and c.id = p.calendar_id`

/** The rules of the calendars as `r`, where they have any. */
const pagesWithRules = (sql: Sql): Fragment => sql`
  ${pagesWithCalendar(sql)}
  left join availability_rules r on r.org_id = c.org_id and r.calendar_id = c.id`

export const pageById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<PageRow>(sql, orgId)`
  select ${pageColumns(sql)}
  from ${pagesWithCalendar(sql)}
  where p.org_id = ${orgId} and p.id = ${id} and p.deleted_at is null`

/** `agentId` undefined: the pages of the whole organization. `only`: of these calendars alone. */
type Seen = { agentId: Uuid | undefined; only: readonly Uuid[] | undefined }

/** Includes pages whose calendar was deleted. */
const visibleTo = (sql: Sql, orgId: Uuid, { agentId, only }: Seen): Fragment => sql`
  p.org_id = ${orgId} and p.deleted_at is null
  ${agentId === undefined ? sql`` : sql`and c.agent_id = ${agentId}`}
  ${only ? sql`and c.id = any (${uuids(sql, only)})` : sql``}`

export const pagesPage = (sql: Sql, orgId: Uuid, seen: Seen, page: Page) =>
  own<PageRow>(sql, orgId)`
  select ${pageColumns(sql)}
  from ${pagesWithCalendar(sql)}
  where ${visibleTo(sql, orgId, seen)}
  order by p.id desc
  limit ${page.limit} offset ${page.offset}`

export const existingPagesOf = (sql: Sql, orgId: Uuid) =>
  own<PageRow>(sql, orgId)`
  select ${pageColumns(sql)}
  from ${pagesWithCalendar(sql)}
  where p.org_id = ${orgId} and p.deleted_at is null
  order by p.id`

export const pageTotal = (sql: Sql, orgId: Uuid, seen: Seen) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from ${pagesWithCalendar(sql)}
  where ${visibleTo(sql, orgId, seen)}`

/** A page that guests can book on, with the plan of its organization. */
export type PublicPageRow = PageRow & {
  /** Days on which its calendar has hours of their own, in the zone of its rules. */
  ruleDates: readonly DateHours[] | null
  ruleZone: string | null
  /** Guests can book on it now. */
  isOpen: boolean
  /** Its organization is on the waitlist, or an operator has closed its pages. */
  isStopped: boolean
  slugHash: Buffer
  plan: PlanId
  limits: AgreedLimits
  orgCreatedAt: Date
  /** The address that signed up, which stays the same if its organization is made anew; without one, the organization. */
  owner: string
}

const publicColumns = (sql: Sql): Fragment => sql`
  ${pageColumns(sql)}, r.more -> 'dates' as rule_dates, r.timezone as rule_zone, p.slug_hash, o.plan, o.limits, o.created_at as org_created_at,
  case when o.signup_source = 'admin' then o.id::text else lower(o.email) end as owner,
  p.deleted_at is null and p.active and ${isOpen(sql, sql`c`)} and not ${isStopped(sql, sql`o`)} as is_open,
  ${isStopped(sql, sql`o`)} as is_stopped`

/** The page of a booking, also if it is no longer open. */
export const pageOfBooking = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<PublicPageRow>(sql, orgId)`
  select ${publicColumns(sql)}
  from ${pagesWithRules(sql)}
  join organizations o on o.id = p.org_id
  where p.org_id = ${orgId} and p.id = ${id}`

/** By its secret address, which comes first, or by its readable one. */
export function openPage(sql: Sql, slug: string) {
  const hash = sha256(slug)
  const readable = readableOf(slug)
  return answersTo<PublicPageRow>(sql, (row) => row.slugHash.equals(hash) || row.vanitySlug === readable)`
  select ${publicColumns(sql)}
  from ${pagesWithRules(sql)}
  join organizations o on o.id = p.org_id
  where (p.slug_hash = ${hash} or p.vanity_slug = ${readable}) and p.deleted_at is null and p.active and ${isOpen(sql, sql`c`)}
    and not ${isStopped(sql, sql`o`)}
  order by p.slug_hash = ${hash} desc
  limit 1`
}

/** By its readable address. */
export const pageNamed = (sql: Sql, vanitySlug: string) =>
  answersTo<{ vanitySlug: string }>(sql, (row) => row.vanitySlug === vanitySlug)`
  select vanity_slug
  from booking_pages
  where vanity_slug = ${vanitySlug} and deleted_at is null`

/** The one of these events that is confirmed at that time on the page's calendar. */
export const bookedEvent = (sql: Sql, page: PageRow, { ids, start, end }: { ids: Uuid[]; start: Date; end: Date }) =>
  own<{ id: Uuid }>(sql, page.orgId)`
  select org_id, id
  from events
  where org_id = ${page.orgId} and id = any (${uuids(sql, ids)}) and calendar_id = ${page.calendarId}
    and status = 'confirmed' and deleted_at is null and start_time = ${start} and end_time = ${end}`

/** Also of an event that was deleted: then without its metadata. */
export type PageBookingRow = {
  orgId: Uuid
  id: Uuid
  guestSealed: Buffer
  createdAt: Date
  shownStart: Date
  shownEnd: Date
  isCancelled: boolean
  metadata: Record<string, unknown> | null
  bookingSealed: Buffer | null
}

type BookingWindow = { from?: Date | undefined; to?: Date | undefined }

/** Bookings as `b`, with their events as `e` while these and the calendar are there. */
const bookingsWithEvents = (
  sql: Sql,
  { orgId, id, calendarGone }: PageRow,
  { from, to }: BookingWindow,
): Fragment => sql`
  bookings b
  left join events e on e.org_id = b.org_id and e.id = b.id and e.deleted_at is null and not ${calendarGone}::boolean
  where b.org_id = ${orgId} and b.page_id = ${id}
    ${from ? sql`and coalesce(e.start_time, b.start_time) >= ${from}` : sql``}
    ${to ? sql`and coalesce(e.start_time, b.start_time) < ${to}` : sql``}`

/** The latest start first. */
export const bookingsOfPage = (sql: Sql, page: PageRow, window: BookingWindow, { limit, offset }: Page) =>
  own<PageBookingRow>(sql, page.orgId)`
  select
    b.org_id, b.id, b.guest_sealed, b.created_at,
    coalesce(e.start_time, b.start_time) as shown_start, coalesce(e.end_time, b.end_time) as shown_end,
    e.id is null or e.status = 'cancelled' as is_cancelled, e.metadata, e.booking_sealed
  from ${bookingsWithEvents(sql, page, window)}
  order by shown_start desc, b.id desc
  limit ${limit} offset ${offset}`

export const countOfBookings = (sql: Sql, page: PageRow, window: BookingWindow) =>
  own<{ total: number }>(sql, page.orgId)`
  select ${askedBy(sql, page.orgId)}, count(*)::integer as total
  from ${bookingsWithEvents(sql, page, window)}`

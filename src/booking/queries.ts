import type { WorkingHours } from '../availability/hours.ts'
import { isOpen } from '../calendars/revision.ts'
import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

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
  /** What its owner wants. */
  active: boolean
  /** Whether its calendar lives and can be written to. */
  calendarOpen: boolean
  calendarGone: boolean
  bookingsCount: number
  revision: number
  createdAt: Date
  updatedAt: Date
}

const pageColumns = (sql: Sql): Fragment => sql`
  p.org_id, p.id, p.calendar_id, c.agent_id, p.slug_sealed, p.title, p.description, p.duration_minutes, p.buffer_minutes,
  p.window_days, p.min_notice_minutes, p.timezone, p.availability_constraints, p.active, ${isOpen(sql)} as calendar_open,
  c.deleted_at is not null as calendar_gone, p.bookings_count, p.revision, p.created_at, p.updated_at`

const withCalendar = (sql: Sql): Fragment =>
  sql`booking_pages p join calendars c on c.org_id = p.org_id and c.id = p.calendar_id`

export const pageById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<PageRow>(sql, orgId)`
  select ${pageColumns(sql)} from ${withCalendar(sql)}
  where p.org_id = ${orgId} and p.id = ${id} and p.deleted_at is null`

/** Also those whose calendar was deleted. `agentId` undefined: of the whole organization. */
const visibleTo = (sql: Sql, orgId: Uuid, agentId: Uuid | undefined): Fragment => sql`
  p.org_id = ${orgId} and p.deleted_at is null ${agentId === undefined ? sql`` : sql`and c.agent_id = ${agentId}`}`

export const pagesPage = (sql: Sql, orgId: Uuid, agentId: Uuid | undefined, page: Page) =>
  own<PageRow>(sql, orgId)`
  select ${pageColumns(sql)} from ${withCalendar(sql)} where ${visibleTo(sql, orgId, agentId)}
  order by p.id desc limit ${page.limit} offset ${page.offset}`

export const pageTotal = (sql: Sql, orgId: Uuid, agentId: Uuid | undefined) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total from ${withCalendar(sql)} where ${visibleTo(sql, orgId, agentId)}`

/** What the plan caps. */
export const livingPageCount = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) from booking_pages where org_id = ${orgId} and deleted_at is null`

export const insertPage = (sql: Sql, row: PageRow, slugHash: Buffer): Fragment => sql`
  insert into booking_pages (org_id, id, calendar_id, slug_hash, slug_sealed, title, description, duration_minutes, buffer_minutes,
    window_days, min_notice_minutes, timezone, availability_constraints, active, created_at, updated_at)
  select ${row.orgId}::uuid, ${row.id}::uuid, ${row.calendarId}::uuid, ${slugHash}::bytea,
    ${row.slugSealed}::bytea, ${row.title}::text,
    ${row.description}::text, ${row.durationMinutes}::smallint, ${row.bufferMinutes}::smallint,
    ${row.windowDays}::smallint, ${row.minNoticeMinutes}::integer, ${row.timezone}::text, ${hours(sql, row)}::jsonb,
    ${row.active}::boolean, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
  from guard`

const hours = (sql: Sql, { availabilityConstraints }: PageRow) =>
  availabilityConstraints && sql.json(availabilityConstraints)

/** The guard of an edit: matches while the page is as it was read. */
export const changePage = (sql: Sql, row: PageRow): Fragment => sql`
  update booking_pages set title = ${row.title}, description = ${row.description},
    duration_minutes = ${row.durationMinutes}, buffer_minutes = ${row.bufferMinutes}, window_days = ${row.windowDays},
    min_notice_minutes = ${row.minNoticeMinutes}, timezone = ${row.timezone},
    availability_constraints = ${hours(sql, row)}::jsonb, active = ${row.active}, updated_at = ${row.updatedAt},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and deleted_at is null
  returning id`

export const deletedPage = (sql: Sql, orgId: Uuid, id: Uuid, now: Date): Fragment => sql`
  update booking_pages set deleted_at = ${now}, updated_at = ${now}, revision = revision + 1
  where org_id = ${orgId} and id = ${id} and deleted_at is null
  returning id`

/** A page as guests meet it, with what its organization's plan allows. */
export type PublicPageRow = PageRow & {
  slugHash: Buffer
  plan: PlanId
  limits: AgreedLimits
  orgCreatedAt: Date
}

/** Only one that can be booked on. */
export const openPage = (sql: Sql, slug: string) =>
  answersTo<PublicPageRow>(sql, (row) => row.slugHash.equals(sha256(slug)))`
  select ${pageColumns(sql)}, p.slug_hash, o.plan, o.limits, o.created_at as org_created_at
  from ${withCalendar(sql)} join organizations o on o.id = p.org_id
  where p.slug_hash = ${sha256(slug)} and p.deleted_at is null and p.active and ${isOpen(sql)}`

/** Of the calendar `c`, in the guard of a booking: it and the page are as they were when the slot was found free. */
export const isAsSeen = (sql: Sql, page: PageRow, calendarRevision: number): Fragment => sql`
  and c.revision = ${calendarRevision} and ${isOpen(sql)} and exists (
    select from booking_pages p
    where p.org_id = ${page.orgId} and p.id = ${page.id} and p.revision = ${page.revision} and p.deleted_at is null)`

export const countBooking = (sql: Sql, page: PageRow): Fragment => sql`
  update booking_pages p set bookings_count = p.bookings_count + 1
  from guard where p.org_id = ${page.orgId} and p.id = ${page.id}`

/** Of these events the one that takes place at that time on the page's calendar. */
export const bookedEvent = (sql: Sql, page: PageRow, { ids, start, end }: { ids: Uuid[]; start: Date; end: Date }) =>
  own<{ id: Uuid }>(sql, page.orgId)`
  select org_id, id from events
  where org_id = ${page.orgId} and id = any (${ids}::uuid[]) and calendar_id = ${page.calendarId}
    and status = 'confirmed' and deleted_at is null and start_time = ${start} and end_time = ${end}`

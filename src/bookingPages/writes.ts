// Writes `booking_pages`, and the checks of a booking on its page.
import { type CalendarCondition, isOpen } from '../calendars/writes.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'
import type { PageRow } from './queries.ts'

export const insertPage = (sql: Sql, row: PageRow, slugHash: Buffer): Effect =>
  effect(
    'page',
    sql`
    insert into booking_pages (
      org_id, id, calendar_id,
      slug_hash, slug_sealed,
      title, description,
      duration_minutes, buffer_minutes, window_days, min_notice_minutes, timezone, availability_constraints,
      active, details, vanity_slug, created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.calendarId}::uuid,
      ${slugHash}::bytea, ${row.slugSealed}::bytea,
      ${row.title}::text, ${row.description}::text,
      ${row.durationMinutes}::smallint, ${row.bufferMinutes}::smallint, ${row.windowDays}::smallint,
      ${row.minNoticeMinutes}::integer, ${row.timezone}::text, ${hours(sql, row)}::jsonb,
      ${row.active}::boolean, ${json(sql, row.details)}, ${row.vanitySlug}::text, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}`,
  )

const hours = (sql: Sql, { availabilityConstraints }: PageRow) =>
  availabilityConstraints && sql.json(availabilityConstraints)

/** Matches while the page has not changed since it was read. */
export const updatePageGuard = (sql: Sql, row: PageRow): Fragment => sql`
  update booking_pages set
    title = ${row.title},
    description = ${row.description},
    duration_minutes = ${row.durationMinutes},
    buffer_minutes = ${row.bufferMinutes},
    window_days = ${row.windowDays},
    min_notice_minutes = ${row.minNoticeMinutes},
    timezone = ${row.timezone},
    availability_constraints = ${hours(sql, row)}::jsonb,
    active = ${row.active},
    details = ${json(sql, row.details)},
    vanity_slug = ${row.vanitySlug}::text,
    updated_at = ${row.updatedAt},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and deleted_at is null
  returning id`

/** Matches while the page exists; with `asSeen` while it has not changed since it was read. */
export const removePageGuard = (
  sql: Sql,
  { orgId, id, revision }: PageRow,
  now: Date,
  asSeen: boolean,
): Fragment => sql`
  update booking_pages set
    deleted_at = ${now},
    updated_at = ${now},
    revision = revision + 1
  where org_id = ${orgId} and id = ${id} and deleted_at is null
    ${asSeen ? sql`and revision = ${revision}` : sql``}
  returning id`

/** The calendar and the page have not changed since the slot was found free. */
export const isAsSeen =
  (sql: Sql, page: PageRow, calendarRevision: number): CalendarCondition =>
  (c) =>
    sql`
    ${c}.revision = ${calendarRevision}
    and ${isOpen(sql, c)}
    and exists (
      select from booking_pages p
      where p.org_id = ${page.orgId} and p.id = ${page.id} and p.revision = ${page.revision} and p.deleted_at is null)`

export const countBooking = (sql: Sql, page: PageRow): Effect =>
  effect(
    'counted_booking',
    sql`
    update booking_pages p set
      bookings_count = p.bookings_count + 1
    from ${guard}
    where p.org_id = ${page.orgId} and p.id = ${page.id}`,
  )

/** A step that locks all pages of an organization behind its calendars. Returns each `id` and `revision`. */
export const lockAllPages = (sql: Sql, organization: Step, calendars: Step): Step =>
  step(
    'locked_pages',
    sql`
    select p.id, p.revision
    from booking_pages p
    where p.org_id = (select id from ${organization}) and p.deleted_at is null
      and (select count(*) from ${calendars}) is not null
    order by p.org_id, p.id
    for no key update of p`,
  )

/**
 * Switches off all pages of the organization whose `id` the guard returned. Pages that are off already only get a new revision,
 * so that an edit in progress looks again.
 */
export const switchOffPages = (sql: Sql, now: Date): Effect =>
  effect(
    'pages',
    sql`
    update booking_pages p set
      active = false,
      updated_at = case when p.active then ${now}::timestamptz else p.updated_at end,
      revision = p.revision + 1
    from ${guard}
    where p.org_id = ${guard}.id and p.deleted_at is null`,
  )

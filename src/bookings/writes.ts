// Writes `bookings`. Each change returns the columns that a mail needs: `org_id`, `id`, `others`, `sequence`, and the times.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import type { BookingRow } from './bookingRows.ts'

type NewBooking = Omit<BookingRow, 'moves' | 'otherChanges'>

export const insertBooking = (sql: Sql, row: NewBooking): Effect =>
  effect(
    'booking',
    sql`
    insert into bookings as b
      (org_id, id, page_id, token_hash, guest_sealed, start_time, end_time, others, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.pageId}::uuid, ${row.tokenHash}::bytea, ${row.guestSealed}::bytea,
      ${row.startTime}::timestamptz, ${row.endTime}::timestamptz, ${row.others}::smallint, ${row.createdAt}::timestamptz
    from ${guard}
    returning ${insertedBooking(sql)}`,
  )

const insertedBooking = (sql: Sql) => sql`
  b.org_id, b.id, b.others, b.moves + b.other_changes as sequence, b.start_time, b.end_time`

export const moveBooking = (sql: Sql, { orgId, id }: BookingRow, start: Date, end: Date): Effect =>
  effect(
    'booking',
    sql`
    update bookings b
    set start_time = ${start}, end_time = ${end}, moves = b.moves + 1
    from ${guard}
    where b.org_id = ${orgId} and b.id = ${id}
    returning ${insertedBooking(sql)}`,
  )

/** A change of the event that is not a move of its guest. It does nothing if the event was not booked. */
export const countOtherChange = (
  sql: Sql,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  { start, end }: { start: Date; end: Date },
): Effect =>
  effect(
    'booking',
    sql`
    update bookings b
    set other_changes = b.other_changes + 1
    from ${guard}
    where b.org_id = ${orgId} and b.id = ${id}
    returning b.org_id, b.id, b.others, b.moves + b.other_changes as sequence,
      ${start}::timestamptz as start_time, ${end}::timestamptz as end_time`,
  )

/** The end of all bookings of a calendar that are not over and stand. */
export const countEndOfCalendar = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }, now: Date): Effect =>
  effect(
    'booking',
    sql`
    update bookings b
    set other_changes = b.other_changes + 1
    from ${guard}, booking_pages p, events e
    where p.org_id = ${orgId} and p.calendar_id = ${id}
      and b.org_id = p.org_id and b.page_id = p.id
      and e.org_id = b.org_id and e.id = b.id and e.calendar_id = p.calendar_id
      and e.deleted_at is null and e.status <> 'cancelled' and e.end_time > ${now}
    returning b.org_id, b.id, b.others, b.moves + b.other_changes as sequence, e.start_time, e.end_time`,
  )

/** Bookings that were over before `before`, unless their owner has moved them. */
export const deleteBookings = (sql: Sql, before: Date) => sql`
  delete from bookings b
  where b.end_time < ${before}
    and not exists (
      select from events e
      where e.org_id = b.org_id and e.id = b.id and e.deleted_at is null and e.end_time >= ${before})`

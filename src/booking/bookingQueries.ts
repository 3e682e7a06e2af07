// What is read of `bookings`, and what is written to it.
import { type Effect, effect } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export type BookingRow = {
  orgId: Uuid
  /** That of the event. */
  id: Uuid
  pageId: Uuid
  tokenHash: Buffer
  guestSealed: Buffer
  startTime: Date
  endTime: Date
  moves: number
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  org_id, id, page_id, token_hash, guest_sealed, start_time, end_time, moves, created_at`

export const bookingByToken = (sql: Sql, tokenHash: Buffer) =>
  answersTo<BookingRow>(sql, (row) => row.tokenHash.equals(tokenHash))`
  select ${columns(sql)}
  from bookings
  where token_hash = ${tokenHash}`

export const bookingById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<BookingRow>(sql, orgId)`
  select ${columns(sql)}
  from bookings
  where org_id = ${orgId} and id = ${id}`

export const insertBooking = (sql: Sql, row: BookingRow): Effect =>
  effect(
    'booking',
    sql`
    insert into bookings (org_id, id, page_id, token_hash, guest_sealed, start_time, end_time, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.pageId}::uuid, ${row.tokenHash}::bytea, ${row.guestSealed}::bytea,
      ${row.startTime}::timestamptz, ${row.endTime}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

export const moveBooking = (sql: Sql, { orgId, id }: BookingRow, start: Date, end: Date): Effect =>
  effect(
    'booking',
    sql`
    update bookings b
    set start_time = ${start}, end_time = ${end}, moves = b.moves + 1
    from ${guard}
    where b.org_id = ${orgId} and b.id = ${id}`,
  )

/** Bookings that were over before `before`, unless their owner has moved them. */
export const deleteBookings = (sql: Sql, before: Date) => sql`
  delete from bookings b
  where b.end_time < ${before}
    and not exists (
      select from events e
      where e.org_id = b.org_id and e.id = b.id and e.deleted_at is null and e.end_time >= ${before})`

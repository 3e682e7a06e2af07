// The rows of `bookings`, by a booking's token or by its event.
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
  otherChanges: number
  /** How many further guests there are. */
  others: number
  createdAt: Date
}

/** The SEQUENCE of the guests' calendar files. */
export const sequenceOf = ({ moves, otherChanges }: BookingRow): number => moves + otherChanges

const columns = (sql: Sql) => sql`
  org_id, id, page_id, token_hash, guest_sealed, start_time, end_time, moves, other_changes, others, created_at`

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

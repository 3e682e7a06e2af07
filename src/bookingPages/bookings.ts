// The booking of a guest, found by the secret of its page. The event is the truth: if it is gone, the booking is cancelled.

import type { App } from '../app.ts'
import { type BookingRow, bookingByToken } from '../bookings/bookingRows.ts'
import { deleteBookings } from '../bookings/writes.ts'
import { notFound } from '../errors.ts'
import { findEvent, type PlacedEvent } from '../events/find.ts'
import { bookingFile } from '../feeds/bookingFile.ts'
import { sha256 } from '../sealing/sealer.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { type Guest, openGuest } from './guestDetails.ts'
import { type PublicPageRow, pageOfBooking } from './queries.ts'

/** For this long after its end a booking can be looked at; then its row is removed. */
const shownForMs = 30 * dayMs
/** Each move sends a mail to an unverified address. */
export const maxMoves = 10

/** The rights of a guest: cancel and move, only cancel, or neither and why. */
type Freedom = 'free' | 'only_cancel' | 'too_late' | 'over' | 'cancelled'

export type Found = {
  row: BookingRow
  page: PublicPageRow
  /** Null: it was deleted, or its calendar was. */
  event: PlacedEvent | null
  guest: Guest
  start: Date
  end: Date
  freedom: Freedom
}

/** Unknown, expired and erased are one: 404. */
export async function requireBooking(app: App, token: string): Promise<Found> {
  const now = app.clock.now()
  const [row] = await bookingByToken(app.sql, sha256(token))
  const [page] = row ? await pageOfBooking(app.sql, row.orgId, row.pageId) : []
  if (!row || !page) throw notFound('booking')
  const found = await findEvent(app, row.orgId, row.id)
  const event = found && found.status !== 'cancelled' ? found : null
  const { start, end } = event
    ? { start: event.startTime, end: event.endTime }
    : { start: row.startTime, end: row.endTime }
  if (end.getTime() + shownForMs <= now.getTime()) throw notFound('booking')
  return { row, page, event, guest: openGuest(app, row), start, end, freedom: freedomOf(row, page, event, now) }
}

/** The notice of the page holds for changes, too. The guest cannot change a booking that the owner made a series. */
function freedomOf(row: BookingRow, page: PublicPageRow, event: PlacedEvent | null, now: Date): Freedom {
  if (!event) return 'cancelled'
  if (event.endTime <= now) return 'over'
  const untilMs = event.startTime.getTime() - page.minNoticeMinutes * minuteMs
  const isOthers = event.recurrenceRule !== null || event.ownerStatus === 'decommissioned'
  if (isOthers || now.getTime() >= untilMs) return 'too_late'
  return page.isOpen && row.moves < maxMoves ? 'free' : 'only_cancel'
}

/** Removes what guests can no longer look at. Their events stay. */
export async function purgeBookings({ sql, clock }: App): Promise<void> {
  await deleteBookings(sql, new Date(clock.now().getTime() - shownForMs))
}

/** The calendar file of a booking that stands. */
export async function fileOfBooking(app: App, token: string): Promise<string> {
  const { row, page, start, end, freedom } = await requireBooking(app, token)
  if (freedom === 'cancelled') throw notFound('booking')
  const { title, description, details } = page
  const location = details.location ?? null
  const { conference } = details
  const stamp = app.clock.now()
  return bookingFile({ id: encodeId('evt', row.id), title, description, location, conference, start, end, stamp })
}

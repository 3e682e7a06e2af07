// The bookings of a page, for its owner. The event is the truth of times and status; without it the booking is cancelled.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { openMetadata } from '../events/bookingMetadata.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { holdsLike } from '../shapes/likeness.ts'
import { type List, listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { openGuest } from './guestDetails.ts'
import { requirePage } from './pages.ts'
import { bookingsOfPage, countOfBookings, type PageBookingRow } from './queries.ts'
import type { BookingListQuery, BookingRecord } from './schema.ts'

/** A search opens so many bookings, the latest: guests are sealed, so that no index finds them. */
const maxSearched = 10_000

export async function listBookings(
  app: App,
  actor: Actor,
  pageId: string,
  query: BookingListQuery,
): Promise<List<BookingRecord>> {
  const page = await requirePage(app, actor, pageId)
  if (query.query) return search(app, page, query, query.query)
  const [rows, [count]] = await Promise.all([
    bookingsOfPage(app.sql, page, query, query),
    countOfBookings(app.sql, page, query),
  ])
  return listPage(await mapInSlices(rows, (row) => presentBookingRow(app, row)), count?.total ?? 0, query)
}

type Page = Awaited<ReturnType<typeof requirePage>>

async function search(app: App, page: Page, query: BookingListQuery, part: string): Promise<List<BookingRecord>> {
  const rows = await bookingsOfPage(app.sql, page, query, { limit: maxSearched, offset: 0 })
  const found = (await mapInSlices(rows, (row) => presentBookingRow(app, row))).filter(({ name, email, guests }) =>
    [name, email, ...guests].some((text) => holdsLike(text, part)),
  )
  return listPage(found.slice(query.offset, query.offset + query.limit), found.length, query)
}

/** As the event has it, which its owner may have edited. */
type Booked = { notes?: unknown; answers?: unknown }

function presentBookingRow(app: App, row: PageBookingRow): BookingRecord {
  const guest = openGuest(app, row)
  const { metadata, bookingSealed } = row
  const { booking } = metadata ? openMetadata(app.sealer, { id: row.id, metadata, bookingSealed }) : {}
  const { notes, answers } = (booking ?? {}) as Booked
  return {
    event_id: encodeId('evt', row.id),
    start: isoTime(row.shownStart),
    end: isoTime(row.shownEnd),
    status: row.isCancelled ? 'cancelled' : 'confirmed',
    name: guest.name,
    email: guest.email,
    notes: typeof notes === 'string' ? notes : null,
    answers: Array.isArray(answers) ? (answers as BookingRecord['answers']) : [],
    guests: guest.others ?? [],
    created_at: isoTime(row.createdAt),
  }
}

import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { bookingFile } from '../feeds/bookingFile.ts'
import { encodeId } from '../shapes/ids.ts'
import { requireBooking } from './bookings.ts'

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

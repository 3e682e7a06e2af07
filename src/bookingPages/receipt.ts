// The receipt of a booking: a sealed text with the id and the times of the event. Its holder gets the calendar file. It cannot
// be guessed, says nothing about the guest, and is valid for its own page only.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { bookingFile } from '../feeds/bookingFile.ts'
import type { PublicId, Uuid } from '../shapes/ids.ts'
import type { Booked } from './book.ts'
import { requireOpenPage } from './pageForGuest.ts'

const receiptContext = (pageId: Uuid) => `booking_pages.receipt:${pageId}` as const

export const receiptOf = ({ sealer }: App, { page, eventId, start, end }: Booked): string =>
  sealer.seal(receiptContext(page.id), [eventId, start.getTime(), end.getTime()].join(' ')).toString('base64url')

/** Title and description are the current ones of the page. */
export async function calendarFile(app: App, slug: string, receipt: string): Promise<string> {
  const page = await requireOpenPage(app, slug)
  const [id, start, end] = openReceipt(app, page.id, receipt).split(' ')
  return bookingFile({
    id: id as PublicId<'evt'>,
    title: page.title,
    description: page.description,
    start: new Date(Number(start)),
    end: new Date(Number(end)),
    stamp: app.clock.now(),
  })
}

function openReceipt({ sealer }: App, pageId: Uuid, receipt: string): string {
  try {
    return sealer.unseal(receiptContext(pageId), Buffer.from(receipt, 'base64url'))
  } catch {
    throw notFound('booking')
  }
}

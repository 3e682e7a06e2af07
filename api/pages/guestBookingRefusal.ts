// Shows the guest of a booking why it was not changed.
import { requireBooking } from '../../src/bookingPages/bookings.ts'
import type { ServiceError } from '../../src/errors.ts'
import { asksForHtml } from '../http/accept.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer, RefusedCall } from '../http/route.ts'
import { guestAnswer } from './document.ts'
import { bookingOf } from './guestBooking.ts'
import { bookingView } from './guestBookingView.ts'
import { failedWith, noticeOf } from './notices.ts'
import { clockOf, langOf } from './refusal.ts'
import { readerOf } from './view.ts'

export async function showBookingRefusal(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined> {
  if (!asksForHtml(call.headers)) return undefined
  const reader = readerOf(call.headers, langOf(call))
  const { texts } = reader
  if (error.status === 409) {
    const shown = await bookingAgain(error, call)
    if (shown) return shown
  }
  const notice = error.status === 404 ? { title: texts.noBookingTitle, text: texts.noBooking } : noticeOf(error, reader)
  return guestAnswer(error.status, rootOf(call.app), failedWith(notice), reader)
}

/** The current booking and the problem: the slot is taken, or the booking itself says why it cannot change. */
async function bookingAgain(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined> {
  const { token } = call.params as { token: string }
  const found = await requireBooking(call.app, token).catch(() => undefined)
  if (!found) return undefined
  const view = bookingView(call.app, call.headers, found, { lang: langOf(call), clock: clockOf(call) })
  const notice = error.detail.param === 'start' ? view.texts.gone : undefined
  const main = bookingOf(view, found, { notice })
  return guestAnswer(error.status, rootOf(call.app), { title: view.texts.yourBooking, main }, view)
}

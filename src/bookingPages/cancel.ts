// A guest cancels a booking: its event is deleted. Cancelling a cancelled booking changes nothing.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { queueGuestMail } from '../bookings/mails.ts'
import { countOtherChange } from '../bookings/writes.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { byItself } from '../changeLog/origin.ts'
import { again } from '../commit/decide.ts'
import { conflict } from '../errors.ts'
import { writeRemoval } from '../events/remove.ts'
import { actorOf } from './actor.ts'
import { type Found, requireBooking } from './bookings.ts'
import { areMailed, isMailed } from './guestMail.ts'

export async function cancelBooking(app: App, request: RequestContext, token: string): Promise<Found> {
  const { page, guest, freedom } = await requireBooking(app, token)
  const mailed = freedom !== 'cancelled' && (await isMailed(app, page, request, guest.email))
  return onCalendar(app, page.calendarId, async () => {
    const found = await requireBooking(app, token)
    const { event, row, start, end } = found
    if (!event) return found
    requireTime(found)
    const now = app.clock.now()
    const actor = actorOf(found.page, request, now)
    const booking = countOtherChange(app.sql, row, { start, end })
    const mails = areMailed(found.page)
      ? queueGuestMail(app.sql, booking, 'cancelled', { isGuestMailed: mailed, now })
      : undefined
    const isWritten = await writeRemoval(app, actor, event, now, {
      origin: byItself(row.orgId, 'booking'),
      alone: { effects: [booking, mails] },
    })
    return isWritten ? { ...found, event: null, freedom: 'cancelled' } : again
  })
}

/** Throws if the guest can no longer change the booking. */
export function requireTime({ freedom }: Found): void {
  if (freedom !== 'too_late' && freedom !== 'over') return
  throw conflict('It is too late to change this booking here. Please contact the host.')
}

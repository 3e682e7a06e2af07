// The mails of bookings: each change of a booking writes its mails in its own statement. They have no address and no text: both
// are found when they are sent, so nothing that was erased until then is sent. Changes by the owner of the calendar write
// theirs here, too.
import type { Effect } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import { type BookingMail, insertBookingMails } from '../mails/bookingMails.ts'
import { isoTime } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { countEndOfCalendar, countOtherChange } from './writes.ts'

type Times = { start: Date; end: Date }
type Ids = { orgId: Uuid; id: Uuid }

/** `isGuestMailed`: whether the first guest gets the mail, which was counted; the others are counted when it is sent. */
export const queueGuestMail = (
  sql: Sql,
  booking: Step,
  happened: BookingMail['happened'],
  { isGuestMailed, before, now }: { isGuestMailed: boolean; before?: Times; now: Date },
): Effect =>
  insertBookingMails(
    sql,
    booking,
    { happened, by: 'guest', ...(before && { before: { start: isoTime(before.start), end: isoTime(before.end) } }) },
    { from: isGuestMailed ? 0 : 1, now },
  )

/** The owner moves an event, which may be a booking. No mail if the booking is over before and after the move. */
export function queueMovedMails(sql: Sql, event: Ids, before: Times, after: Times, now: Date): Effect[] {
  if (before.end <= now && after.end <= now) return []
  const booking = countOtherChange(sql, event, after)
  const was = { start: isoTime(before.start), end: isoTime(before.end) }
  return [booking, insertBookingMails(sql, booking, { happened: 'moved', by: 'owner', before: was }, { from: 0, now })]
}

/** The owner cancels or deletes an event, which may be a booking. */
export function queueCancelledMails(sql: Sql, event: Ids, times: Times, now: Date): Effect[] {
  if (times.end <= now) return []
  const booking = countOtherChange(sql, event, times)
  return [booking, insertBookingMails(sql, booking, { happened: 'cancelled', by: 'owner' }, { from: 0, now })]
}

/** The owner removes a calendar, and with it its bookings. */
export function queueEndOfCalendarMails(sql: Sql, calendar: Ids, now: Date): Effect[] {
  const bookings = countEndOfCalendar(sql, calendar, now)
  return [bookings, insertBookingMails(sql, bookings, { happened: 'cancelled', by: 'owner' }, { from: 0, now })]
}

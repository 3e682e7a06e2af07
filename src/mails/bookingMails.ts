// Mails to the guests of bookings: rows that say what happened, without an address and a text.
import { type Effect, ringing } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'
import { mailsRing } from './ring.ts'

/** The content of such a mail. Datetimes are texts. */
export type BookingMail = {
  booking: Uuid
  happened: 'confirmed' | 'moved' | 'cancelled'
  by: 'guest' | 'owner'
  /** Which guest it goes to: 0 is the one who booked. */
  to: number
  sequence: number
  start: string
  end: string
  /** Where it was moved from. */
  before?: { start: string; end: string }
  /** Whether the limits of its recipient have counted it: it is sent again after a failure. */
  isCounted?: true
  /** It waits because its organization is stopped. */
  isHeld?: true
}

/** The mails of one change share the beginning of an identifier, so that those of the next change come after them. */
const sharedLength = 'xxxxxxxx-xxxx-7xxx'.length

/** A mail to each guest of the bookings that were changed, the first `from` of them left out. */
export const insertBookingMails = (
  sql: Sql,
  bookings: Step,
  about: Pick<BookingMail, 'happened' | 'by' | 'before'>,
  { from, now }: { from: number; now: Date },
): Effect =>
  ringing(
    mailsRing,
    sql`
    insert into mails (org_id, id, kind, about, next_attempt_at, created_at)
    select
      b.org_id, (${newId().slice(0, sharedLength)}::text || substr(gen_random_uuid()::text, ${sharedLength + 1}))::uuid, ${`booking_${about.happened}`}::text,
      ${json(sql, about)} || jsonb_build_object(
        'booking', b.id, 'to', nth, 'sequence', b.sequence, 'start', b.start_time, 'end', b.end_time),
      ${now}::timestamptz, ${now}::timestamptz
    from ${bookings} b, generate_series(${from}::integer, b.others) nth
    returning org_id, id, next_attempt_at`,
  )

// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Booking, BookingSlots } from './schemas.ts'

export type ListBookingSlotsOptions = ReadOptions & {
  /** Leave out slots that start earlier. */
  from?: Moment
  /** Leave out slots that end later. */
  to?: Moment
  /** Adds `blocked` and `empty_reason`. */
  explain?: boolean
}

export type GetBookingFileOptions = ReadOptions

export type BookSlotBody = {
  name: string
  email: string
  notes?: string
  /** Answers to the page's questions, by their names. */
  answers?: Record<string, string>
  /** Addresses of further guests, if the page allows them: a list, or a text with commas. Each gets an invitation. */
  guests?: string[] | string
  /** The start of a free slot. */
  start: Moment
  /** The zone in which the confirmation page shows the time. */
  zone?: string
  /** The language of the confirmation page and of mails. */
  lang?: "en" | "de" | "es" | "fr" | "ar"
  /** The 12-hour or the 24-hour clock. */
  clock?: "12" | "24"
  /** A random text. A request that repeats it gets the same booking instead of a conflict. */
  attempt?: string
  /** Leave it empty; robots fill it in. */
  website?: string
}

export type BookSlotOptions = ReadOptions & {
  /** The refusal of a slot that is taken offers other ones. */
  explain?: boolean
}

export class BookingsGroup extends Group {
  /**
   * The free slots of a booking page.
   *
   * Earliest first, from now plus the page's notice until `window_days` from now; `from` and `to` narrow it. An answer holds at most 2,000; if later ones may be free, `next_from` is the `from` of the next answer. Every slot is free at this moment. Pass its `start` to `POST /book/{slug}`, which checks it again. A page that is switched off is `not_found`. `explain=true` says why other times are not free, without saying what is there.
   *
   * `GET /book/{slug}/slots`
   */
  listSlots(slug: string, options?: ListBookingSlotsOptions): Call<BookingSlots> {
    return this.send(operations.listBookingSlots, { slug }, undefined, options)
  }

  /**
   * A booking as a calendar file.
   *
   * The confirmation page links to it; it works as long as the booking page does. It holds the event and its times, and nothing about the guest.
   *
   * `GET /book/{slug}/bookings/{receipt}.ics`
   */
  getFile(slug: string, receipt: string, options?: GetBookingFileOptions): Call<string> {
    return this.send(operations.getBookingFile, { slug, receipt }, undefined, options)
  }

  /**
   * Book a slot.
   *
   * Send JSON or an HTML form; the answer is a page if `Accept` prefers HTML. `start` must be the start of a free slot: a slot that is taken is `conflict`, one outside the page's hours, notice or window is `validation_error`. If the month's events are used up, the status is 503. Each of `guests` gets an invitation, within limits a day, if the page has `additional_guests`.
   *
   * `POST /book/{slug}`
   */
  create(slug: string, body: BookSlotBody, options?: BookSlotOptions): Call<Booking> {
    return this.send(operations.bookSlot, { slug }, body, options)
  }
}

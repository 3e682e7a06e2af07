// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { BookingPage, DayHours, DryRun, GuestBooking, PageBooking } from './schemas.ts'

export type CreateBookingPageBody = {
  calendar_id: string
  title: string
  description?: string
  duration_minutes?: number
  /** Minutes kept free on each side of an event, on top of the buffers of the calendar. */
  buffer_minutes?: number
  /** How many days ahead guests can book. */
  window_days?: number
  /** Guests must book at least this many minutes before the start. */
  min_notice_minutes?: number
  /** The zone of the hours and of the days. */
  timezone?: string
  /** Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time. */
  availability_constraints?: {
    mon?: DayHours | ({
      start: string
      end: string
    })[]
    tue?: DayHours | ({
      start: string
      end: string
    })[]
    wed?: DayHours | ({
      start: string
      end: string
    })[]
    thu?: DayHours | ({
      start: string
      end: string
    })[]
    fri?: DayHours | ({
      start: string
      end: string
    })[]
    sat?: DayHours | ({
      start: string
      end: string
    })[]
    sun?: DayHours | ({
      start: string
      end: string
    })[]
  } | null
  active?: boolean
  /** The person whom guests meet. The page shows it above the title. */
  host_name?: string
  /** The organization of the host. */
  host_organization?: string
  /** Where it takes place: an address, a phone number, or a link to a call. */
  location?: string
  /** A privacy policy for the data that guests enter. The form links to it. */
  privacy_url?: string
  /** A readable address in addition to the secret one, unique in the installation. It can be guessed. */
  vanity_slug?: string
  /** Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may. */
  allowed_origins?: string[]
  /** Questions to guests besides their name and address. */
  questions?: ({
    /** Names the answer; unique on the page. */
    name: string
    /** The question as guests read it. */
    label: string
    kind?: "text" | "long_text" | "choice"
    required?: boolean
    /** The possible answers; only for the kind `choice`. */
    options?: string[]
  })[]
  /** An image above the title, and in previews of links. Browsers of guests load it from there. */
  logo_url?: string
  /** The colour of buttons and links. It is made darker or lighter if text on it would be hard to read. */
  theme_color?: string
  /** Minutes from the start of one slot to the next. Without it slots follow each other. */
  slot_interval_minutes?: number
  /** How many further guests may be invited with a booking, each by a mail. */
  additional_guests?: number
  /** How guests reach the host if no time is free: an address, a phone number or a link. */
  contact?: string
  /** Whether guests get mails about their bookings. Records have this field only if it is false. */
  guest_mails?: boolean
  /** The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true. */
  details_on_event?: boolean
}

export type CreateBookingPageOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListBookingPagesOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export type PreviewBookingPageBody = {
  calendar_id: string
  title: string
  description?: string
  duration_minutes?: number
  /** Minutes kept free on each side of an event, on top of the buffers of the calendar. */
  buffer_minutes?: number
  /** How many days ahead guests can book. */
  window_days?: number
  /** Guests must book at least this many minutes before the start. */
  min_notice_minutes?: number
  /** The zone of the hours and of the days. */
  timezone?: string
  /** Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time. */
  availability_constraints?: {
    mon?: DayHours | ({
      start: string
      end: string
    })[]
    tue?: DayHours | ({
      start: string
      end: string
    })[]
    wed?: DayHours | ({
      start: string
      end: string
    })[]
    thu?: DayHours | ({
      start: string
      end: string
    })[]
    fri?: DayHours | ({
      start: string
      end: string
    })[]
    sat?: DayHours | ({
      start: string
      end: string
    })[]
    sun?: DayHours | ({
      start: string
      end: string
    })[]
  } | null
  active?: boolean
  /** The person whom guests meet. The page shows it above the title. */
  host_name?: string
  /** The organization of the host. */
  host_organization?: string
  /** Where it takes place: an address, a phone number, or a link to a call. */
  location?: string
  /** A privacy policy for the data that guests enter. The form links to it. */
  privacy_url?: string
  /** A readable address in addition to the secret one, unique in the installation. It can be guessed. */
  vanity_slug?: string
  /** Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may. */
  allowed_origins?: string[]
  /** Questions to guests besides their name and address. */
  questions?: ({
    /** Names the answer; unique on the page. */
    name: string
    /** The question as guests read it. */
    label: string
    kind?: "text" | "long_text" | "choice"
    required?: boolean
    /** The possible answers; only for the kind `choice`. */
    options?: string[]
  })[]
  /** An image above the title, and in previews of links. Browsers of guests load it from there. */
  logo_url?: string
  /** The colour of buttons and links. It is made darker or lighter if text on it would be hard to read. */
  theme_color?: string
  /** Minutes from the start of one slot to the next. Without it slots follow each other. */
  slot_interval_minutes?: number
  /** How many further guests may be invited with a booking, each by a mail. */
  additional_guests?: number
  /** How guests reach the host if no time is free: an address, a phone number or a link. */
  contact?: string
  /** Whether guests get mails about their bookings. Records have this field only if it is false. */
  guest_mails?: boolean
  /** The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`. */
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  }
  /** Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true. */
  details_on_event?: boolean
}

export type PreviewBookingPageOptions = ReadOptions

export type GetBookingPageOptions = ReadOptions & {
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type UpdateBookingPageBody = {
  title?: string
  /** null clears */
  description?: string | null
  duration_minutes?: number
  /** Minutes kept free on each side of an event, on top of the buffers of the calendar. */
  buffer_minutes?: number
  /** How many days ahead guests can book. */
  window_days?: number
  /** Guests must book at least this many minutes before the start. */
  min_notice_minutes?: number
  /** The zone of the hours and of the days. */
  timezone?: string
  /** Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time. */
  availability_constraints?: {
    mon?: DayHours | ({
      start: string
      end: string
    })[]
    tue?: DayHours | ({
      start: string
      end: string
    })[]
    wed?: DayHours | ({
      start: string
      end: string
    })[]
    thu?: DayHours | ({
      start: string
      end: string
    })[]
    fri?: DayHours | ({
      start: string
      end: string
    })[]
    sat?: DayHours | ({
      start: string
      end: string
    })[]
    sun?: DayHours | ({
      start: string
      end: string
    })[]
  } | null
  active?: boolean
  host_name?: string | null
  host_organization?: string | null
  location?: string | null
  privacy_url?: string | null
  vanity_slug?: string | null
  allowed_origins?: string[] | null
  questions?: ({
    /** Names the answer; unique on the page. */
    name: string
    /** The question as guests read it. */
    label: string
    kind?: "text" | "long_text" | "choice"
    required?: boolean
    /** The possible answers; only for the kind `choice`. */
    options?: string[]
  })[] | null
  logo_url?: string | null
  theme_color?: string | null
  slot_interval_minutes?: number | null
  additional_guests?: number | null
  contact?: string | null
  /** Whether guests get mails about their bookings. Records have this field only if it is false. */
  guest_mails?: boolean
  conference?: {
    url: string
    provider?: string
    pin?: string
    phone?: string
  } | null
  /** Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true. */
  details_on_event?: boolean
}

export type UpdateBookingPageOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type DeleteBookingPageOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type ListPageBookingsOptions = ReadOptions & {
  limit?: number
  offset?: number
  /** First start that is listed. */
  from?: Moment
  /** First start that is not listed any more. */
  to?: Moment
  /** A part of the name or address of a guest. */
  query?: string
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type ShowBookingPageOptions = ReadOptions & {
  /** Shows the form that books the slot with this start. */
  slot?: Moment
  /** The time zone in which times are shown, or its city. */
  zone?: string
  /** The language of the page. Without it `Accept-Language` decides. */
  lang?: "en" | "de" | "es" | "fr" | "ar"
  clock?: "12" | "24"
  month?: string
  day?: string
}

export type GetGuestBookingFileOptions = ReadOptions

export type GetGuestBookingOptions = ReadOptions & {
  /** Shows the question before a cancellation, or the times that the booking can be moved to. */
  do?: "cancel" | "reschedule"
  /** Shows the question before a move to this start. */
  slot?: Moment
  zone?: string
  lang?: "en" | "de" | "es" | "fr" | "ar"
  clock?: "12" | "24"
  month?: string
  day?: string
}

export type CancelGuestBookingBody = {
  /** The zone in which the page shows times. */
  zone?: string
  /** The language of the page. */
  lang?: "en" | "de" | "es" | "fr" | "ar"
  /** The 12-hour or the 24-hour clock. */
  clock?: "12" | "24"
}

export type CancelGuestBookingOptions = ReadOptions

export type RescheduleGuestBookingBody = {
  /** The start of a free slot. */
  start: Moment
  /** The zone in which the page shows times. */
  zone?: string
  /** The language of the page. */
  lang?: "en" | "de" | "es" | "fr" | "ar"
  /** The 12-hour or the 24-hour clock. */
  clock?: "12" | "24"
}

export type RescheduleGuestBookingOptions = ReadOptions & {
  /** The refusal of a slot that is taken offers other ones. */
  explain?: boolean
}

export class BookingPagesGroup extends Group {
  /**
   * Create a booking page.
   *
   * Guests book at `booking_url`, without a key. Each booking creates a confirmed event and uses one of the month's events. Slots start at multiples of `slot_interval_minutes`, or else `duration_minutes`, after the day's opening (midnight in `timezone` without `availability_constraints`). A slot is offered if the calendar, its rules and the page's own buffer leave it free.
   *
   * `POST /v1/booking-pages`
   */
  create(body: CreateBookingPageBody, options: CreateBookingPageOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateBookingPageBody, options?: CreateBookingPageOptions): Call<BookingPage>
  create(body: CreateBookingPageBody, options?: CreateBookingPageOptions): Call<any> {
    return this.send(operations.createBookingPage, {}, body, options)
  }

  /**
   * List booking pages.
   *
   * Newest first, inactive ones included. An agent key sees the pages of its agent's calendars.
   *
   * `GET /v1/booking-pages`
   */
  list(options?: ListBookingPagesOptions): PagedCall<BookingPage, {
    data: BookingPage[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listBookingPages, {}, undefined, options)
  }

  /**
   * Show a booking page before it exists.
   *
   * HTML as a guest would see it, for a frame of our own pages. Nothing in it can be pressed. It stores nothing, costs what a read costs, and is refused for what is wrong with the page as its creation is.
   *
   * `POST /v1/booking-pages/preview`
   */
  preview(body: PreviewBookingPageBody, options?: PreviewBookingPageOptions): Call<string> {
    return this.send(operations.previewBookingPage, {}, body, options)
  }

  /**
   * Read a booking page.
   *
   * `active` is false while the page is switched off, and for good once its calendar is deleted. `bookings_count` counts every booking ever made, cancelled ones included.
   *
   * `GET /v1/booking-pages/{id}`
   */
  get(id: string, options: GetBookingPageOptions & { ifNoneMatch: string }): Call<BookingPage | undefined>
  get(id: string, options?: GetBookingPageOptions): Call<BookingPage>
  get(id: string, options?: GetBookingPageOptions): Call<any> {
    return this.send(operations.getBookingPage, { id }, undefined, options)
  }

  /**
   * Change a booking page.
   *
   * Fields that are left out stay. A null `description` clears it; a null `availability_constraints` opens every hour. The calendar and the secret address cannot change. Existing bookings are not affected.
   *
   * `PATCH /v1/booking-pages/{id}`
   */
  update(id: string, body: UpdateBookingPageBody, options: UpdateBookingPageOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateBookingPageBody, options?: UpdateBookingPageOptions): Call<BookingPage>
  update(id: string, body: UpdateBookingPageBody, options?: UpdateBookingPageOptions): Call<any> {
    return this.send(operations.updateBookingPage, { id }, body, options)
  }

  /**
   * Remove a booking page.
   *
   * Its address stops working at once; existing bookings stay.
   *
   * `DELETE /v1/booking-pages/{id}`
   */
  delete(id: string, options: DeleteBookingPageOptions & { dry_run: true }): Call<DryRun>
  delete(id: string, options?: DeleteBookingPageOptions): Call<void>
  delete(id: string, options?: DeleteBookingPageOptions): Call<any> {
    return this.send(operations.deleteBookingPage, { id }, undefined, options)
  }

  /**
   * List the bookings of a page.
   *
   * The latest start first, cancelled ones included, until 30 days after their end; the times are those of the event now. `query` searches the names and addresses of guests, in the latest 10,000 bookings.
   *
   * `GET /v1/booking-pages/{id}/bookings`
   */
  listPageBookings(id: string, options?: ListPageBookingsOptions): PagedCall<PageBooking, {
    data: PageBooking[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listPageBookings, { id }, undefined, options)
  }

  /**
   * The page where a guest chooses a slot.
   *
   * HTML for people. With `slot`, the form that books that slot. A slot that is no longer free leads back to the free times, with status 200.
   *
   * `GET /book/{slug}`
   */
  show(slug: string, options?: ShowBookingPageOptions): Call<string> {
    return this.send(operations.showBookingPage, { slug }, undefined, options)
  }

  /**
   * The calendar file of a booking.
   *
   * As the booking is now. It says nothing about the guest.
   *
   * `GET /booking/{token}/booking.ics`
   */
  getGuestBookingFile(token: string, options?: GetGuestBookingFileOptions): Call<string> {
    return this.send(operations.getGuestBookingFile, { token }, undefined, options)
  }

  /**
   * A booking, for its guest.
   *
   * The confirmation links to it, and so does each mail. HTML if `Accept` prefers it. Guests can cancel and move until the page's notice before the start. The page exists until 30 days after the end.
   *
   * `GET /booking/{token}`
   */
  getGuestBooking(token: string, options?: GetGuestBookingOptions): Call<GuestBooking> {
    return this.send(operations.getGuestBooking, { token }, undefined, options)
  }

  /**
   * Cancel a booking as its guest.
   *
   * Deletes the event: `event.deleted`, cause `booking`. Cancelling a cancelled booking changes nothing. After the page's notice it is `conflict`.
   *
   * `POST /booking/{token}/cancel`
   */
  cancelGuestBooking(token: string, body: CancelGuestBookingBody, options?: CancelGuestBookingOptions): Call<GuestBooking> {
    return this.send(operations.cancelGuestBooking, { token }, body, options)
  }

  /**
   * Move a booking as its guest.
   *
   * Moves the event to the free slot with this start: `event.updated`, cause `booking`. Moving it to its current start changes nothing. A taken slot, a cancelled booking, an eleventh move and a move after the page's notice are `conflict`. With `explain=true` the refusal of a taken slot offers other ones.
   *
   * `POST /booking/{token}/reschedule`
   */
  rescheduleGuestBooking(token: string, body: RescheduleGuestBookingBody, options?: RescheduleGuestBookingOptions): Call<GuestBooking> {
    return this.send(operations.rescheduleGuestBooking, { token }, body, options)
  }
}

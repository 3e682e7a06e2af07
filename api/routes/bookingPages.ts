// The public routes of booking pages: JSON for programs, HTML for guests. The slug is the credential.

import { z } from 'zod'
import { book } from '../../src/bookingPages/book.ts'
import { isFree } from '../../src/bookingPages/freeStarts.ts'
import { bookingAddress } from '../../src/bookingPages/guestMail.ts'
import { filled } from '../../src/bookingPages/languages/languages.ts'
import { getSlots, offerOf, requireOpenPage } from '../../src/bookingPages/pageForGuest.ts'
import { calendarFile, receiptOf } from '../../src/bookingPages/receipt.ts'
import {
  bookBody,
  bookedRecord,
  bookQuery,
  clock,
  language,
  slotsQuery,
  slotsRecord,
} from '../../src/bookingPages/schema.ts'
import { forbidden } from '../../src/errors.ts'
import { datetime } from '../../src/localtime/fields.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { asksForHtml, isForeign } from '../http/accept.ts'
import { anyQuery } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { rootOf } from '../http/root.ts'
import { Answer, route } from '../http/route.ts'
import { guarded, guardedHeaders, guestAnswer, pageHeaders } from '../pages/document.ts'
import { formOf } from '../pages/form.ts'
import type { Html } from '../pages/html.ts'
import { bookedOf } from '../pages/notices.ts'
import { pickerOf } from '../pages/picker.ts'
import { showRefusal } from '../pages/refusal.ts'
import { viewOf } from '../pages/view.ts'
import { zoneMeant } from '../pages/zones.ts'
import { answerFile, bookingFile, reads, writes } from './bookingParts.ts'

const common = { tag: 'Booking pages', access: 'public' } as const
const slugPath = z.object({ slug: z.string().meta({ example: 'k3v9q2m7x5d8' }) })

/** An invalid zone or month is ignored, as are unknown parameters; an invalid slot is refused. */
const guestQuery = z.looseObject({
  slot: datetime.optional().meta({ description: 'Shows the form that books the slot with this start.' }),
  zone: z
    .string()
    .max(64)
    .optional()
    .catch(undefined)
    .meta({ description: 'The time zone in which times are shown, or its city.', example: 'Europe/Berlin' }),
  lang: language
    .optional()
    .catch(undefined)
    .meta({ description: 'The language of the page. Without it `Accept-Language` decides.', example: 'de' }),
  clock: clock.optional().catch(undefined),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined)
    .meta({ example: '2026-12' }),
  day: z.iso.date().optional().catch(undefined).meta({ example: '2026-12-01' }),
})

export const guestRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/book/:slug/slots',
    operationId: 'listBookingSlots',
    summary: 'The free slots of a booking page',
    description: prose(
      "Earliest first, from now plus the page's notice until `window_days` from now; `from` and `to` narrow it.",
      'An answer holds at most 2,000; if later ones may be free, `next_from` is the `from` of the next answer.',
      'Every slot is free at this moment. Pass its `start` to `POST /book/{slug}`, which checks it again.',
      'A page that is switched off is `not_found`.',
      '`explain=true` says why other times are not free, without saying what is there.',
    ),
    perAddress: reads,
    params: slugPath,
    query: slotsQuery,
    success: { status: 200, schema: slotsRecord, headers: guarded },
    errors: ['validation_error', 'not_found'],
    run: async ({ app, params, query }) => new Answer(200, await getSlots(app, params.slug, query), guardedHeaders),
  }),
  route({
    ...common,
    method: 'get',
    path: '/book/:slug/bookings/:receipt.ics',
    operationId: 'getBookingFile',
    summary: 'A booking as a calendar file',
    description: prose(
      'The confirmation page links to it; it works as long as the booking page does.',
      'It holds the event and its times, and nothing about the guest.',
    ),
    perAddress: reads,
    params: slugPath.extend({ receipt: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6' }) }),
    query: anyQuery,
    success: bookingFile,
    errors: ['not_found'],
    run: async ({ app, params }) => answerFile(await calendarFile(app, params.slug, params.receipt)),
    showError: showRefusal,
  }),
  route({
    ...common,
    method: 'get',
    path: '/book/:slug',
    operationId: 'showBookingPage',
    summary: 'The page where a guest chooses a slot',
    description: prose(
      'HTML for people. With `slot`, the form that books that slot.',
      'A slot that is no longer free leads back to the free times, with status 200.',
    ),
    perAddress: reads,
    params: slugPath,
    query: guestQuery,
    success: { status: 200, schema: z.string(), contentType: 'text/html', headers: pageHeaders },
    errors: ['validation_error', 'not_found'],
    async run({ app, headers, params, query }) {
      const page = await requireOpenPage(app, params.slug)
      const now = app.clock.now()
      const view = viewOf(app, headers, page, {
        zone: zoneMeant(query.zone ?? ''),
        lang: query.lang,
        clock: query.clock,
      })
      const answer = (title: string, main: Html) => guestAnswer(200, rootOf(app), { title, main }, view, page)
      const { free, isKnown } = await offerOf(app, page, now)
      const slotMs = query.slot?.getTime()
      if (slotMs !== undefined && isFree(free, slotMs)) {
        return answer(filled(view.texts.titleBook, { title: page.title }), formOf(view, slotMs, { typed: {} }))
      }
      const notice = slotMs === undefined ? undefined : view.texts.gone
      return answer(page.title, pickerOf(view, free, query, isKnown ? notice : view.texts.notKnown))
    },
    showError: showRefusal,
  }),
  route({
    ...common,
    method: 'post',
    path: '/book/:slug',
    operationId: 'bookSlot',
    summary: 'Book a slot',
    description: prose(
      'Send JSON or an HTML form; the answer is a page if `Accept` prefers HTML.',
      '`start` must be the start of a free slot: a slot that is taken is `conflict`,',
      "one outside the page's hours, notice or window is `validation_error`.",
      "If the month's events are used up, the status is 503.",
      'Each of `guests` gets an invitation, within limits a day, if the page has `additional_guests`.',
    ),
    perAddress: writes,
    params: slugPath,
    query: bookQuery,
    body: bookBody,
    form: true,
    success: { status: 201, schema: bookedRecord, headers: guarded },
    also: [{ status: 201, schema: z.string(), contentType: 'text/html' }],
    errors: [
      'validation_error',
      'forbidden',
      'not_found',
      'conflict',
      { type: 'quota_exceeded', status: 503 },
      'availability_incomplete',
    ],
    async run({ app, headers, request, params, query, body }) {
      if (isForeign(headers, app.config.baseUrl)) throw forbidden('Bookings from the pages of other sites are refused.')
      const booked = await book(app, request, params.slug, body, {
        explain: query.explain,
        acceptLanguage: headers['accept-language'],
      })
      if (asksForHtml(headers)) {
        const view = viewOf(app, headers, booked.page, body)
        const file = `${view.path}/bookings/${receiptOf(app, booked)}.ics`
        const address = bookingAddress(rootOf(app), booked.token)
        const main = bookedOf(view, booked.start.getTime(), body, {
          file,
          address,
          isMailed: booked.isMailed,
          invited: booked.invited,
          end: booked.end,
        })
        const title = filled(view.texts.titleBooked, { title: booked.page.title })
        return guestAnswer(201, rootOf(app), { title, main }, view, booked.page)
      }
      const record = {
        booking_page_id: encodeId('bkp', booked.page.id),
        event: { id: booked.eventId, status: 'confirmed' },
      }
      return new Answer(201, record, guardedHeaders)
    },
    showError: showRefusal,
  }),
]

// The page of one booking, for the guest who made it. Its address is the credential. Opening it changes nothing, because mail
// scanners open addresses, too.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { App } from '../../src/app.ts'
import { type Found, fileOfBooking, requireBooking } from '../../src/bookingPages/bookings.ts'
import { cancelBooking } from '../../src/bookingPages/cancel.ts'
import { isFree } from '../../src/bookingPages/freeStarts.ts'
import { offerOf } from '../../src/bookingPages/pageForGuest.ts'
import { presentBooking } from '../../src/bookingPages/presentBooking.ts'
import { reschedule } from '../../src/bookingPages/reschedule.ts'
import {
  bookQuery,
  clock,
  guestBookingBody,
  guestBookingRecord,
  language,
  rescheduleBody,
} from '../../src/bookingPages/schema.ts'
import { forbidden } from '../../src/errors.ts'
import { datetime } from '../../src/localtime/fields.ts'
import { asksForHtml, isForeign } from '../http/accept.ts'
import { anyQuery } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { rootOf } from '../http/root.ts'
import { Answer, route } from '../http/route.ts'
import { guarded, guardedHeaders, guestAnswer } from '../pages/document.ts'
import { bookingOf, cancelAskOf, moveAskOf, moveHeadOf } from '../pages/guestBooking.ts'
import { showBookingRefusal } from '../pages/guestBookingRefusal.ts'
import { bookingView } from '../pages/guestBookingView.ts'
import { pickerOf } from '../pages/picker.ts'
import type { ViewOptions } from '../pages/view.ts'
import { zoneMeant } from '../pages/zones.ts'
import { answerFile, bookingFile, reads, writes } from './bookingParts.ts'

const common = { tag: 'Booking pages', access: 'public' } as const
const path = '/booking/:token'
const tokenPath = z.object({ token: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6' }) })

/** Invalid parameters are ignored. */
const bookingQuery = z.looseObject({
  do: z
    .enum(['cancel', 'reschedule'])
    .optional()
    .catch(undefined)
    .meta({ description: 'Shows the question before a cancellation, or the times that the booking can be moved to.' }),
  slot: datetime.optional().catch(undefined).meta({ description: 'Shows the question before a move to this start.' }),
  zone: z.string().max(64).optional().catch(undefined).meta({ example: 'Europe/Berlin' }),
  lang: language.optional().catch(undefined),
  clock: clock.optional().catch(undefined),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined)
    .meta({ example: '2026-12' }),
  day: z.iso.date().optional().catch(undefined).meta({ example: '2026-12-01' }),
})

const asHtml = [{ status: 200, schema: z.string(), contentType: 'text/html' }]

/** The page of a changed booking to a browser, JSON to other clients. */
function changed(
  app: App,
  headers: IncomingHttpHeaders,
  found: Found,
  asked: ViewOptions,
  heading: 'moved' | 'cancelled',
) {
  if (!asksForHtml(headers)) return new Answer(200, presentBooking(found), guardedHeaders)
  const view = bookingView(app, headers, found, asked)
  const title = view.texts[heading]
  return guestAnswer(
    200,
    rootOf(app),
    { title, main: bookingOf(view, found, { heading: title }) },
    view,
    undefined,
    colorOf(found),
  )
}

const colorOf = ({ page }: Found) => page.details.theme_color

const refuseForeign = (app: App, headers: IncomingHttpHeaders): void => {
  if (isForeign(headers, app.config.baseUrl)) throw forbidden('Changes from the pages of other sites are refused.')
}

export const guestBookingRoutes = [
  route({
    ...common,
    method: 'get',
    path: `${path}/booking.ics`,
    operationId: 'getGuestBookingFile',
    summary: 'The calendar file of a booking',
    description: 'As the booking is now. It says nothing about the guest.',
    perAddress: reads,
    params: tokenPath,
    query: anyQuery,
    success: bookingFile,
    errors: ['not_found'],
    run: async ({ app, params }) => answerFile(await fileOfBooking(app, params.token)),
    showError: showBookingRefusal,
  }),
  route({
    ...common,
    method: 'get',
    path,
    operationId: 'getGuestBooking',
    summary: 'A booking, for its guest',
    description: prose(
      'The confirmation links to it, and so does each mail. HTML if `Accept` prefers it.',
      "Guests can cancel and move until the page's notice before the start. The page exists until 30 days after the end.",
    ),
    perAddress: reads,
    params: tokenPath,
    query: bookingQuery,
    success: { status: 200, schema: guestBookingRecord, headers: guarded },
    also: asHtml,
    errors: ['not_found'],
    async run({ app, headers, params, query }) {
      const found = await requireBooking(app, params.token)
      if (!asksForHtml(headers)) return new Answer(200, presentBooking(found), guardedHeaders)
      const zone = zoneMeant(query.zone ?? '')
      const view = bookingView(app, headers, found, { zone, lang: query.lang, clock: query.clock })
      const { texts } = view
      const show = (title: string, main: ReturnType<typeof bookingOf>) =>
        guestAnswer(200, rootOf(app), { title, main }, view, undefined, colorOf(found))
      const { freedom } = found
      if (query.do === 'cancel' && (freedom === 'free' || freedom === 'only_cancel')) {
        return show(texts.cancelAsk, cancelAskOf(view, found))
      }
      if (freedom !== 'free' || (query.do !== 'reschedule' && !query.slot)) {
        return show(texts.yourBooking, bookingOf(view, found))
      }
      const { free, isKnown } = await offerOf(app, found.page, view.now, {}, { eventId: found.row.id })
      const isOffered = query.slot !== undefined && isFree(free, query.slot.getTime())
      if (query.slot && isOffered) return show(texts.rescheduleAsk, moveAskOf(view, found, query.slot.getTime()))
      const notice = isKnown ? query.slot && texts.gone : texts.notKnown
      const moving = bookingView(
        app,
        headers,
        found,
        { zone, lang: query.lang, clock: query.clock },
        { do: 'reschedule' },
      )
      return show(texts.chooseNewTime, pickerOf(moving, free, query, notice, moveHeadOf(view, found)))
    },
    showError: showBookingRefusal,
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/cancel`,
    operationId: 'cancelGuestBooking',
    summary: 'Cancel a booking as its guest',
    description: prose(
      'Deletes the event: `event.deleted`, cause `booking`. Cancelling a cancelled booking changes nothing.',
      "After the page's notice it is `conflict`.",
    ),
    perAddress: writes,
    params: tokenPath,
    query: anyQuery,
    body: guestBookingBody,
    form: true,
    success: { status: 200, schema: guestBookingRecord, headers: guarded },
    also: asHtml,
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict'],
    async run({ app, headers, request, params, body }) {
      refuseForeign(app, headers)
      return changed(app, headers, await cancelBooking(app, request, params.token), body, 'cancelled')
    },
    showError: showBookingRefusal,
  }),
  route({
    ...common,
    method: 'post',
    path: `${path}/reschedule`,
    operationId: 'rescheduleGuestBooking',
    summary: 'Move a booking as its guest',
    description: prose(
      'Moves the event to the free slot with this start: `event.updated`, cause `booking`.',
      'Moving it to its current start changes nothing. A taken slot, a cancelled booking, an eleventh move',
      "and a move after the page's notice are `conflict`.",
      'With `explain=true` the refusal of a taken slot offers other ones.',
    ),
    perAddress: writes,
    params: tokenPath,
    query: bookQuery,
    body: rescheduleBody,
    form: true,
    success: { status: 200, schema: guestBookingRecord, headers: guarded },
    also: asHtml,
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'availability_incomplete'],
    async run({ app, headers, request, params, query: { explain }, body }) {
      refuseForeign(app, headers)
      return changed(
        app,
        headers,
        await reschedule(app, request, params.token, { start: body.start, explain }),
        body,
        'moved',
      )
    },
    showError: showBookingRefusal,
  }),
]

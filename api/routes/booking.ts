import { z } from 'zod'
import { listBookings } from '../../src/bookingPages/pageBookings.ts'
import { offerOf } from '../../src/bookingPages/pageForGuest.ts'
import { createPage, getPage, listPages, previewPage, removePage, updatePage } from '../../src/bookingPages/pages.ts'
import {
  bookingListQuery,
  bookingRecord,
  createPageBody,
  pageRecord,
  updatePageBody,
} from '../../src/bookingPages/schema.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { rootOf } from '../http/root.ts'
import { route } from '../http/route.ts'
import { pageHeaders, previewAnswer } from '../pages/document.ts'
import { pickerOf } from '../pages/picker.ts'
import { viewOf } from '../pages/view.ts'

const common = { tag: 'Booking pages', access: 'key' } as const
const base = '/v1/booking-pages'
const path = `${base}/:id`

export const bookingRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    operationId: 'createBookingPage',
    summary: 'Create a booking page',
    description: prose(
      'Guests book at `booking_url`, without a key.',
      "Each booking creates a confirmed event and uses one of the month's events.",
      "Slots start at multiples of `slot_interval_minutes`, or else `duration_minutes`, after the day's opening",
      '(midnight in `timezone` without `availability_constraints`).',
      "A slot is offered if the calendar, its rules and the page's own buffer leave it free.",
    ),
    body: createPageBody,
    tagged: true,
    success: { status: 201, schema: pageRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createPage(app, actor, body),
  }),
  route({
    ...common,
    method: 'post',
    path: `${base}/preview`,
    operationId: 'previewBookingPage',
    summary: 'Show a booking page before it exists',
    description: prose(
      'HTML as a guest would see it, for a frame of our own pages. Nothing in it can be pressed.',
      'It stores nothing, costs what a read costs, and is refused for what is wrong with the page as its creation is.',
    ),
    reads: true,
    body: createPageBody,
    success: { status: 200, schema: z.string(), contentType: 'text/html', headers: pageHeaders },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'agent_decommissioned'],
    async run({ app, actor, headers, body }) {
      const page = await previewPage(app, actor, body)
      const view = viewOf(app, headers, page, {}, '#')
      const { free, isKnown } = await offerOf(app, page, app.clock.now())
      const main = pickerOf(view, free, {}, isKnown ? undefined : view.texts.notKnown)
      return previewAnswer(rootOf(app), { title: page.title, main }, view, page)
    },
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    operationId: 'listBookingPages',
    summary: 'List booking pages',
    description: prose(
      'Newest first, inactive ones included.',
      "An agent key sees the pages of its agent's calendars.",
    ),
    query: pageQuery(),
    success: { status: 200, schema: listOf(pageRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listPages(app, actor, query),
  }),
  route({
    ...common,
    method: 'get',
    path,
    operationId: 'getBookingPage',
    summary: 'Read a booking page',
    description: prose(
      '`active` is false while the page is switched off, and for good once its calendar is deleted.',
      '`bookings_count` counts every booking ever made, cancelled ones included.',
    ),
    params: idPath('bkp'),
    tagged: true,
    success: { status: 200, schema: pageRecord },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => getPage(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'get',
    path: `${path}/bookings`,
    operationId: 'listPageBookings',
    summary: 'List the bookings of a page',
    description: prose(
      'The latest start first, cancelled ones included, until 30 days after their end; the times are those of the event now.',
      '`query` searches the names and addresses of guests, in the latest 10,000 bookings.',
    ),
    params: idPath('bkp'),
    query: bookingListQuery,
    heavy: { kind: 'list' },
    success: { status: 200, schema: listOf(bookingRecord) },
    errors: ['validation_error', 'forbidden', 'not_found'],
    run: ({ app, actor, params, query }) => listBookings(app, actor, params.id, query),
  }),
  route({
    ...common,
    method: 'patch',
    path,
    operationId: 'updateBookingPage',
    summary: 'Change a booking page',
    description: prose(
      'Fields that are left out stay.',
      'A null `description` clears it; a null `availability_constraints` opens every hour.',
      'The calendar and the secret address cannot change. Existing bookings are not affected.',
    ),
    params: idPath('bkp'),
    body: updatePageBody,
    tagged: true,
    success: { status: 200, schema: pageRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => updatePage(app, actor, params.id, body),
  }),
  route({
    ...common,
    method: 'delete',
    path,
    operationId: 'deleteBookingPage',
    summary: 'Remove a booking page',
    description: 'Its address stops working at once; existing bookings stay.',
    params: idPath('bkp'),
    tagged: true,
    success: { status: 204 },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => removePage(app, actor, params.id),
  }),
]

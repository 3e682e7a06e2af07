import { createPage, getPage, listPages, removePage, updatePage } from '../../src/booking/pages.ts'
import { createPageBody, pageRecord, updatePageBody } from '../../src/booking/schema.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { route } from '../http/route.ts'

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
    description:
      "Guests book at `booking_url`, without a key; each booking creates a confirmed event and takes one of the month's events. Slots are multiples of `duration_minutes` from the day's opening (midnight of `timezone` without `availability_constraints`), free by the calendar, its rules and the page's own buffer.",
    body: createPageBody,
    success: { status: 201, schema: pageRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, body }) => createPage(app, actor, body),
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    operationId: 'listBookingPages',
    summary: 'List booking pages',
    description: "Newest first, also those that are switched off. An agent key sees those on its agent's calendars.",
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
    description:
      '`active` is false while it is switched off, and for good once the calendar is deleted. `bookings_count` counts what was ever booked, cancelled or not.',
    params: idPath('bkp'),
    success: { status: 200, schema: pageRecord },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => getPage(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'patch',
    path,
    operationId: 'updateBookingPage',
    summary: 'Change a booking page',
    description:
      'What is left out stays; `description` null clears it, `availability_constraints` null opens every hour. The calendar and the address cannot change. What was booked is not touched.',
    params: idPath('bkp'),
    body: updatePageBody,
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
    description: 'Its address stops working at once; what was booked stays.',
    params: idPath('bkp'),
    success: { status: 204 },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => removePage(app, actor, params.id),
  }),
]

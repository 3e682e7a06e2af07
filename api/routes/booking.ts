import { createPage, deletePage, getPage, listPages, updatePage } from '../../src/booking/pages.ts'
import { createPageBody, pageRecord, updatePageBody } from '../../src/booking/schema.ts'
import { listOf, pageQuery } from '../../src/lists.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const common = { tag: 'Booking pages', access: 'key' } as const
const base = '/v1/booking-pages'
const path = `${base}/:id`

export const bookingRoutes = [
  route({
    ...common,
    method: 'post',
    path: base,
    summary: 'Create a booking page',
    description: 'On a calendar; guests book at `booking_url`.',
    body: createPageBody,
    success: { status: 201, schema: pageRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, body }) => createPage(app, actor, body),
  }),
  route({
    ...common,
    method: 'get',
    path: base,
    summary: 'List booking pages',
    description: "An agent key sees those on its agent's calendars.",
    query: pageQuery(),
    success: { status: 200, schema: listOf(pageRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listPages(app, actor, query),
  }),
  route({
    ...common,
    method: 'get',
    path,
    summary: 'Read a booking page',
    params: idPath('bkp'),
    success: { status: 200, schema: pageRecord },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => getPage(app, actor, params.id),
  }),
  route({
    ...common,
    method: 'patch',
    path,
    summary: 'Change a booking page',
    params: idPath('bkp'),
    body: updatePageBody,
    success: { status: 200, schema: pageRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updatePage(app, actor, params.id, body),
  }),
  route({
    ...common,
    method: 'delete',
    path,
    summary: 'Remove a booking page',
    description: 'Its address stops working at once; what was booked stays.',
    params: idPath('bkp'),
    success: { status: 204 },
    errors: ['forbidden', 'not_found'],
    run: ({ app, actor, params }) => deletePage(app, actor, params.id),
  }),
]

import { calendarContext } from '../../src/events/context.ts'
import { createEvent } from '../../src/events/create.ts'
import { confirmHold, releaseHold } from '../../src/events/holds.ts'
import { getEvent, listAgentEvents, listCalendarEvents } from '../../src/events/read.ts'
import { cancelOccurrence, removeEvent } from '../../src/events/remove.ts'
import {
  calendarContext as calendarContextRecord,
  createEventBody,
  eventInstanceRecord,
  eventListQuery,
  eventRecord,
  removeEventQuery,
  updateEventBody,
} from '../../src/events/schema.ts'
import { updateEvent } from '../../src/events/update.ts'
import { listOf } from '../../src/lists.ts'
import { Answer, route } from '../route.ts'
import { agentPath, calendarEventPath, calendarPath, idPath } from './paths.ts'

const tag = 'Events'
const listPath = '/v1/calendars/:cal_id/events'
const path = '/v1/calendars/:cal_id/events/:id'

export const eventRoutes = [
  route({
    method: 'post',
    path: listPath,
    tag,
    summary: 'Create an event or place a hold',
    access: 'key',
    spends: 'events',
    params: calendarPath,
    body: createEventBody,
    success: { status: 201, schema: eventRecord },
    errors: ['validation_error', 'bad_request', 'plan_required', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, params, body }) => createEvent(app, actor, params.cal_id, body),
  }),
  route({
    method: 'get',
    path: listPath,
    tag,
    summary: 'List the events of a calendar',
    access: 'key',
    params: calendarPath,
    query: eventListQuery,
    success: { status: 200, schema: listOf(eventInstanceRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listCalendarEvents(app, actor, params.cal_id, query),
  }),
  route({
    method: 'get',
    path: '/v1/agents/:agent_id/events',
    tag,
    summary: "List the events of all an agent's calendars",
    access: 'key',
    params: agentPath,
    query: eventListQuery,
    success: { status: 200, schema: listOf(eventInstanceRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listAgentEvents(app, actor, params.agent_id, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read an event',
    access: 'key',
    params: calendarEventPath,
    success: { status: 200, schema: eventRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getEvent(app, actor, params.cal_id, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    summary: 'Change an event',
    access: 'key',
    params: calendarEventPath,
    body: updateEventBody,
    success: { status: 200, schema: eventRecord },
    errors: [
      'validation_error',
      'bad_request',
      'invalid_transition',
      'forbidden',
      'plan_required',
      'not_found',
      'conflict',
      'quota_exceeded',
    ],
    run: ({ app, actor, params, body }) => updateEvent(app, actor, params.cal_id, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    summary: 'Delete an event, or cancel one occurrence',
    description: 'With `occurrence_start` only that occurrence of a series is cancelled: 200 with the updated series.',
    access: 'key',
    params: calendarEventPath,
    query: removeEventQuery,
    success: { status: 204 },
    errors: ['bad_request', 'forbidden', 'not_found', 'conflict'],
    async run({ app, actor, request, params, query }) {
      if (!query.occurrence_start) return removeEvent(app, actor, params.cal_id, params.id)
      // The audit log has the status that is answered, not the route's usual one.
      const answered200 = { ...actor, request: { ...request, status: 200 } }
      return new Answer(200, await cancelOccurrence(app, answered200, params.cal_id, params.id, query.occurrence_start))
    },
  }),
  route({
    method: 'put',
    path: '/v1/events/:id/confirm',
    tag,
    summary: 'Confirm a hold',
    access: 'key',
    params: idPath('evt'),
    success: { status: 200, schema: eventRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => confirmHold(app, actor, params.id),
  }),
  route({
    method: 'put',
    path: '/v1/events/:id/release',
    tag,
    summary: 'Release a hold',
    access: 'key',
    params: idPath('evt'),
    success: { status: 200, schema: eventRecord },
    errors: ['validation_error', 'forbidden', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => releaseHold(app, actor, params.id),
  }),
  route({
    method: 'get',
    path: '/v1/calendars/:id/context',
    tag,
    summary: 'What is on now, what comes next, what has just ended',
    access: 'key',
    params: idPath('cal'),
    success: { status: 200, schema: calendarContextRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => calendarContext(app, actor, params.id),
  }),
]

import {
  createAgentCalendar,
  createOrganizationCalendar,
  deleteCalendar,
  getCalendar,
  listAgentCalendars,
  listCalendars,
  updateCalendar,
} from '../../src/calendars/calendars.ts'
import {
  calendarListQuery,
  calendarRecord,
  createCalendarBody,
  updateCalendarBody,
} from '../../src/calendars/schema.ts'
import { listOf, pageQuery } from '../../src/lists.ts'
import { route } from '../route.ts'
import { agentPath, idPath } from './paths.ts'

const tag = 'Calendars'
const path = '/v1/calendars/:id'
const ownedPath = '/v1/agents/:agent_id/calendars'

export const calendarRoutes = [
  route({
    method: 'post',
    path: '/v1/calendars',
    tag,
    summary: 'Create a calendar of the organization',
    access: 'organization',
    body: createCalendarBody,
    success: { status: 201, schema: calendarRecord },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => createOrganizationCalendar(app, actor, body),
  }),
  route({
    method: 'post',
    path: ownedPath,
    tag,
    summary: 'Create a calendar of an agent',
    access: 'key',
    params: agentPath,
    body: createCalendarBody,
    success: { status: 201, schema: calendarRecord },
    errors: ['validation_error', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, params, body }) => createAgentCalendar(app, actor, params.agent_id, body),
  }),
  route({
    method: 'get',
    path: '/v1/calendars',
    tag,
    summary: 'List calendars',
    description: 'Those of the organization; `include=all` adds those of agents. An agent key sees its own.',
    access: 'key',
    query: calendarListQuery,
    success: { status: 200, schema: listOf(calendarRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listCalendars(app, actor, query),
  }),
  route({
    method: 'get',
    path: ownedPath,
    tag,
    summary: 'List the calendars of an agent',
    access: 'key',
    params: agentPath,
    query: pageQuery(),
    success: { status: 200, schema: listOf(calendarRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listAgentCalendars(app, actor, params.agent_id, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read a calendar',
    access: 'key',
    params: idPath('cal'),
    success: { status: 200, schema: calendarRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getCalendar(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    summary: 'Change a calendar',
    access: 'key',
    params: idPath('cal'),
    body: updateCalendarBody,
    success: { status: 200, schema: calendarRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updateCalendar(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    summary: 'Delete a calendar with all its events',
    access: 'key',
    params: idPath('cal'),
    success: { status: 204 },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => deleteCalendar(app, actor, params.id),
  }),
]

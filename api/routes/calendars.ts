import {
  createAgentCalendar,
  createOrganizationCalendar,
  getCalendar,
  listAgentCalendars,
  listCalendars,
} from '../../src/calendars/calendars.ts'
import { replaceFeedAddress } from '../../src/calendars/feedAddress.ts'
import {
  calendarListQuery,
  calendarRecord,
  createCalendarBody,
  updateCalendarBody,
} from '../../src/calendars/schema.ts'
import { removeCalendar } from '../../src/events/removeCalendar.ts'
import { updateCalendar } from '../../src/events/updateCalendar.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { agentPath, idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Calendars'
const path = '/v1/calendars/:id'
const ownedPath = '/v1/agents/:agent_id/calendars'

export const calendarRoutes = [
  route({
    method: 'post',
    path: '/v1/calendars',
    tag,
    operationId: 'createCalendar',
    summary: 'Create a calendar of the organization',
    description: prose(
      'It belongs to no agent: agent keys cannot use it, and the availability of agents ignores it.',
      '`default_reminders` apply to events without their own:',
      'null means one reminder 10 minutes before, `[]` means none.',
    ),
    access: 'organization',
    body: createCalendarBody,
    tagged: true,
    success: { status: 201, schema: calendarRecord },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => createOrganizationCalendar(app, actor, body),
  }),
  route({
    method: 'post',
    path: ownedPath,
    tag,
    operationId: 'createAgentCalendar',
    summary: 'Create a calendar of an agent',
    description: prose(
      'The agent must not be decommissioned; its keys may read and write the calendar.',
      '`default_reminders`: null means one reminder 10 minutes before, `[]` means none.',
    ),
    access: 'key',
    params: agentPath,
    body: createCalendarBody,
    tagged: true,
    success: { status: 201, schema: calendarRecord },
    errors: ['validation_error', 'not_found', 'agent_decommissioned', 'quota_exceeded'],
    run: ({ app, actor, params, body }) => createAgentCalendar(app, actor, params.agent_id, body),
  }),
  route({
    method: 'get',
    path: '/v1/calendars',
    tag,
    operationId: 'listCalendars',
    summary: 'List calendars',
    description: prose(
      "Newest first. Without `include`, only the organization's own; `include=all` adds those of its agents.",
      "An agent key sees its agent's calendars in both cases.",
    ),
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
    operationId: 'listAgentCalendars',
    summary: 'List the calendars of an agent',
    description: 'Newest first, without deleted ones. Those of a decommissioned agent are still listed.',
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
    operationId: 'getCalendar',
    summary: 'Read a calendar',
    description: prose(
      '`ical_url` is the public feed: anyone who has this address can read the calendar.',
      'A deleted calendar is `not_found`.',
    ),
    access: 'key',
    params: idPath('cal'),
    tagged: true,
    success: { status: 200, schema: calendarRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getCalendar(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    operationId: 'updateCalendar',
    summary: 'Change a calendar',
    description: prose(
      'Fields that are left out stay; `metadata` and `default_reminders` are replaced as a whole.',
      'A null `default_reminders` restores one reminder 10 minutes before; `[]` means none.',
      '`agent_status` may change from any value to any other, and has no effect.',
      'With another `timezone` all-day events stay on their dates: their times move, without `event.updated`.',
      'This is refused with `conflict` if they are more than 10,000, or if no rule keeps a series on its dates.',
    ),
    access: 'key',
    params: idPath('cal'),
    body: updateCalendarBody,
    tagged: true,
    success: { status: 200, schema: calendarRecord },
    errors: ['validation_error', 'not_found', 'conflict', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => updateCalendar(app, actor, params.id, body),
  }),
  route({
    method: 'post',
    path: `${path}/feed-address`,
    tag,
    operationId: 'replaceCalendarFeedAddress',
    summary: 'Replace the feed address of a calendar',
    description: prose(
      'The answer has the new `ical_url`. The old address is `not_found` at once, for everybody who reads it.',
      'Takes no body.',
    ),
    access: 'organization',
    params: idPath('cal'),
    tagged: true,
    success: { status: 200, schema: calendarRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params }) => replaceFeedAddress(app, actor, params.id),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteCalendar',
    summary: 'Delete a calendar and all its events',
    description: prose(
      'Its events, their timers and its feed go with it; subscriptions into it pause, and its booking pages close.',
      "No webhook event is sent for its events, and the month's events are not given back.",
    ),
    access: 'key',
    params: idPath('cal'),
    tagged: true,
    success: { status: 204 },
    errors: ['not_found', 'agent_decommissioned'],
    run: ({ app, actor, params }) => removeCalendar(app, actor, params.id),
  }),
]

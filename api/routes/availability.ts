import { agentAvailability, calendarAvailability, crossAgentAvailability } from '../../src/availability/availability.ts'
import { getRules, removeRules, setRules } from '../../src/availability/calendarRules.ts'
import {
  availabilityQuery,
  availabilityRecord,
  crossAgentQuery,
  rulesBody,
  rulesRecord,
} from '../../src/availability/schema.ts'
import { idPath } from '../http/paths.ts'
import { route } from '../http/route.ts'

const tag = 'Availability'
const rulesPath = '/v1/calendars/:id/availability-rules'
const spends = 'availability_queries'
const answer = { status: 200, schema: availabilityRecord }

export const availabilityRoutes = [
  route({
    method: 'get',
    path: '/v1/calendars/:id/availability',
    tag,
    operationId: 'getCalendarAvailability',
    summary: 'Find the free times of a calendar',
    description: [
      'Slots of `duration` stand back to back from the beginning of each free stretch. The window is at most 366 days.',
      "Busy is every `confirmed` or `tentative` event and every living hold, imported or not, widened by the calendar's buffers, and all time outside its working hours. With `include_busy` it is in `busy`.",
      'Book only when `availability_state` is `complete`.',
    ].join('\n\n'),
    access: 'key',
    spends,
    params: idPath('cal'),
    query: availabilityQuery,
    success: answer,
    errors: ['validation_error', 'bad_request', 'not_found'],
    run: ({ app, actor, params, query }) => calendarAvailability(app, actor, params.id, query),
  }),
  route({
    method: 'get',
    path: '/v1/agents/:id/availability',
    tag,
    operationId: 'getAgentAvailability',
    summary: 'Find the free times of an agent, on all its calendars',
    description:
      'Free means free on all calendars that the agent owns, each with its own buffers and working hours; an agent without calendars is free all the time. The window is 366 days at most. With `include_busy` the busy time is in `per_agent_busy`.',
    access: 'key',
    spends,
    params: idPath('agt'),
    query: availabilityQuery,
    success: answer,
    errors: ['validation_error', 'bad_request', 'not_found'],
    run: ({ app, actor, params, query }) => agentAvailability(app, actor, params.id, query),
  }),
  route({
    method: 'get',
    path: '/v1/availability',
    tag,
    operationId: 'getAvailability',
    summary: 'Find times when several agents are all free',
    description:
      '`agents` are ids separated by commas; the plan limits how many (20 on pro) and how wide the window is (90 days): beyond that it is `bad_request`. `calendars` narrows what is looked at to these; an agent that owns none of them counts as free. Calendars that belong to no agent count for nobody.',
    access: 'organization',
    feature: 'cross_agent_availability',
    spends,
    query: crossAgentQuery,
    success: answer,
    errors: ['validation_error', 'bad_request', 'plan_required', 'not_found'],
    run: ({ app, actor, query }) => crossAgentAvailability(app, actor, query),
  }),
  route({
    method: 'put',
    path: rulesPath,
    tag,
    operationId: 'setAvailabilityRules',
    summary: 'Set the availability rules of a calendar',
    description:
      'Replaces all rules of the calendar: what is left out gets its default. `working_hours` are by the wall clock of `timezone`, a day that is left out is closed, null means no restriction; events are widened by the buffers. Rules shape availability and booking pages only: events may still be created at any time.',
    access: 'key',
    params: idPath('cal'),
    body: rulesBody,
    success: { status: 200, schema: rulesRecord },
    errors: ['validation_error', 'bad_request', 'not_found', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => setRules(app, actor, params.id, body),
  }),
  route({
    method: 'get',
    path: rulesPath,
    tag,
    operationId: 'getAvailabilityRules',
    summary: 'Read the availability rules of a calendar',
    description: '`not_found` while none are set: the calendar then has no buffers and no working hours.',
    access: 'key',
    params: idPath('cal'),
    success: { status: 200, schema: rulesRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getRules(app, actor, params.id),
  }),
  route({
    method: 'delete',
    path: rulesPath,
    tag,
    operationId: 'removeAvailabilityRules',
    summary: 'Remove the availability rules of a calendar',
    description: 'Back to no buffers and no working hours. `not_found` when there were none.',
    access: 'key',
    params: idPath('cal'),
    success: { status: 204 },
    errors: ['not_found', 'agent_decommissioned'],
    run: ({ app, actor, params }) => removeRules(app, actor, params.id),
  }),
]

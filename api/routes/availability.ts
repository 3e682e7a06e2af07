import {
  agentAvailability,
  calendarAvailability,
  checkAgent,
  checkCalendar,
  crossAgentAvailability,
} from '../../src/availability/availability.ts'
import { getRules, removeRules, setRules } from '../../src/availability/calendarRules.ts'
import { checkQuery, checkRecord } from '../../src/availability/explainSchema.ts'
import {
  availabilityQuery,
  availabilityRecord,
  crossAgentQuery,
  rulesBody,
  rulesRecord,
} from '../../src/availability/schema.ts'
import { zoneOfCalendar } from '../../src/calendars/calendars.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Availability'
const rulesPath = '/v1/calendars/:id/availability-rules'
const spends = 'availability_queries'
const answer = { status: 200, schema: availabilityRecord }

/** The common part of both checks. */
const check = {
  method: 'get',
  tag,
  description: prose(
    '`blocked_by` names what is in the way, `free_from` and `next_free` say when the same length is free.',
    'The answer is that of the availability of the same calendars. The time is at most 366 days long.',
  ),
  access: 'key',
  spends,
  query: checkQuery,
  success: { status: 200, schema: checkRecord },
  errors: ['validation_error', 'bad_request', 'not_found'],
} as const

export const availabilityRoutes = [
  route({
    method: 'get',
    path: '/v1/calendars/:id/availability',
    tag,
    operationId: 'getCalendarAvailability',
    summary: 'When a calendar is free',
    description: prose(
      'Slots of `duration` follow each other from the start of each free period.',
      'The window is at most 366 days.',
      '',
      'Busy is every `confirmed` or `tentative` event and every active hold, imported ones included,',
      "with the calendar's buffers,",
      'and all time outside its working hours. `include_busy` lists it in `busy`.',
      '',
      '`explain=true` says why the rest of the window is not free, `best` proposes the best times.',
      '',
      'Book only while `availability_state` is `complete`.',
    ),
    access: 'key',
    spends,
    params: idPath('cal'),
    query: availabilityQuery,
    local: { zoneOf: ({ app, actor, params }) => zoneOfCalendar(app, actor, params.id) },
    success: answer,
    errors: ['validation_error', 'bad_request', 'not_found'],
    run: ({ app, actor, params, query }) => calendarAvailability(app, actor, params.id, query),
  }),
  route({
    method: 'get',
    path: '/v1/agents/:id/availability',
    tag,
    operationId: 'getAgentAvailability',
    summary: 'When an agent is free on all its calendars',
    description: prose(
      'Free means free on every calendar that the agent owns, each with its own buffers and working hours.',
      'An agent without calendars is always free.',
      'The window is at most 366 days. `include_busy` lists the busy time in `per_agent_busy`.',
    ),
    access: 'key',
    spends,
    params: idPath('agt'),
    query: availabilityQuery,
    local: 'asked',
    success: answer,
    errors: ['validation_error', 'bad_request', 'not_found'],
    run: ({ app, actor, params, query }) => agentAvailability(app, actor, params.id, query),
  }),
  route({
    method: 'get',
    path: '/v1/availability',
    tag,
    operationId: 'getAvailability',
    summary: 'When several agents are all free',
    description: prose(
      '`agents` is a comma-separated list of ids.',
      'The plan limits how many agents (20 on pro) and how long a window (90 days) a request may name;',
      'beyond that it is `bad_request`.',
      '`calendars` restricts the query to these calendars; an agent that owns none of them counts as free.',
      'Calendars without an agent are not considered.',
    ),
    access: 'organization',
    feature: 'cross_agent_availability',
    spends,
    query: crossAgentQuery,
    local: 'asked',
    success: answer,
    errors: ['validation_error', 'bad_request', 'plan_required', 'not_found'],
    run: ({ app, actor, query }) => crossAgentAvailability(app, actor, query),
  }),
  route({
    ...check,
    path: '/v1/calendars/:id/availability/check',
    operationId: 'checkCalendarAvailability',
    summary: 'Whether a time is free on a calendar',
    params: idPath('cal'),
    local: { zoneOf: ({ app, actor, params }) => zoneOfCalendar(app, actor, params.id) },
    run: ({ app, actor, params, query }) => checkCalendar(app, actor, params.id, query),
  }),
  route({
    ...check,
    path: '/v1/agents/:id/availability/check',
    operationId: 'checkAgentAvailability',
    summary: 'Whether a time is free on all calendars of an agent',
    params: idPath('agt'),
    local: 'asked',
    run: ({ app, actor, params, query }) => checkAgent(app, actor, params.id, query),
  }),
  route({
    method: 'put',
    path: rulesPath,
    tag,
    operationId: 'setAvailabilityRules',
    summary: 'Set the availability rules of a calendar',
    description: prose(
      'Replaces all rules of the calendar: a rule that is left out gets its default.',
      '`working_hours` are wall-clock times in `timezone`; a day left out is closed, null means no restriction.',
      'The buffers extend every event.',
      'Rules affect only availability and booking pages: events may still be created at any time.',
    ),
    access: 'key',
    params: idPath('cal'),
    body: rulesBody,
    tagged: true,
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
    description: '`not_found` while no rules are set: the calendar then has no buffers and no working hours.',
    access: 'key',
    params: idPath('cal'),
    tagged: true,
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
    description: 'The calendar then has no buffers and no working hours. `not_found` if no rules are set.',
    access: 'key',
    params: idPath('cal'),
    tagged: true,
    success: { status: 204 },
    errors: ['not_found', 'agent_decommissioned'],
    run: ({ app, actor, params }) => removeRules(app, actor, params.id),
  }),
]

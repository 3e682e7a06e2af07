import { agentAvailability, calendarAvailability, crossAgentAvailability } from '../../src/availability/availability.ts'
import { getRules, removeRules, setRules } from '../../src/availability/calendarRules.ts'
import {
  availabilityQuery,
  availabilityRecord,
  crossAgentQuery,
  rulesBody,
  rulesRecord,
} from '../../src/availability/schema.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const tag = 'Availability'
const rulesPath = '/v1/calendars/:id/availability-rules'
const spends = 'availability_queries'
const answer = { status: 200, schema: availabilityRecord }

export const availabilityRoutes = [
  route({
    method: 'get',
    path: '/v1/calendars/:id/availability',
    tag,
    summary: 'When a calendar is free',
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
    summary: 'When an agent is free, on all its calendars',
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
    summary: 'When several agents are free at once',
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
    summary: 'Set the availability rules of a calendar',
    description: 'Replaces them: what is left out gets its default.',
    access: 'key',
    params: idPath('cal'),
    body: rulesBody,
    success: { status: 200, schema: rulesRecord },
    errors: ['validation_error', 'bad_request', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => setRules(app, actor, params.id, body),
  }),
  route({
    method: 'get',
    path: rulesPath,
    tag,
    summary: 'Read the availability rules of a calendar',
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
    summary: 'Remove the availability rules of a calendar',
    access: 'key',
    params: idPath('cal'),
    success: { status: 204 },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => removeRules(app, actor, params.id),
  }),
]

import { createAgent, decommissionAgent, getAgent, listAgents, updateAgent } from '../../src/agents/agents.ts'
import { agentListQuery, agentRecord, createAgentBody, updateAgentBody } from '../../src/agents/schema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Agents'
const path = '/v1/agents/:id'

export const agentRoutes = [
  route({
    method: 'post',
    path: '/v1/agents',
    tag,
    operationId: 'createAgent',
    summary: 'Register an agent',
    description: prose(
      'The agent starts as `active` and owns no calendar until you create one for it.',
      'Decommissioned agents do not count towards the limit of the plan.',
    ),
    access: 'organization',
    body: createAgentBody,
    tagged: true,
    success: { status: 201, schema: agentRecord },
    errors: ['validation_error', 'quota_exceeded'],
    run: ({ app, actor, body }) => createAgent(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/agents',
    tag,
    operationId: 'listAgents',
    summary: 'List agents',
    description: prose(
      'Newest first. An agent key sees only its own agent.',
      '`total` counts all matches, not just this page.',
    ),
    access: 'key',
    query: agentListQuery,
    success: { status: 200, schema: listOf(agentRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listAgents(app, actor, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getAgent',
    summary: 'Read an agent',
    description: prose(
      'A decommissioned agent can still be read.',
      'An agent key reads only its own agent; any other is `forbidden`.',
    ),
    access: 'key',
    params: idPath('agt'),
    tagged: true,
    success: { status: 200, schema: agentRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getAgent(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    operationId: 'updateAgent',
    summary: 'Change an agent',
    description: prose(
      'Fields that are left out stay; `metadata` is replaced as a whole.',
      "`paused` refuses writes with the agent's own keys and blocks nothing else.",
      'A decommissioned agent cannot be changed (`conflict`).',
    ),
    access: 'key',
    params: idPath('agt'),
    body: updateAgentBody,
    tagged: true,
    success: { status: 200, schema: agentRecord },
    errors: ['validation_error', 'not_found', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => updateAgent(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'decommissionAgent',
    summary: 'Decommission an agent',
    description: prose(
      'Irreversible. The agent, its calendars and its events stay readable.',
      'Its keys stop working at once, its iCal subscriptions pause, and nothing more can be written for it.',
      'No webhook event is sent.',
    ),
    access: 'key',
    params: idPath('agt'),
    tagged: true,
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => decommissionAgent(app, actor, params.id),
  }),
]

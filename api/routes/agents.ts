import { createAgent, decommissionAgent, getAgent, listAgents, updateAgent } from '../../src/agents/agents.ts'
import { agentListQuery, agentRecord, createAgentBody, updateAgentBody } from '../../src/agents/schema.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
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
    description:
      "It starts `active` and owns no calendar until one is created under it. Only what is not decommissioned counts toward the plan's agents.",
    access: 'organization',
    body: createAgentBody,
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
    description:
      'Newest first. An agent key sees its own agent alone. `total` counts all that match, whatever the page holds.',
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
    description:
      'A decommissioned agent can still be read. An agent key reads its own agent only; another one is `forbidden`.',
    access: 'key',
    params: idPath('agt'),
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
    description:
      "What is left out stays; `metadata` is replaced as a whole. `paused` refuses the writes of the agent's own keys and blocks nothing else. A decommissioned agent cannot be changed (`conflict`).",
    access: 'key',
    params: idPath('agt'),
    body: updateAgentBody,
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
    description:
      'There is no way back. The record, its calendars and events stay readable; its keys die at once, its iCal subscriptions pause, and nothing can be written under it any more. No webhook event is sent.',
    access: 'key',
    params: idPath('agt'),
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => decommissionAgent(app, actor, params.id),
  }),
]

import { createAgent, decommissionAgent, getAgent, listAgents, updateAgent } from '../../src/agents/agents.ts'
import { agentListQuery, agentRecord, createAgentBody, updateAgentBody } from '../../src/agents/schema.ts'
import { listOf } from '../../src/lists.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const tag = 'Agents'
const path = '/v1/agents/:id'

export const agentRoutes = [
  route({
    method: 'post',
    path: '/v1/agents',
    tag,
    summary: 'Register an agent',
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
    summary: 'List agents',
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
    summary: 'Read an agent',
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
    summary: 'Change an agent',
    access: 'key',
    params: idPath('agt'),
    body: updateAgentBody,
    success: { status: 200, schema: agentRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updateAgent(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    summary: 'Decommission an agent',
    description: 'The record is kept; its keys die at once and nothing can be written under it any more.',
    access: 'key',
    params: idPath('agt'),
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => decommissionAgent(app, actor, params.id),
  }),
]

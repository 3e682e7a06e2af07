import { createGrantBody, grantRecord, updateGrantBody } from '../../src/connections/grantSchema.ts'
import { createGrant, getGrant, listGrants, removeGrant, updateGrant } from '../../src/connections/grants.ts'
import { listOf, pageQuery } from '../../src/shapes/lists.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Calendar connections'
const path = '/v1/availability-grants/:id'

export const availabilityGrantRoutes = [
  route({
    method: 'post',
    path: '/v1/availability-grants',
    tag,
    operationId: 'createAvailabilityGrant',
    summary: 'Let agents see when a human is busy',
    description: prose(
      'From now on the busy time of these calendars counts in the availability of these agents.',
      'They see times, and nothing else. `agent_ids` goes with `selected_agents` alone.',
    ),
    access: 'session',
    role: 'viewer',
    activated: true,
    body: createGrantBody,
    success: { status: 201, schema: grantRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, body }) => createGrant(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/availability-grants',
    tag,
    operationId: 'listAvailabilityGrants',
    summary: 'List grants',
    description: 'Newest first.',
    access: 'session',
    activated: true,
    query: pageQuery(),
    success: { status: 200, schema: listOf(grantRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listGrants(app, actor, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getAvailabilityGrant',
    summary: 'Read a grant',
    description: 'A grant that is left without calendars is removed.',
    access: 'session',
    activated: true,
    params: idPath('avg'),
    success: { status: 200, schema: grantRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getGrant(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    operationId: 'updateAvailabilityGrant',
    summary: 'Change a grant',
    description: 'An `audience` sets the cutoff of `all_current_agents` anew.',
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('avg'),
    body: updateGrantBody,
    success: { status: 200, schema: grantRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updateGrant(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteAvailabilityGrant',
    summary: 'Remove a grant',
    description: 'From now on the busy time of these calendars does not count for its agents.',
    access: 'session',
    role: 'viewer',
    activated: true,
    params: idPath('avg'),
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => removeGrant(app, actor, params.id),
  }),
]

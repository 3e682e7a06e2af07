import { createdLinkRecord, createLinkBody, linkRecord } from '../../src/connections/linkSchema.ts'
import { cancelLink, createLink, getLink } from '../../src/connections/links.ts'
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Calendar connections'

export const connectionLinkRoutes = [
  route({
    method: 'post',
    path: '/v1/calendars/:id/connection-links',
    tag,
    operationId: 'createConnectionLink',
    summary: 'Ask a human to connect a calendar',
    description: prose(
      'Give `setup_url` to the human. It works for 24 hours, and only for a human of this organization who signs in.',
      'The agent of the calendar then sees when they are busy, and nothing else.',
      'While a link of the same calendar with the same request is pending, the answer is that link,',
      'without its address: `reused`. A different request cancels it: a calendar has one working link.',
    ),
    access: 'key',
    params: idPath('cal'),
    body: createLinkBody,
    success: { status: 201, schema: createdLinkRecord },
    errors: ['validation_error', 'not_found', 'agent_decommissioned', 'quota_exceeded', 'rate_limit_error'],
    run: ({ app, actor, params, body }) => createLink(app, actor, params.id, body),
  }),
  route({
    method: 'get',
    path: '/v1/connection-links/:id',
    tag,
    operationId: 'getConnectionLink',
    summary: 'Read a connection link',
    description: 'Poll every 10 seconds, or less often. It is deleted 30 days after its end.',
    access: 'key',
    params: idPath('csl'),
    success: { status: 200, schema: linkRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getLink(app, actor, params.id),
  }),
  route({
    method: 'delete',
    path: '/v1/connection-links/:id',
    tag,
    operationId: 'cancelConnectionLink',
    summary: 'Cancel a pending connection link',
    description: 'An incomplete connection that it made is disconnected.',
    access: 'key',
    params: idPath('csl'),
    success: { status: 204 },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => cancelLink(app, actor, params.id),
  }),
]

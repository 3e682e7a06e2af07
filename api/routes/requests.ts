import { listRefusedRequests } from '../../src/refusedRequests/list.ts'
import { refusedRequests, refusedRequestsQuery } from '../../src/refusedRequests/schema.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

export const requestRoutes = [
  route({
    method: 'get',
    path: '/v1/requests',
    tag: 'Refused requests',
    operationId: 'listRefusedRequests',
    summary: 'List refused requests',
    description: prose(
      'The requests and tool calls of keys and sessions of the organization that were answered with a status from 400 to 499,',
      'newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. They appear within 5 seconds.',
      'Failed authentication (401) and throttling (429) are in the audit log instead.',
      'A burst is not kept whole: of each key or session 20 in 10 seconds, 200 in an hour.',
      'Kept for `retention_hours`; without query, body or message.',
    ),
    access: 'organization',
    role: 'developer',
    query: refusedRequestsQuery,
    success: { status: 200, schema: refusedRequests },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listRefusedRequests(app, actor, query),
  }),
]

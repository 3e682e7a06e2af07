import { z } from 'zod'
import { freshSeconds, readFeedByToken } from '../../src/ical/feed.ts'
import {
  createSubscriptionBody,
  subscriptionListQuery,
  subscriptionRecord,
  syncStarted,
  updateSubscriptionBody,
} from '../../src/ical/schema.ts'
import {
  createSubscription,
  getSubscription,
  listSubscriptions,
  removeSubscription,
  syncSubscription,
  updateSubscription,
} from '../../src/ical/subscriptions.ts'
import { listOf } from '../../src/lists.ts'
import { matches } from '../conditional.ts'
import { RawAnswer, route } from '../route.ts'
import { agentPath, idPath } from './paths.ts'

const tag = 'iCal'
const path = '/v1/ical-subscriptions/:id'
const ofAgent = '/v1/agents/:agent_id/ical-subscriptions'
/** Every error of these bodies is a 422. */
const invalidBody = { type: 'validation_error', status: 422 } as const

export const icalRoutes = [
  route({
    method: 'post',
    path: ofAgent,
    tag,
    summary: 'Subscribe a calendar to an external feed',
    description: 'The feed is read at once and every 15 minutes; its events are copied as read-only ones.',
    access: 'key',
    params: agentPath,
    body: createSubscriptionBody,
    invalidBody,
    success: { status: 201, schema: subscriptionRecord },
    errors: ['validation_error', 'not_found', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, params, body }) => createSubscription(app, actor, params.agent_id, body),
  }),
  route({
    method: 'get',
    path: ofAgent,
    tag,
    summary: 'List the iCal subscriptions of an agent',
    access: 'key',
    params: agentPath,
    query: subscriptionListQuery,
    success: { status: 200, schema: listOf(subscriptionRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listSubscriptions(app, actor, params.agent_id, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read an iCal subscription',
    access: 'key',
    params: idPath('ics'),
    success: { status: 200, schema: subscriptionRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getSubscription(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    summary: 'Change an iCal subscription',
    access: 'key',
    params: idPath('ics'),
    body: updateSubscriptionBody,
    invalidBody,
    success: { status: 200, schema: subscriptionRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updateSubscription(app, actor, params.id, body),
  }),
  route({
    method: 'post',
    path: `${path}/sync`,
    tag,
    summary: 'Read the feed of an iCal subscription now',
    access: 'key',
    params: idPath('ics'),
    invalidBody,
    success: { status: 202, schema: syncStarted },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params }) => syncSubscription(app, actor, params.id),
  }),
  route({
    method: 'delete',
    path,
    tag,
    summary: 'Remove an iCal subscription',
    description: 'What was imported stays.',
    access: 'key',
    params: idPath('ics'),
    success: { status: 204 },
    errors: ['not_found', 'conflict'],
    run: ({ app, actor, params }) => removeSubscription(app, actor, params.id),
  }),
  route({
    method: 'get',
    path: '/ical/:ical_token.ics',
    tag,
    summary: 'The public feed of a calendar',
    description: 'The token in the path is the credential. `If-None-Match` is answered with 304.',
    access: 'public',
    perAddress: { name: 'ical_feed', most: 60, windowMs: 60_000 },
    params: z.object({ ical_token: z.string() }),
    success: { status: 200, schema: z.string(), contentType: 'text/calendar' },
    errors: ['not_found'],
    run: async ({ app, params, headers }) => {
      const feed = await readFeedByToken(app, params.ical_token, (etag) => matches(headers['if-none-match'], etag))
      const cached = { ETag: feed.etag, 'Cache-Control': `public, max-age=${freshSeconds}` }
      if (feed.kind === 'unchanged') return new RawAnswer(304, cached)
      return new RawAnswer(200, { 'Content-Type': 'text/calendar; charset=utf-8', ...cached }, feed.body)
    },
  }),
]

import { z } from 'zod'
import { feedByToken, freshSeconds } from '../../src/feeds/feed.ts'
import {
  createSubscriptionBody,
  subscriptionListQuery,
  subscriptionRecord,
  syncStarted,
  updateSubscriptionBody,
} from '../../src/imports/schema.ts'
import {
  createSubscription,
  getSubscription,
  listAgentSubscriptions,
  listSubscriptions,
  removeSubscription,
  syncSubscription,
  updateSubscription,
} from '../../src/imports/subscriptions.ts'
import { listOf } from '../../src/shapes/lists.ts'
import { matches } from '../http/conditional.ts'
import { agentPath, anyQuery, idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { RawAnswer, route } from '../http/route.ts'

const tag = 'iCal'
const path = '/v1/ical-subscriptions/:id'
const ofAgent = '/v1/agents/:agent_id/ical-subscriptions'
/** Every error in these bodies is a 422. */
const invalidBody = { type: 'validation_error', status: 422 } as const

export const icalRoutes = [
  route({
    method: 'post',
    path: ofAgent,
    tag,
    operationId: 'createIcalSubscription',
    summary: 'Subscribe a calendar to an external feed',
    description: prose(
      'The feed is read at once and then every 15 minutes.',
      'Its events are copied as read-only events that block time, send no webhook events and use no quota.',
      '',
      "`calendar_id` is a calendar of this agent or, with the organization's key, one without an agent.",
      'The address must be public HTTPS.',
      '',
      'An invalid body is 422; a reached limit of the plan is 402.',
    ),
    access: 'key',
    params: agentPath,
    body: createSubscriptionBody,
    invalidBody,
    success: { status: 201, schema: subscriptionRecord },
    errors: ['validation_error', 'not_found', 'agent_decommissioned', { type: 'quota_exceeded', status: 402 }],
    run: ({ app, actor, params, body }) => createSubscription(app, actor, params.agent_id, body),
  }),
  route({
    method: 'get',
    path: ofAgent,
    tag,
    operationId: 'listIcalSubscriptions',
    summary: 'List the iCal subscriptions of an agent',
    description: prose(
      'Newest first.',
      '`status` is `active`, `error` (the last sync failed with `last_error` and will be repeated)',
      'or `paused` (the agent is decommissioned or the calendar is deleted).',
    ),
    access: 'key',
    params: agentPath,
    query: subscriptionListQuery,
    success: { status: 200, schema: listOf(subscriptionRecord) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listAgentSubscriptions(app, actor, params.agent_id, query),
  }),
  route({
    method: 'get',
    path: '/v1/ical-subscriptions',
    tag,
    operationId: 'listAllIcalSubscriptions',
    summary: 'List the iCal subscriptions of all agents',
    description: 'As the list of one agent, newest first. An agent key sees those of its agent.',
    access: 'key',
    query: subscriptionListQuery,
    success: { status: 200, schema: listOf(subscriptionRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listSubscriptions(app, actor, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    operationId: 'getIcalSubscription',
    summary: 'Read an iCal subscription',
    description: prose(
      '`last_synced_at` is the time of the last successful sync, also if the feed had not changed;',
      'null before the first one.',
      '`last_error` is null if the last sync succeeded.',
    ),
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
    operationId: 'updateIcalSubscription',
    summary: 'Change an iCal subscription',
    description: prose(
      'A new `url` is read at once, and events that it does not contain are removed.',
      'The calendar cannot change. An invalid body is 422.',
    ),
    access: 'key',
    params: idPath('ics'),
    body: updateSubscriptionBody,
    invalidBody,
    success: { status: 200, schema: subscriptionRecord },
    errors: ['validation_error', 'not_found', 'agent_decommissioned'],
    run: ({ app, actor, params, body }) => updateSubscription(app, actor, params.id, body),
  }),
  route({
    method: 'post',
    path: `${path}/sync`,
    tag,
    operationId: 'syncIcalSubscription',
    summary: 'Read the feed of an iCal subscription now',
    description: prose(
      'The answer comes before the feed is read: check `last_synced_at` and `last_error` afterwards.',
      'Takes no body.',
    ),
    access: 'key',
    params: idPath('ics'),
    invalidBody,
    success: { status: 202, schema: syncStarted },
    errors: ['validation_error', 'not_found', 'conflict', 'agent_decommissioned'],
    run: ({ app, actor, params }) => syncSubscription(app, actor, params.id),
  }),
  route({
    method: 'delete',
    path,
    tag,
    operationId: 'deleteIcalSubscription',
    summary: 'Remove an iCal subscription',
    description: 'Imported events stay, read-only, until their calendar is deleted.',
    access: 'key',
    params: idPath('ics'),
    success: { status: 204 },
    errors: ['not_found', 'agent_decommissioned'],
    run: ({ app, actor, params }) => removeSubscription(app, actor, params.id),
  }),
  route({
    method: 'get',
    path: '/ical/:ical_token.ics',
    tag,
    operationId: 'getIcalFeed',
    summary: 'The public feed of a calendar',
    description: 'The token in the path is the credential. A matching `If-None-Match` gets 304.',
    access: 'public',
    perAddress: { name: 'ical_feed', max: 60, windowMs: 60_000 },
    params: z.object({ ical_token: z.string().meta({ example: 'Zk8vT2qLm4Xw9Rb6' }) }),
    query: anyQuery,
    success: { status: 200, schema: z.string(), contentType: 'text/calendar', headers: ['ETag', 'Cache-Control'] },
    also: [{ status: 304, description: 'Nothing has changed.', headers: ['ETag', 'Cache-Control'] }],
    errors: ['not_found'],
    run: async ({ app, params, headers }) => {
      const feed = await feedByToken(app, params.ical_token, (etag) => matches(headers['if-none-match'], etag))
      const cached = { ETag: feed.etag, 'Cache-Control': `public, max-age=${freshSeconds}` }
      if (feed.kind === 'unchanged') return new RawAnswer(304, cached)
      return new RawAnswer(200, { 'Content-Type': 'text/calendar; charset=utf-8', ...cached }, feed.body)
    },
  }),
]

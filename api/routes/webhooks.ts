import { listOf } from '../../src/lists.ts'
import { listDeliveries } from '../../src/webhooks/deliveries.ts'
import {
  createdWebhookRecord,
  createWebhookBody,
  deliveryListQuery,
  deliveryRecord,
  deliveryStats,
  updateWebhookBody,
  webhookListQuery,
  webhookRecord,
} from '../../src/webhooks/schema.ts'
import {
  createWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  updateWebhook,
} from '../../src/webhooks/subscriptions.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const tag = 'Webhooks'
const path = '/v1/webhooks/:id'
const access = 'organization'

export const webhookRoutes = [
  route({
    method: 'post',
    path: '/v1/webhooks',
    tag,
    summary: 'Subscribe an address to events',
    description: 'The secret that signs the deliveries is shown only in this answer.',
    access,
    body: createWebhookBody,
    success: { status: 201, schema: createdWebhookRecord },
    errors: ['validation_error', 'conflict', 'quota_exceeded'],
    run: ({ app, actor, body }) => createWebhook(app, actor, body),
  }),
  route({
    method: 'get',
    path: '/v1/webhooks',
    tag,
    summary: 'List webhooks',
    access,
    query: webhookListQuery,
    success: { status: 200, schema: listOf(webhookRecord) },
    errors: ['validation_error'],
    run: ({ app, actor, query }) => listWebhooks(app, actor, query),
  }),
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read a webhook',
    access,
    params: idPath('whk'),
    success: { status: 200, schema: webhookRecord },
    errors: ['not_found'],
    run: ({ app, actor, params }) => getWebhook(app, actor, params.id),
  }),
  route({
    method: 'patch',
    path,
    tag,
    summary: 'Change a webhook',
    description: '`active: true` switches it on again and sets its failures to zero.',
    access,
    params: idPath('whk'),
    body: updateWebhookBody,
    success: { status: 200, schema: webhookRecord },
    errors: ['validation_error', 'not_found', 'conflict'],
    run: ({ app, actor, params, body }) => updateWebhook(app, actor, params.id, body),
  }),
  route({
    method: 'delete',
    path,
    tag,
    summary: 'Remove a webhook',
    access,
    params: idPath('whk'),
    success: { status: 204 },
    errors: ['not_found'],
    run: ({ app, actor, params }) => removeWebhook(app, actor, params.id),
  }),
  route({
    method: 'get',
    path: '/v1/webhooks/:id/deliveries',
    tag,
    summary: 'Delivery history of a webhook',
    access,
    params: idPath('whk'),
    query: deliveryListQuery,
    success: { status: 200, schema: listOf(deliveryRecord).extend({ stats: deliveryStats }) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listDeliveries(app, actor, params.id, query),
  }),
]

import { listOf } from '../../src/shapes/lists.ts'
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
import { idPath } from '../http/paths.ts'
import { prose } from '../http/prose.ts'
import { route } from '../http/route.ts'

const tag = 'Webhooks'
const path = '/v1/webhooks/:id'
const access = 'organization'

export const webhookRoutes = [
  route({
    method: 'post',
    path: '/v1/webhooks',
    tag,
    operationId: 'createWebhook',
    summary: 'Subscribe an address to events',
    description: prose(
      '`secret`, which signs the deliveries, appears only in this answer.',
      'The address must be public HTTPS, and may subscribe to an event type only once (`conflict`).',
      'What it receives is described under Webhooks in this document.',
    ),
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
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: prose(
      'Newest first, inactive ones included; 20 per page unless `limit` says otherwise. Secrets are not shown.',
    ),
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
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    description: prose(
      '`consecutiveFailures` counts failed attempts in a row; a success resets it to 0,',
      'and at 50 the webhook is switched off.',
      '`firstFailureAt` is null while there are none.',
    ),
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
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: prose(
      '`events` is replaced as a whole.',
      '`active: true` switches the webhook on again, resets its failures, and sends the deliveries that were pending',
      'when it was switched off. The secret stays.',
    ),
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
    operationId: 'deleteWebhook',
    summary: 'Remove a webhook',
    description: 'Its history is deleted with it, and pending deliveries are not sent.',
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
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: prose(
      'Newest first, for 30 days.',
      'A null `next_retry_at` means that there is no further attempt, or that the delivery waits for an earlier one.',
      '`payload` is included only with `include_payload=true`; `stats` counts all, whatever `status` filters.',
      "A delivery beyond the month's quota is `failed` with 0 `attempts`.",
    ),
    access,
    params: idPath('whk'),
    query: deliveryListQuery,
    success: { status: 200, schema: listOf(deliveryRecord).extend({ stats: deliveryStats }) },
    errors: ['validation_error', 'not_found'],
    run: ({ app, actor, params, query }) => listDeliveries(app, actor, params.id, query),
  }),
]

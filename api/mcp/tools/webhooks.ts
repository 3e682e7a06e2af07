// Addresses that receive events.
import { z } from 'zod'
import { eventTypes } from '../../../src/webhooks/catalog.ts'
import { deliveryListQuery } from '../../../src/webhooks/schema.ts'
import { changingTool, deletingTool, listingTool, readingTool } from './operationTools.ts'

/** Credentials of a receiver are no arguments for a model, and the form of its bodies is its developer's. */
const without = ['headers', 'envelope']
/** Types about connections are taken, and not listed. */
const listed = eventTypes.filter((type) => !/^(connection_link|availability_source)[.]/.test(type))
const forms = { events: { items: { type: 'string', enum: listed } } }
const ofWebhook = { id: 'webhook_id', key: 'webhook' }

/** In the order in which they are listed. */
export const webhookTools = [
  changingTool({
    name: 'create_webhook',
    title: 'Create a webhook',
    description: 'Events are posted to a URL. The answer holds a secret: hand it on, do not repeat it.',
    effect: 'creates',
    isOpenWorld: true,
    twin: 'createWebhook',
    key: 'webhook',
    without,
    forms,
  }),
  listingTool({
    name: 'list_webhooks',
    title: 'List webhooks',
    description: 'Newest first.',
    twin: 'listWebhooks',
    key: 'webhooks',
  }),
  readingTool({
    ...ofWebhook,
    name: 'get_webhook',
    title: 'Read a webhook',
    description: 'With its failures.',
    twin: 'getWebhook',
  }),
  changingTool({
    ...ofWebhook,
    name: 'update_webhook',
    title: 'Change a webhook',
    description: 'active=true switches it on again.',
    effect: 'changes',
    isOpenWorld: true,
    twin: 'updateWebhook',
    without,
    forms,
  }),
  deletingTool({
    ...ofWebhook,
    name: 'delete_webhook',
    title: 'Delete a webhook',
    description: 'No more deliveries are sent to it.',
    twin: 'deleteWebhook',
    read: 'getWebhook',
  }),
  listingTool({
    id: 'webhook_id',
    key: 'deliveries',
    name: 'list_webhook_deliveries',
    title: 'List deliveries',
    description: 'Sent and pending deliveries of a webhook.',
    twin: 'listWebhookDeliveries',
    filters: {
      status: deliveryListQuery.shape.status,
      include_payload: z.boolean().default(false),
      include_attempt: z.boolean().default(false),
    },
    moreAnswer: { stats: 'object' },
  }),
]

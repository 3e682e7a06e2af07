import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'
import { id, queryBoolean } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'
import { eventTypes } from './catalog.ts'

const url = z
  .string()
  .max(2048)
  .meta({ format: 'uri', description: 'HTTPS address that receives the events.', example: 'https://example.com/hook' })
const events = z
  .array(z.enum(eventTypes))
  .min(1, 'name at least one event type')
  .max(100)
  .transform((types) => [...new Set(types)])

export const createWebhookBody = z
  .strictObject({ url, events })
  .meta({ example: { url: 'https://example.com/hook', events: ['event.created', 'event.started'] } })
export type CreateWebhookBody = z.infer<typeof createWebhookBody>

export const updateWebhookBody = z
  .strictObject({ url: url.optional(), events: events.optional(), active: z.boolean().optional() })
  .refine((body) => Object.keys(body).length > 0, 'give at least one of url, events, active')
  .meta({ minProperties: 1, example: { events: ['event.created', 'event.updated', 'event.deleted'] } })
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>

export const webhookRecord = z
  .object({
    id: id('whk'),
    orgId: id('org'),
    url: z.string().meta({ example: 'https://example.com/hook' }),
    events: z.array(z.enum(eventTypes)).meta({ example: ['event.created', 'event.started'] }),
    active: z.boolean(),
    consecutiveFailures: z.int().meta({ example: 0 }),
    firstFailureAt: timestamp.nullable().meta({ example: null }),
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook' })
export const createdWebhookRecord = webhookRecord
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries. Shown only here.', example: 'whsec_…' }) })
  .meta({ id: 'CreatedWebhook' })

export const webhookListQuery = pageQuery({ max: 100, usual: 20 })

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export const deliveryListQuery = pageQuery({ max: 100, usual: 20 }).extend({
  status: z.enum(deliveryStatuses).optional(),
  include_payload: queryBoolean.default(false),
})
export type DeliveryListQuery = z.infer<typeof deliveryListQuery>

export const deliveryRecord = z
  .object({
    id: id('whd'),
    subscription_id: id('whk'),
    event_type: z.enum(eventTypes).meta({ example: 'event.created' }),
    status: z.enum(deliveryStatuses).meta({ example: 'delivered' }),
    attempts: z.int().meta({ example: 1 }),
    last_attempt_at: timestamp.nullable(),
    next_retry_at: timestamp.nullable().meta({ example: null }),
    created_at: timestamp,
    payload: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'WebhookDelivery' })

export const deliveryStats = z.object({
  pending: z.int().meta({ example: 0 }),
  delivered: z.int().meta({ example: 1 }),
  failed: z.int().meta({ example: 0 }),
})

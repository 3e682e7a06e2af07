import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput, queryBoolean } from '../shapes/fields.ts'
import { checkCursor, listOf, nextCursor, offsetOrCursor, pageQuery } from '../shapes/lists.ts'
import { eventTypes } from './catalog.ts'
import { webhookHeaders } from './headers.ts'

const url = z
  .string()
  .max(2048)
  .meta({ format: 'uri', description: 'HTTPS address that receives the events.', example: 'https://example.com/hook' })
const events = z
  .array(z.enum(eventTypes))
  .min(1, 'name at least one event type')
  .max(100)
  .transform((types) => [...new Set(types)])

/** Which calendars or agents a subscription hears of. */
const only = (prefix: 'cal' | 'agt', description: string) =>
  z
    .array(idInput(prefix))
    .min(1)
    .max(50)
    .transform((ids) => [...new Set(ids)])
    .nullable()
    .optional()
    .meta({ description })

/** The options of a subscription besides its address and events. */
const options = {
  calendar_ids: only('cal', 'Only what happens on one of these calendars, or to one of `agent_ids`. Null: everything.'),
  agent_ids: only(
    'agt',
    'Only what happens to one of these agents, on their calendars, or in proposals that they organize or take part in.',
  ),
  standard: z
    .boolean()
    .optional()
    .meta({ description: 'Deliveries also carry the headers of Standard Webhooks and those of the change.' }),
  headers: webhookHeaders.nullable().optional(),
  envelope: z.boolean().optional().meta({
    description: 'The body of a delivery is `{ type, id, at, data }`, with the payload as `data`.',
  }),
}

export const createWebhookBody = z
  .strictObject({ url, events, ...options })
  .meta({ example: { url: 'https://example.com/hook', events: ['event.created', 'event.started'] } })
export type CreateWebhookBody = z.infer<typeof createWebhookBody>

export const updateWebhookBody = z
  .strictObject({ url: url.optional(), events: events.optional(), active: z.boolean().optional(), ...options })
  .refine(
    (body) => Object.keys(body).length > 0,
    `give at least one of url, events, active, ${Object.keys(options).join(', ')}`,
  )
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
    calendarIds: z
      .array(id('cal'))
      .nullable()
      .optional()
      .meta({ description: 'Present only if it is used, like the next two fields.', example: [exampleId('cal')] }),
    agentIds: z
      .array(id('agt'))
      .nullable()
      .optional()
      .meta({ example: [exampleId('agt')] }),
    standard: z.boolean().optional().meta({ example: true }),
    headerNames: z
      .array(z.string())
      .optional()
      .meta({ description: 'The names of `headers`, in lower case and in order.', example: ['authorization'] }),
    envelope: z.boolean().optional().meta({ example: true }),
    previousSecretExpiresAt: timestamp
      .optional()
      .meta({ description: 'Present only in an overlap: until then the previous secret signs as well.' }),
  })
  .meta({ id: 'Webhook' })
export const createdWebhookRecord = webhookRecord
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries. Shown only here.', example: 'whsec_…' }) })
  .meta({ id: 'CreatedWebhook' })

export const webhookListQuery = pageQuery({ max: 100, usual: 20 })

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export const deliveryListQuery = pageQuery({ max: 100, usual: 20 })
  .extend({
    ...offsetOrCursor,
    status: z.enum(deliveryStatuses).optional(),
    event_type: z.enum(eventTypes).optional(),
    from: datetime.optional().meta({ description: 'First `created_at` that is listed.' }),
    to: laterDatetime.optional().meta({ description: 'Last `created_at` that is listed.' }),
    include_payload: queryBoolean.default(false),
    include_attempt: queryBoolean.default(false).meta({ description: 'Shows how the last attempt of each ended.' }),
  })
  .check(checkCursor)
export type DeliveryListQuery = z.infer<typeof deliveryListQuery>

/** `delivered`, `refused` (an answer other than 2xx), or why there was no answer. */
const outcome = z.string().meta({ example: 'refused' })
const httpStatus = z.int().nullable().meta({ description: 'Null without an answer.', example: 503 })

export const lastAttempt = z.object({
  outcome,
  http_status: httpStatus,
  duration_ms: z
    .int()
    .nullable()
    .meta({ description: 'Null if it was made before durations were recorded.', example: 42 }),
})

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
    last_attempt: lastAttempt
      .nullable()
      .optional()
      .meta({ description: 'Only with `include_attempt=true`. Null until an attempt has ended.' }),
  })
  .meta({ id: 'WebhookDelivery' })

const attemptRecord = z.object({
  at: timestamp,
  outcome,
  http_status: httpStatus,
  duration_ms: z.int().meta({ example: 42 }),
  body_start: z
    .string()
    .nullable()
    .meta({ description: 'The first 500 characters of the answer; null without one.', example: 'try later' }),
})
export type AttemptRecord = z.infer<typeof attemptRecord>

export const deliveryDetail = deliveryRecord
  .omit({ last_attempt: true })
  .extend({
    payload: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'Null if the change is no longer kept.',
        example: { agent_id: exampleId('agt') },
      }),
    request_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({
        description:
          'Those of the last attempt, by their names in lower case; null before the first one. The signatures are left out if the webhook has changed since, and the `headers` of the webhook always.',
        example: { 'content-type': 'application/json', 'x-delivery-id': exampleId('whd') },
      }),
    attempt_log: z
      .array(attemptRecord)
      .meta({ description: 'The attempts that have ended, the last 50, earliest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

const deliveryStats = z.object({
  pending: z.int().meta({ example: 0 }),
  delivered: z.int().meta({ example: 1 }),
  failed: z.int().meta({ example: 0 }),
})

export const deliveryList = listOf(deliveryRecord).extend({
  stats: deliveryStats,
  next_cursor: nextCursor.optional(),
})

export const rotateSecretBody = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .meta({ description: 'How long the previous secret still signs.', example: 86_400 }),
    force: z
      .boolean()
      .default(false)
      .meta({ description: 'Replaces the secret even while an overlap is open.', example: false }),
  })
  .meta({ example: { overlap_seconds: 86_400 } })
export type RotateSecretBody = z.infer<typeof rotateSecretBody>

export const rotatedSecret = z
  .object({
    secret: createdWebhookRecord.shape.secret,
    previous_expires_at: timestamp.nullable().meta({ description: 'Null without an overlap.' }),
  })
  .meta({ id: 'RotatedSecret' })

export const testWebhookBody = z
  .strictObject({
    type: z
      .enum(eventTypes)
      .optional()
      .meta({ description: 'Default: the first one of the webhook.', example: 'event.created' }),
  })
  .meta({ example: { type: 'event.created' } })
export type TestWebhookBody = z.infer<typeof testWebhookBody>

export const testResult = z
  .object({
    delivered: z.boolean(),
    outcome: outcome.meta({ example: 'delivered' }),
    http_status: httpStatus.meta({ example: 200 }),
    duration_ms: z.int().meta({ example: 42 }),
    body_start: z
      .string()
      .nullable()
      .meta({ description: 'The first 500 characters of the answer; null without one.', example: 'ok' }),
  })
  .meta({ id: 'WebhookTest' })
export type TestResult = z.infer<typeof testResult>

export const healthQuery = z.strictObject({
  window: z.enum(['1h', '24h', '7d']).default('24h').meta({ description: 'How far back it counts.' }),
})
export type HealthQuery = z.infer<typeof healthQuery>

export const healthRecord = z
  .object({
    state: z.enum(['healthy', 'failing', 'disabled']).meta({ example: 'healthy' }),
    attempts: z.int().meta({ description: 'In the window, like the next five fields.', example: 120 }),
    delivered: z.int().meta({ example: 118 }),
    failed: z.int().meta({ example: 2 }),
    by_outcome: z.record(z.string(), z.int()).meta({ example: { delivered: 118, refused: 2 } }),
    p50_ms: z.int().nullable().meta({ description: 'Null without attempts.', example: 38 }),
    p95_ms: z.int().nullable().meta({ example: 140 }),
    pending: z.int().meta({ description: 'Counted up to 10,000.', example: 0 }),
    oldest_pending_at: timestamp.nullable().meta({ example: null }),
    last_success_at: timestamp.nullable(),
    last_failure: z.object({ at: timestamp, outcome, http_status: httpStatus }).nullable(),
    consecutive_failures: z.int().meta({ example: 0 }),
    disables_at: z.int().meta({ description: 'This many failures in a row switch the webhook off.', example: 50 }),
  })
  .meta({ id: 'WebhookHealth' })
export type HealthRecord = z.infer<typeof healthRecord>

const healthPoint = z.object({
  at: timestamp.meta({ description: 'The beginning of the step.' }),
  delivered: z.int().meta({ example: 12 }),
  failed: z.int().meta({ example: 0 }),
  p95_ms: z.int().nullable().meta({ description: 'Null without attempts.', example: 140 }),
})
export type HealthPoint = z.infer<typeof healthPoint>

export const healthSeries = z.object({ points: z.array(healthPoint) }).meta({ id: 'WebhookHealthSeries' })

export const replayBody = z
  .strictObject({
    from: datetime.meta({ description: 'At most 30 days before `to`.' }),
    to: laterDatetime.optional().meta({ description: 'Default: now.' }),
    types: events.optional().meta({ description: 'Default: all.', example: ['event.created'] }),
    only: z.enum(['failed', 'undelivered', 'all']).default('failed').meta({
      description: '`undelivered`: those that failed and those that are pending.',
    }),
    include_missed: z.boolean().default(false).meta({
      description:
        'Also what happened before the webhook existed, while it was off, or before it subscribed to that type.',
    }),
  })
  .meta({ example: { from: '2026-12-01T09:00:00Z', only: 'failed' } })
export type ReplayBody = z.infer<typeof replayBody>

export const startedReplay = z
  .object({
    id: id('rpl'),
    matched: z.int().meta({ description: 'How many deliveries are sent.', example: 12 }),
    status: z.enum(['pending', 'running', 'done']).meta({ example: 'pending' }),
  })
  .meta({ id: 'StartedWebhookReplay' })

export const replayRecord = startedReplay
  .extend({
    progress: z.int().meta({ description: 'How many of them have been handed over to be sent.', example: 12 }),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookReplay' })

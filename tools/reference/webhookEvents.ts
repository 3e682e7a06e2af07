import type { z } from 'zod'
import { deliveryHeaders, furtherHeaders, type WebhookEvent, webhookEvents } from '../../api/routes/webhookEvents.ts'
import { code, jsonBlock, page, table } from './markdown.ts'

const isOptional = (field: z.ZodType) => field.safeParse(undefined).success

const payloadOf = ({ payload }: WebhookEvent): string =>
  Object.entries(payload.shape)
    .map(([name, field]) => (isOptional(field as z.ZodType) ? `${code(name)} (optional)` : code(name)))
    .join(', ')

const section = ([type, event]: [string, WebhookEvent]) =>
  [`## ${type}`, [`${event.when}.`, event.more].filter(Boolean).join(' '), jsonBlock(event.example)].join('\n\n')

const headers = Object.entries({ ...deliveryHeaders('').shape, ...furtherHeaders.shape }).map(([name, field]) => [
  code(name),
  (field as z.ZodType).description ?? 'Type of the event.',
])

export const webhookEventsPage = (): string =>
  page(
    'Webhook events',
    '`api/routes/webhookEvents.ts`',
    'How to verify a delivery: [webhooks](../webhooks.md#verifying-a-delivery). Every delivery is a `POST` with a JSON body and these headers:',
    table(['Header', 'Meaning'], headers),
    table(
      ['Event', 'Sent when', 'Payload'],
      Object.entries(webhookEvents).map(([type, event]) => [code(type), `${event.when}.`, payloadOf(event)]),
    ),
    ...Object.entries(webhookEvents).map(section),
  )

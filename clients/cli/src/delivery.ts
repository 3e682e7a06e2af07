// A change as the service would deliver it to a webhook.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Change } from '../../typescript/src/entry.ts'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The same for every attempt and after every restart, as receivers expect it. */
const deliveryId = (changeId: string): string =>
  `whd_${createHash('sha256').update(changeId).digest('hex').slice(0, 26)}`

/** Signed in both ways: X-Signature, and Standard Webhooks. */
export function deliveryOf(
  change: Change,
  secret: string,
  now: Date,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(change.payload ?? {})
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const id = deliveryId(change.id)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'agent-calendar-cli',
      'x-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
      'x-timestamp': timestamp,
      'x-delivery-id': id,
      'x-service-event-type': change.type,
      'x-change-id': change.change_id,
      ...(change.revision !== null && { 'x-calendar-revision': String(change.revision) }),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    },
  }
}

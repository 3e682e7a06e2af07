import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { headerNamesOf, headersContext } from './headers.ts'
import { hasPayload, openPayload } from './payload.ts'
import type { DeliveryRow, WebhookRow } from './queries.ts'
import type { deliveryRecord, lastAttempt, webhookRecord } from './schema.ts'

export const urlContext = (id: Uuid) => `webhook_subscriptions.url:${id}` as const
export const secretContext = (id: Uuid) => `webhook_subscriptions.secret:${id}` as const

/** Undefined without any. */
export const openHeaders = (
  { sealer }: Pick<App, 'sealer'>,
  { id, headersSealed }: Pick<WebhookRow, 'id' | 'headersSealed'>,
): Record<string, string> | undefined =>
  headersSealed === null ? undefined : JSON.parse(sealer.unseal(headersContext(id), headersSealed))

export const presentWebhook = (app: App, row: WebhookRow): z.infer<typeof webhookRecord> => ({
  id: encodeId('whk', row.id),
  orgId: encodeId('org', row.orgId),
  url: app.sealer.unseal(urlContext(row.id), row.urlSealed),
  events: row.events as z.infer<typeof webhookRecord>['events'],
  active: row.active,
  consecutiveFailures: row.consecutiveFailures,
  firstFailureAt: isoTimeOrNull(row.firstFailureAt),
  createdAt: isoTime(row.createdAt),
  ...(row.calendarIds && { calendarIds: row.calendarIds.map((id) => encodeId('cal', id)) }),
  ...(row.agentIds && { agentIds: row.agentIds.map((id) => encodeId('agt', id)) }),
  ...(row.standard && { standard: true }),
  ...(row.headersSealed && { headerNames: headerNamesOf(openHeaders(app, row)!) }),
  ...(row.envelope && { envelope: true }),
  ...overlapOf(app, row),
})

const overlapOf = ({ clock }: App, { previousExpiresAt }: WebhookRow) =>
  previousExpiresAt && previousExpiresAt > clock.now() && { previousSecretExpiresAt: isoTime(previousExpiresAt) }

export const presentDelivery = (app: App, row: DeliveryRow): z.infer<typeof deliveryRecord> => ({
  id: encodeId('whd', row.id),
  subscription_id: encodeId('whk', row.subscriptionId),
  event_type: row.eventType as z.infer<typeof deliveryRecord>['event_type'],
  status: row.status as z.infer<typeof deliveryRecord>['status'],
  attempts: row.attempts,
  last_attempt_at: isoTimeOrNull(row.lastAttemptAt),
  next_retry_at: isoTimeOrNull(row.nextRetryAt),
  created_at: isoTime(row.createdAt),
  ...(hasPayload(row) && { payload: JSON.parse(openPayload(app, row)) }),
})

/** How the last attempt ended; null until one has. An attempt under way shows the one before it. */
export function presentLastAttempt({ status, ...row }: DeliveryRow): z.infer<typeof lastAttempt> | null {
  const isSuccess = status === 'delivered' || row.lastHttpStatus !== null
  const outcome = row.lastOutcome ?? (isSuccess ? 'delivered' : null)
  return outcome === null ? null : { outcome, http_status: row.lastHttpStatus, duration_ms: row.lastDurationMs }
}

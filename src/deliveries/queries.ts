import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { envelopeColumns, joinedEntry, payloadColumns } from '../webhooks/payload.ts'
import type { DeliveryRow, TargetRow } from '../webhooks/queries.ts'

/** A delivery with what its headers are made of. */
type DetailedDelivery = DeliveryRow &
  TargetRow & {
    attemptLogSealed: Buffer | null
    /** When the change happened; null without an envelope. */
    changedAt: Date | null
    revision: number | null
    /** When the subscription was last changed, and with it perhaps its secrets. */
    targetUpdatedAt: Date
  }

export const detailedDelivery = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, id: Uuid) =>
  own<DetailedDelivery>(sql, orgId)`
  select
    d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.event_type,
    d.status, d.attempts, d.last_attempt_at, d.next_retry_at, d.created_at,
    d.last_outcome, d.last_http_status, d.last_duration_ms, d.attempt_log_sealed,
    s.url_sealed, s.secret_sealed, s.secret_previous_sealed, s.previous_expires_at, s.standard,
    s.headers_sealed, s.updated_at as target_updated_at,
    ${payloadColumns(sql)}, entry.revision, ${envelopeColumns(sql)}
  from webhook_deliveries d
  join webhook_subscriptions s on s.org_id = d.org_id and s.id = d.subscription_id and s.deleted_at is null
  ${joinedEntry(sql, sql`d`)}
  where d.org_id = ${orgId} and d.id = ${id} and d.subscription_id = ${subscriptionId}`

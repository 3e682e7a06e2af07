// The delivery history of a subscription.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import { listed } from '../lists.ts'
import { presentDelivery } from './present.ts'
import { deliveriesOf, deliveryCounts } from './queries.ts'
import { type DeliveryListQuery, deliveryStatuses } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'

/** `stats` count all deliveries of the webhook, whatever the `status` filter; `total` counts the filtered ones. */
export async function listDeliveries(app: App, actor: Actor, webhookId: string, query: DeliveryListQuery) {
  const { id } = await requireWebhook(app, actor, webhookId)
  const [rows, counts] = await Promise.all([
    deliveriesOf(app.sql, actor.orgId, id, query),
    deliveryCounts(app.sql, actor.orgId, id),
  ])
  const countOf = (status: string) => counts.find((row) => row.status === status)?.total ?? 0
  const stats = { pending: countOf('pending'), delivered: countOf('delivered'), failed: countOf('failed') }
  const total = deliveryStatuses.reduce(
    (sum, status) => sum + (!query.status || query.status === status ? stats[status] : 0),
    0,
  )
  return {
    ...listed(
      rows.map((row) => presentDelivery(app, row)),
      total,
      query,
    ),
    stats,
  }
}

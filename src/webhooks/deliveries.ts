// The delivery history of a subscription.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { presentDelivery, presentLastAttempt } from './present.ts'
import { deliveriesOf, deliveryCounts } from './queries.ts'
import type { DeliveryListQuery } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'

/** `stats` count all deliveries of the webhook, whatever the `status` filter; `total` counts the filtered ones. */
export async function listDeliveries(app: App, actor: Actor, webhookId: string, query: DeliveryListQuery) {
  const { id } = await requireWebhook(app, actor, webhookId)
  const [rows, [counted]] = await Promise.all([
    deliveriesOf(app.sql, actor.orgId, id, query),
    deliveryCounts(app.sql, actor.orgId, id),
  ])
  const { pending, delivered, failed } = counted ?? { pending: 0, delivered: 0, failed: 0 }
  const stats = { pending, delivered, failed }
  const total = query.status ? stats[query.status] : stats.pending + stats.delivered + stats.failed
  return {
    ...listPage(
      await mapInSlices(rows, (row) => ({
        ...presentDelivery(app, row),
        ...(query.include_attempt && { last_attempt: presentLastAttempt(row) }),
      })),
      total,
      query,
    ),
    stats,
  }
}

// The end of a subscription that keeps failing: it is switched off, and the organization's others are told.
import type { App } from '../app.ts'
import { commitParts } from '../changes/commitParts.ts'
import { encodeId } from '../shapes/ids.ts'
import { emit } from './emit.ts'
import { parkDeliveries } from './parking.ts'
import { urlPlace } from './present.ts'
import type { ClaimedRow } from './queries.ts'
import { maxFailures } from './rules.ts'

export async function deactivate(app: App, { orgId, subscriptionId, urlSealed }: ClaimedRow): Promise<void> {
  const { sql } = app
  const guard = sql`
    update webhook_subscriptions set active = false, updated_at = ${app.clock.now()}
    where org_id = ${orgId} and id = ${subscriptionId} and active and consecutive_failures >= ${maxFailures}
    returning id`
  const payload = {
    webhook_id: encodeId('whk', subscriptionId),
    url: app.sealer.unseal(urlPlace(subscriptionId), urlSealed),
    reason: 'consecutive_failures',
  }
  const { matched } = await commitParts(app, guard, {
    parked: parkDeliveries(sql, orgId, subscriptionId, sql`guard`),
    deliveries: emit(app, orgId, [{ type: 'webhook.deactivated', payload }], subscriptionId),
  })
  if (matched) app.metrics.webhooksDeactivated.inc()
}

// The end of a subscription that keeps failing: it is switched off, and the organization's other webhooks are notified.

import type { App } from '../app.ts'
import { byItself } from '../changelog/origin.ts'
import { commit } from '../changes/commit.ts'
import { guard } from '../changes/step.ts'
import { encodeId } from '../shapes/ids.ts'
import type { ClaimedRow } from './attempts.ts'
import { emit } from './emit.ts'
import { parkDeliveries } from './parking.ts'
import { urlPlace } from './present.ts'
import { deactivateWebhookGuard } from './writes.ts'

export async function deactivate(app: App, { orgId, subscriptionId, urlSealed }: ClaimedRow): Promise<void> {
  const webhook = { orgId, id: subscriptionId }
  const payload = {
    webhook_id: encodeId('whk', subscriptionId),
    url: app.sealer.unseal(urlPlace(subscriptionId), urlSealed),
    reason: 'consecutive_failures',
  }
  const { matched } = await commit(app, {
    guard: deactivateWebhookGuard(app, webhook),
    effects: [
      parkDeliveries(app, webhook, guard),
      ...emit(app, byItself(orgId, 'timer'), [{ type: 'webhook.deactivated', payload }], subscriptionId),
    ],
  })
  if (matched) app.metrics.webhooksDeactivated.inc()
}

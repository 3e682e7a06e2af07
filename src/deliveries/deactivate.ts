// The end of a subscription that keeps failing: it is switched off, and the organization's other webhooks are notified.

import type { App } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { guard } from '../commit/step.ts'
import { encodeId } from '../shapes/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { urlContext } from '../webhooks/present.ts'
import { suspendDeliveries } from '../webhooks/suspension.ts'
import { deactivateWebhookGuard } from '../webhooks/writes.ts'
import type { ClaimedRow } from './attempts.ts'

export async function deactivate(app: App, { orgId, subscriptionId, urlSealed }: ClaimedRow): Promise<void> {
  const webhook = { orgId, id: subscriptionId }
  const payload = {
    webhook_id: encodeId('whk', subscriptionId),
    url: app.sealer.unseal(urlContext(subscriptionId), urlSealed),
    reason: 'consecutive_failures',
  }
  const { matched } = await commit(app, {
    guard: deactivateWebhookGuard(app, webhook),
    effects: [
      suspendDeliveries(app, webhook, guard),
      ...emit(app, byItself(orgId, 'timer'), [{ type: 'webhook.deactivated', payload }], { except: subscriptionId }),
    ],
  })
  if (matched) app.metrics.webhooksDeactivated.inc()
}

// Sending a delivery again: the same bytes under the same id, with a new signature.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { decide } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { conflict, notFound } from '../errors.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { jobs } from '../wakeups/jobs.ts'
import { requireDelivery } from './inspect.ts'
import { presentDelivery } from './present.ts'
import { type DeliveryState, deliveryOfWebhook } from './queries.ts'
import { requireWebhook } from './subscriptions.ts'
import { resendDeliveryGuard, resendEffects } from './writes.ts'

type Delivery = ReturnType<typeof presentDelivery>

/** By its owner. One that waits for its retry is sent now. */
export function resendDelivery(app: App, actor: Actor, webhookId: string, id: string): Promise<Delivery> {
  return decideResend(app, id, async () => {
    const { id: webhook } = await requireWebhook(app, actor, webhookId)
    const uuid = decodeId('whd', id)
    const [row] = uuid ? await deliveryOfWebhook(app.sql, actor.orgId, webhook, uuid) : []
    if (!row) throw notFound('delivery', null, id)
    const outcome = presentDelivery(app, { ...row, status: 'pending', nextRetryAt: app.clock.now() })
    const effects = [auditEntry(app, actor, 'webhook.update', id), storeResponse(app, actor, outcome)]
    return { row, effects, outcome }
  })
}

/** By an operator, for any organization. */
export function resendAnyDelivery(app: App, request: RequestContext, id: string): Promise<void> {
  return decideResend(app, id, async () => {
    const row = await requireDelivery(app, id)
    const effects = [auditEntry(app, { orgId: row.orgId, keyPrefix: null, request }, 'webhook.update', id)]
    return { row, effects, outcome: undefined }
  })
}

type Resending<T> = { row: DeliveryState; effects: (Effect | readonly Effect[] | undefined)[]; outcome: T }

/**
 * Whatever its status. A delivery that has ended gets one attempt more; one that was never posted because the month had no
 * deliveries left is charged like a new one.
 */
function decideResend<T>(app: App, id: string, read: () => Promise<Resending<T>>): Promise<T> {
  let seen: DeliveryState | undefined
  return decide(app, { noun: 'delivery', key: id }, async () => {
    const { row, effects, outcome } = await read()
    // Nothing has changed since the try that did not match, so this is why.
    if (seen?.status === row.status && seen.attempts === row.attempts) throw conflict(whyNot(row))
    seen = row
    const guard = resendDeliveryGuard(app, row, jobs.deliver.leaseMs)
    return commitOrAgain(app, { guard, effects: [...resendEffects(app), ...effects] }, outcome)
  })
}

function whyNot({ removed, active, waitsFor }: DeliveryState): string {
  if (removed) return 'The webhook of this delivery has been removed.'
  if (!active)
    return 'The webhook of this delivery is not active. Pending deliveries are sent when its owner activates it.'
  if (waitsFor) return `It is sent after ${encodeId('whd', waitsFor)}, which is still pending.`
  return 'An attempt is under way. Look at it again in a few seconds.'
}

// Sending a delivery again: the same bytes under the same id, with a new signature.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../changes/commit.ts'
import { conflict } from '../errors.ts'
import { encodeId } from '../shapes/ids.ts'
import { requireDelivery } from './inspect.ts'
import { leaseMs } from './outcome.ts'
import type { InspectedRow } from './queries.ts'
import { resendDeliveryGuard, resendEffects } from './writes.ts'

/**
 * Whatever its status. A delivery that has used up its attempts gets one more; one that was never posted because the month
 * had no deliveries left is charged like a new one.
 */
export async function resendDelivery(app: App, request: RequestContext, id: string): Promise<void> {
  const { orgId, id: uuid } = await requireDelivery(app, id)
  const { matched } = await commit(app, {
    guard: resendDeliveryGuard(app, { orgId, id: uuid }, leaseMs),
    effects: [...resendEffects(app), auditEntry(app, { orgId, keyPrefix: null, request }, 'webhook.update', id)],
  })
  if (!matched) throw conflict(whyNot(await requireDelivery(app, id)))
}

function whyNot({ removed, active, waitsFor }: InspectedRow): string {
  if (removed) return 'The webhook of this delivery has been removed.'
  if (!active)
    return 'The webhook of this delivery is not active. Pending deliveries are sent when its owner activates it.'
  if (waitsFor) return `It leaves after ${encodeId('whd', waitsFor)}, which is not delivered yet.`
  return 'An attempt is under way. Look at it again in a few seconds.'
}

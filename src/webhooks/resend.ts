// Sending a delivery again: the same bytes under the same id, signed afresh.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict } from '../errors.ts'
import { encodeId } from '../shapes/ids.ts'
import { leaseMs } from './deliver.ts'
import { requireDelivery } from './inspect.ts'
import { type InspectedRow, resentDelivery, uncountDelivery } from './queries.ts'

/**
 * Whatever became of it. What had used up its attempts gets one more; what was never posted for want of quota is charged
 * as if it were new.
 */
export async function resendDelivery(app: App, request: RequestContext, id: string): Promise<void> {
  const { orgId, id: uuid } = await requireDelivery(app, id)
  const { matched } = await commitParts(app, resentDelivery(app.sql, orgId, uuid, app.clock.now(), leaseMs), {
    uncounted: uncountDelivery(app.sql),
    deliveries: app.sql`select org_id, id, subscription_id, attempts, next_retry_at from guard`,
    audit: auditEntry(app, { orgId, keyPrefix: null, request }, 'webhook.update', id),
  })
  if (!matched) throw conflict(whyNot(await requireDelivery(app, id)))
}

function whyNot({ removed, active, waitsFor }: InspectedRow): string {
  if (removed) return 'The webhook of this delivery has been removed.'
  if (!active)
    return 'The webhook of this delivery is not active. What is pending goes out when its owner activates it.'
  if (waitsFor) return `It leaves after ${encodeId('whd', waitsFor)}, which is still to be delivered.`
  return 'An attempt is under way. Look at it again in a few seconds.'
}

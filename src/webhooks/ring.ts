// Deliveries that a change makes due: their subscriptions are rung for.
import { ring } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeLanes } from '../wakeups/lanes.ts'

/** Of effects that return `org_id, subscription_id, next_retry_at`. */
export const deliveriesRing = ring<[orgId: Uuid, subscriptionId: Uuid][]>('deliveries', {
  found: (sql, rows, horizon) => sql`
    select jsonb_agg(distinct jsonb_build_array(org_id, subscription_id)) from ${rows} where next_retry_at <= ${horizon}`,
  after(app, pairs) {
    const lanes = pairs.map(([orgId, subscriptionId]) => ({ orgId, subscriptionId }))
    app.bell.ring(wakeLanes(lanes, app.clock.now()))
  },
})

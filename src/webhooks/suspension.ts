// Pending deliveries of a subscription that is not active wait for it without a due time. A statement that takes several
// deliveries of a subscription locks the subscription first, and skips deliveries that are locked: their result is being
// recorded at this moment (docs/decisions/lock-order.md).
// An update says `not in`, for which only the pending deliveries are read, each by its key (`recordResults`).
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { Identifier } from '../stores/template.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { deliveriesRing } from './ring.ts'

type WebhookKey = { orgId: Uuid; id: Uuid }

/**
 * After `written`, the part of the change that switches the subscription off. A delivery that it skips is suspended when it
 * comes due (`suspendInactive`).
 */
export const suspendDeliveries = ({ sql }: App, { orgId, id }: WebhookKey, written: Identifier): Effect =>
  effect(
    'parked',
    sql`
    update webhook_deliveries d
    set next_retry_at = null
    from (
      select org_id, id
      from webhook_deliveries
      where org_id = ${orgId} and subscription_id = ${id} and status = 'pending' and next_retry_at is not null
        and exists (select from ${written})
      for no key update skip locked) waiting
    where d.org_id = waiting.org_id and d.id = waiting.id and d.status not in ('delivered', 'failed')`,
  )

/**
 * After `written`, the part of the change that switches the subscription on: of each change the first delivery that is still
 * pending becomes due. One that it skips is due already, or becomes due with the result of its predecessor.
 */
export const resumeDeliveries = ({ sql, clock }: App, { orgId, id }: WebhookKey, written: Identifier): Effect =>
  ringing(
    deliveriesRing,
    sql`
    update webhook_deliveries d
    set next_retry_at = ${clock.now()}
    from (
      select n.org_id, n.id
      from webhook_deliveries n
      where n.org_id = ${orgId} and n.subscription_id = ${id} and n.status = 'pending'
        and exists (select from ${written})
        and not exists (
          select from webhook_deliveries p
          where p.org_id = n.org_id and p.subscription_id = n.subscription_id and p.change_id = n.change_id
            and p.status = 'pending' and p.position < n.position)
      for no key update of n skip locked) first
    where d.org_id = first.org_id and d.id = first.id and d.status not in ('delivered', 'failed')
    returning d.org_id, d.subscription_id, d.next_retry_at`,
  )

/**
 * Suspends due deliveries of inactive subscriptions: they were emitted while the subscription was being switched off. The share
 * lock keeps a subscription inactive until they are suspended, so that switching it on at the same moment leaves none behind.
 */
export const suspendInactive = (sql: Sql, lanes: readonly LaneKey[]) => sql`
  with
  -- subscriptions before deliveries, in the one order
  inactive as (
    select s.org_id, s.id
    from ${rowsOf(sql, lanes, { orgId: 'uuid', subscriptionId: 'uuid' }, 'k')}
    join webhook_subscriptions s on s.org_id = k.org_id and s.id = k.subscription_id and not s.active
    order by s.org_id, s.id
    for share of s
  ),
  waiting as (
    select d.org_id, d.id
    from inactive
    join webhook_deliveries d on d.org_id = inactive.org_id and d.subscription_id = inactive.id
    where d.status = 'pending' and d.next_retry_at <= app_now()
    for no key update of d skip locked
  )
  update webhook_deliveries d
  set next_retry_at = null
  from waiting
  where d.org_id = waiting.org_id and d.id = waiting.id and d.status not in ('delivered', 'failed')`

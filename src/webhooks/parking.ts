// Pending deliveries of a subscription that is not active wait, without a time, for it to become active again. Whoever
// takes several deliveries of a subscription has locked the subscription before, and passes over deliveries that are
// locked: somebody writes their result at this moment (docs/decisions/lock-order.md).
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { DeliveryKey } from './queries.ts'

/**
 * An effect, after the one that writes the subscription: `written` names it. A delivery that is passed over is parked
 * when it comes due (`parkInactive`).
 */
export const parkDeliveries = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, written: Fragment): Fragment => sql`
  update webhook_deliveries d set next_retry_at = null
  from (
    select org_id, id from webhook_deliveries
    where org_id = ${orgId} and subscription_id = ${subscriptionId} and status = 'pending' and next_retry_at is not null
      and exists (select from ${written})
    for no key update skip locked) waiting
  where d.org_id = waiting.org_id and d.id = waiting.id`

/**
 * An effect, as `parkDeliveries`. What waited for the subscription continues: of each change the first delivery that is
 * still pending. One that is passed over has a time already, or gets it from the result of its predecessor.
 */
export const resumeDeliveries = (
  { sql, clock }: App,
  orgId: Uuid,
  subscriptionId: Uuid,
  written: Fragment,
): Fragment => sql`
  update webhook_deliveries d set next_retry_at = ${clock.now()}
  from (
    select n.org_id, n.id from webhook_deliveries n
    where n.org_id = ${orgId} and n.subscription_id = ${subscriptionId} and n.status = 'pending'
      and exists (select from ${written})
      and not exists (
        select from webhook_deliveries p where p.org_id = n.org_id and p.subscription_id = n.subscription_id
          and p.change_id = n.change_id and p.status = 'pending' and p.position < n.position)
    for no key update of n skip locked) first
  where d.org_id = first.org_id and d.id = first.id
  returning d.org_id, d.id, d.subscription_id, d.attempts, d.next_retry_at`

/**
 * Parks those of `keys` whose subscription is not active: they were emitted while it was being switched off. The lock keeps
 * the subscription as it was seen: what is switched on at this moment must not be left behind.
 */
export const parkInactive = (sql: Sql, keys: readonly DeliveryKey[]) => sql`
  with asked as materialized (
    select d.org_id, d.id, d.subscription_id
    from jsonb_to_recordset(${sql.json(keys)}) as k ("orgId" uuid, "deliveryId" uuid)
    join webhook_deliveries d on d.org_id = k."orgId" and d.id = k."deliveryId" and d.status = 'pending'
  ), inactive as (
    select s.org_id, s.id from webhook_subscriptions s
    where (s.org_id, s.id) in (select org_id, subscription_id from asked) and not s.active
    order by s.org_id, s.id for share of s
  ), waiting as (
    select d.org_id, d.id from asked
    join inactive on inactive.org_id = asked.org_id and inactive.id = asked.subscription_id
    join webhook_deliveries d on d.org_id = asked.org_id and d.id = asked.id and d.status = 'pending'
    for no key update of d skip locked
  )
  update webhook_deliveries d set next_retry_at = null from waiting
  where d.org_id = waiting.org_id and d.id = waiting.id`

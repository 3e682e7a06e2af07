// What is written to `webhook_subscriptions` and `webhook_deliveries` by changes of other nouns. Subscriptions are locked in
// the order of their keys (docs/decisions/lock-order.md).
import { type Effect, effect } from '../changes/effect.ts'
import { guard, type Step } from '../changes/step.ts'
import type { Sql } from '../stores/postgres.ts'

/** Switches off all webhooks of the organization whose `id` the guard returned. */
export const switchOffWebhooks = (sql: Sql, now: Date): Effect =>
  effect(
    'webhooks',
    sql`
    update webhook_subscriptions s
    set active = false, updated_at = ${now}
    from (
      -- locks before the update, in one order
      select l.org_id, l.id
      from webhook_subscriptions l
      where l.org_id = (select id from ${guard}) and l.active
      order by l.org_id, l.id
      for no key update of l
    ) active
    where s.org_id = active.org_id and s.id = active.id
    returning s.id`,
  )

/**
 * Parks the deliveries that wait for an attempt until their webhook is active again. `switchedOff` is the step that switched
 * the webhooks off. A delivery that is locked at this moment is parked when it comes due.
 */
export const parkAllDeliveries = (sql: Sql, switchedOff: Step): Effect =>
  effect(
    'parked',
    sql`
    update webhook_deliveries d
    set next_retry_at = null
    from (
      -- skips deliveries whose result is being written
      select org_id, id
      from webhook_deliveries
      where org_id = (select id from ${guard}) and status = 'pending' and next_retry_at is not null
        and (select count(*) from ${switchedOff}) > 0
      for no key update skip locked
    ) waiting
    where d.org_id = waiting.org_id and d.id = waiting.id`,
  )

/** Closes all webhooks of the organization whose `id` the guard returned: none of their deliveries is attempted any more. */
export const closeWebhooks = (sql: Sql, now: Date): Effect =>
  effect(
    'webhooks',
    sql`
    update webhook_subscriptions s
    set deleted_at = ${now}, active = false
    from (
      -- locks before the update, in one order
      select o.org_id, o.id
      from webhook_subscriptions o
      join ${guard} on o.org_id = ${guard}.id
      where o.deleted_at is null
      order by o.org_id, o.id
      for no key update of o
    ) open
    where s.org_id = open.org_id and s.id = open.id`,
  )

// Guards and effects on webhook subscriptions and their deliveries. Attempts have their own (attempts.ts), and so has the
// suspension of deliveries (suspension.ts).
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import type { Filters } from './filters.ts'
import { urlContext } from './present.ts'
import { earlierOfChange, type WebhookRow } from './queries.ts'
import { deliveriesRing } from './ring.ts'
import { maxFailures } from './rules.ts'

type WebhookKey = { orgId: Uuid; id: Uuid }

export const insertWebhook = ({ sql }: App, row: WebhookRow & { secretSealed: Buffer }): Effect =>
  effect(
    'webhook',
    sql`
    insert into webhook_subscriptions (
      org_id, id, url_sealed, url_hash,
      events, calendar_ids, agent_ids, standard, headers_sealed, envelope, secret_sealed, created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.urlSealed}::bytea, ${row.urlHash}::bytea,
      ${texts(sql, row.events)}, ${row.calendarIds}::uuid[], ${row.agentIds}::uuid[],
      ${row.standard}::boolean, ${row.headersSealed}::bytea, ${row.envelope}::boolean, ${row.secretSealed}::bytea,
      ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

type Rewrite = {
  url?: string | undefined
  urlHash: Buffer
  events: string[]
  active?: boolean | undefined
  filters: Filters
  standard: boolean
  headersSealed: Buffer | null
  envelope: boolean
}

/** Switching it on clears its failures. Returns its id. */
export const rewriteWebhook = ({ sql, sealer, clock }: App, { orgId, id }: WebhookKey, after: Rewrite): Effect =>
  effect(
    'webhook',
    sql`
    update webhook_subscriptions
    set
      url_hash = ${after.urlHash}::bytea,
      events = ${texts(sql, after.events)},
      calendar_ids = ${after.filters.calendarIds}::uuid[],
      agent_ids = ${after.filters.agentIds}::uuid[],
      standard = ${after.standard},
      headers_sealed = ${after.headersSealed}::bytea,
      envelope = ${after.envelope},
      updated_at = ${clock.now()}
      ${after.url === undefined ? sql`` : sql`, url_sealed = ${sealer.seal(urlContext(id), after.url)}::bytea`}
      ${after.active === undefined ? sql`` : sql`, active = ${after.active}`}
      ${after.active ? sql`, consecutive_failures = 0, first_failure_at = null` : sql``}
    from ${guard}
    where org_id = ${orgId} and id = ${id} and deleted_at is null
    returning id`,
  )

/**
 * The new secret signs from now on. Until `overlapEndsAt` the current one signs as well. If an overlap is already open, the
 * oldest secret keeps signing, and the one between is dropped.
 */
export const rotateSecretEffect = (
  { sql, clock }: App,
  { orgId, id }: WebhookKey,
  secretSealed: Buffer,
  overlapEndsAt: Date | null,
): Effect =>
  effect(
    'webhook',
    sql`
    update webhook_subscriptions
    set
      secret_sealed = ${secretSealed},
      secret_previous_sealed = case
        when ${overlapEndsAt}::timestamptz is null then null
        when previous_expires_at > ${clock.now()} then secret_previous_sealed
        else secret_sealed
      end,
      previous_expires_at = ${overlapEndsAt},
      updated_at = ${clock.now()}
    from ${guard}
    where org_id = ${orgId} and id = ${id} and deleted_at is null`,
  )

/** The previous secret no longer signs. */
export const endOverlapEffect = ({ sql, clock }: App, { orgId, id }: WebhookKey): Effect =>
  effect(
    'webhook',
    sql`
    update webhook_subscriptions
    set secret_previous_sealed = null, previous_expires_at = null, updated_at = ${clock.now()}
    from ${guard}
    where org_id = ${orgId} and id = ${id} and deleted_at is null`,
  )

/** Forgets the secrets whose overlap is over. From then on it cannot be shown what they signed. */
export const forgetPreviousSecrets = (sql: Sql, now: Date) => sql`
  update webhook_subscriptions
  set secret_previous_sealed = null, previous_expires_at = null, updated_at = greatest(updated_at, previous_expires_at)
  where previous_expires_at <= ${now}`

/** Its row stays for the history of its deliveries. Returns its id. */
export const deleteWebhook = ({ sql, clock }: App, { orgId, id }: WebhookKey): Effect =>
  effect(
    'webhook',
    sql`
    update webhook_subscriptions
    set deleted_at = ${clock.now()}, active = false, updated_at = ${clock.now()}
    from ${guard}
    where org_id = ${orgId} and id = ${id} and deleted_at is null
    returning id`,
  )

/** Matches a subscription that is active and has failed too often in a row, and switches it off. */
export const deactivateWebhookGuard = ({ sql, clock }: App, { orgId, id }: WebhookKey): Fragment => sql`
  update webhook_subscriptions
  set active = false, updated_at = ${clock.now()}
  where org_id = ${orgId} and id = ${id} and active and consecutive_failures >= ${maxFailures}
  returning id`

/**
 * Makes a delivery due at once; one that had ended gets one attempt more. Matches if it has not changed since it was `seen`,
 * its webhook is active, nothing of its change leaves before it, and no attempt is under way.
 */
export const resendDeliveryGuard = ({ sql, clock }: App, seen: SeenDelivery, leaseMs: number): Fragment => sql`
  update webhook_deliveries d
  set status = 'pending', next_retry_at = ${clock.now()}, retry_schedule = ${scheduleOfResend(sql)}
  from webhook_subscriptions s
  where d.org_id = ${seen.orgId} and d.id = ${seen.id} and d.change_id = ${seen.changeId}
    and d.status = ${seen.status} and d.attempts = ${seen.attempts}::smallint
    and s.org_id = d.org_id and s.id = d.subscription_id and s.active
    and ${isUnderWay(sql, leaseMs)} is not true
    and ${earlierOfChange(sql, sql`d`)} is null
  returning d.org_id, d.id, d.subscription_id, d.next_retry_at, old.status as previous`

type SeenDelivery = WebhookKey & { changeId: Uuid; status: string; attempts: number }

/** Of delivery `d`: during an attempt it has the end of its lease as its next retry; a real retry is later. Null is no. */
export const isUnderWay = (sql: Sql, leaseMs: number): Fragment => sql`
  (d.status = 'pending' and d.next_retry_at > app_now()
    and d.next_retry_at <= d.last_attempt_at + ${leaseMs} * interval '1 millisecond')`

/** For delivery `d`: one that has ended has no wait after its next attempt, which is then its last. */
export const scheduleOfResend = (sql: Sql): Fragment => sql`
  case
    when d.status = 'pending' then d.retry_schedule
    else (d.retry_schedule || array_fill(0, array[d.attempts::integer]))[1:d.attempts]
  end`

/** After `resendDeliveryGuard`: rings for the delivery, and counts it as pending again if it had ended. */
export const resendEffects = ({ sql }: App): Effect[] => [
  effect(
    'uncounted',
    sql`
    update webhook_delivery_counts c
    set
      delivered = c.delivered - (${guard}.previous = 'delivered')::integer,
      failed = c.failed - (${guard}.previous = 'failed')::integer
    from ${guard}
    where ${guard}.previous <> 'pending'
      and c.org_id = ${guard}.org_id and c.subscription_id = ${guard}.subscription_id`,
  ),
  ringing(deliveriesRing, sql`select org_id, subscription_id, next_retry_at from ${guard}`),
]

/** Removes at most `max` old stretches of the health of subscriptions. */
export const purgeHealth = (sql: Sql, before: Date, max: number) => sql`
  delete from webhook_health
  where (org_id, subscription_id, stretch) in (
    select org_id, subscription_id, stretch
    from webhook_health
    where stretch < ${before}
    limit ${max})`

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
 * Suspends the deliveries that wait for an attempt until their webhook is active again. `switchedOff` is the step that switched
 * the webhooks off. A delivery that is locked at this moment is suspended when it comes due.
 */
export const suspendAllDeliveries = (sql: Sql, switchedOff: Step): Effect =>
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
    where d.org_id = waiting.org_id and d.id = waiting.id and d.status not in ('delivered', 'failed')`,
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

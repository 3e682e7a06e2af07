// Webhook events are rows of the change that causes them: one delivery per matching active subscription, with the final
// payload, sealed, and the retry schedule of the plan at that moment.
import type { App } from '../app.ts'
import { type Effect, ringing } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { planIds, plans } from '../plans/plans.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { integers, rowsOf, texts } from '../stores/sql.ts'
import type { EventType } from './catalog.ts'
import { payloadPlace } from './present.ts'

export type Emission = { type: EventType; payload: unknown }

/** The change's events in the order in which they must leave; `except` names a subscription that gets none of them. */
export const emit = (app: App, orgId: Uuid, emissions: readonly Emission[], except?: Uuid): Effect => {
  const { sql } = app
  const changeId = newId()
  const traceparent = currentTraceparent()
  const messages = emissions.map(({ type, payload }, position) => ({
    ...{ orgId, changeId, position, type, traceparent, key: null },
    payload: sealedPayload(app, changeId, position, payload),
  }))
  const condition = sql`exists (select from ${guard})`
  return insertListed(app, messages, except ? sql`${condition} and s.id <> ${except}` : condition, emissions)
}

type KeyedEmission = Emission & { orgId: Uuid; key: string; traceparent?: string | null }

/**
 * Many small changes in one statement: each message is emitted when `guard` returned a row with its `key`. `traceparent`
 * where it is not the one under way.
 */
export const emitPerKey = (app: App, keyed: readonly KeyedEmission[]): Effect => {
  const underWay = currentTraceparent()
  const messages = keyed.map(({ orgId, key, type, payload, traceparent }) => {
    const changeId = newId()
    return {
      ...{ orgId, changeId, position: 0, type, traceparent: traceparent ?? underWay, key },
      payload: sealedPayload(app, changeId, 0, payload),
    }
  })
  return insertListed(app, messages, app.sql`m.key in (select key from ${guard})`)
}

/**
 * Many small changes in one statement, each of which emits one event: the guard has `org_id`, the `emissionColumns`, and
 * `plan`, that of the organization. A row whose `event_type` is null emits nothing. `told`: the events, where a dry run asks
 * for them.
 */
export const emitEach = (app: App, told?: readonly Emission[]): Effect => {
  const { sql } = app
  return insertDeliveries(app, {
    told,
    messages: sql`(select *, event_type as type, 0 as position from ${guard}) m`,
    plan: sql`m.plan`,
    isFirst: sql`true`,
    condition: sql`true`,
  })
}

/** An emission as `emitEach` takes it. */
export const emissionColumns = { changeId: 'uuid', eventType: 'text', payload: 'bytea', traceparent: 'text' } as const

/** It belongs to the trace that is under way. */
export function emissionOf(app: App, { type, payload }: Emission) {
  const changeId = newId()
  const sealed = sealedPayload(app, changeId, 0, payload)
  return { changeId, eventType: type, payload: sealed, traceparent: currentTraceparent() }
}

const sealedPayload = ({ sealer }: App, changeId: Uuid, position: number, payload: unknown): Buffer =>
  sealer.seal(payloadPlace(changeId, position), JSON.stringify(payload))

const messageColumns = {
  orgId: 'uuid',
  changeId: 'uuid',
  position: 'smallint',
  type: 'text',
  key: 'text',
  payload: 'bytea',
  traceparent: 'text',
} as const

type Message = Record<keyof typeof messageColumns, unknown>

const insertListed = (
  app: App,
  messages: readonly Message[],
  condition: Fragment,
  told?: readonly Emission[],
): Effect => {
  const { sql } = app
  return insertDeliveries(app, {
    messages: sql`${rowsOf(sql, messages, messageColumns, 'm')} join organizations o on o.id = m.org_id`,
    plan: sql`o.plan`,
    // The first event of a change for a subscription is due at once, the others when their predecessor is done.
    isFirst: sql`row_number() over (partition by s.id, m.change_id order by m.position) = 1`,
    condition,
    told,
  })
}

/** The plans that share a schedule, by it. */
const plansBySchedule = [...Map.groupBy(planIds, (plan) => plans[plan].retryScheduleSeconds)]

const retrySchedule = (sql: Sql, plan: Fragment): Fragment => sql`
  case ${plansBySchedule.map(
    ([schedule, ids]) => sql`when ${plan} = any (${texts(sql, ids)}) then ${integers(sql, schedule)} `,
  )}end`

type Source = {
  /** A `from` clause whose alias `m` has `org_id, change_id, position, type, payload, traceparent`. */
  messages: Fragment
  plan: Fragment
  isFirst: Fragment
  condition: Fragment
  told?: readonly Emission[]
}

function insertDeliveries({ sql, clock }: App, { messages, plan, isFirst, condition, told }: Source): Effect {
  const now = clock.now()
  return ringing(
    'deliveries',
    sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, change_id, position, event_type, payload_sealed,
      retry_schedule,
      next_retry_at, created_at, traceparent)
    select
      s.org_id, uuidv7(), s.id, m.change_id, m.position, m.type, m.payload,
      ${retrySchedule(sql, plan)},
      case when ${isFirst} then ${now}::timestamptz end,
      ${now}::timestamptz,
      m.traceparent
    from ${messages}
    join webhook_subscriptions s on s.org_id = m.org_id and s.active and s.events @> array[m.type]
    where ${condition}
    order by m.change_id, m.position
    returning org_id, subscription_id, next_retry_at`,
    told,
  )
}

// Webhook events are rows of the change that causes them: one delivery per matching active subscription, with the final
// payload, sealed, and the retry schedule of the plan at that moment.
import type { App } from '../app.ts'
import { type Effect, ringing } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { planIds, plans } from '../plans/plans.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { integers, rowsOf, texts } from '../stores/sql.ts'
import type { EventType } from './catalog.ts'
import { payloadPlace } from './present.ts'

export type Emission = { type: EventType; payload: unknown }

type Message = {
  orgId: Uuid
  changeId: Uuid
  position: number
  type: EventType
  payload: unknown
  key: string | null
  /** The trace that the attempts of its deliveries belong to. */
  traceparent: string | null
}

/** The change's events in the order in which they must leave; `except` names a subscription that gets none of them. */
export const emit = (app: App, orgId: Uuid, emissions: readonly Emission[], except?: Uuid): Effect => {
  const changeId = newId()
  const traceparent = currentTraceparent()
  const messages = emissions.map((emission, position) => ({
    ...emission,
    orgId,
    changeId,
    position,
    key: null,
    traceparent,
  }))
  const condition = app.sql`exists (select from ${guard})`
  return insertDeliveries(app, messages, except ? app.sql`${condition} and s.id <> ${except}` : condition)
}

type KeyedEmission = Emission & { orgId: Uuid; key: string; traceparent?: string | null }

/**
 * Many small changes in one statement: each message is emitted when `guard` returned a row with its `key`. `traceparent`
 * where it is not the one under way.
 */
export const emitPerKey = (app: App, keyed: readonly KeyedEmission[]): Effect => {
  const underWay = currentTraceparent()
  const messages = keyed.map((emission) => ({
    ...emission,
    traceparent: emission.traceparent ?? underWay,
    changeId: newId(),
    position: 0,
  }))
  return insertDeliveries(app, messages, app.sql`m.key in (select key from ${guard})`)
}

/** The plans that share a schedule, by it. */
const plansBySchedule = [...Map.groupBy(planIds, (plan) => plans[plan].retryScheduleSeconds)]

/** Of the plan of the organization `o`. */
const retrySchedule = (sql: App['sql']): Fragment => sql`
  case ${plansBySchedule.map(
    ([schedule, ids]) => sql`when o.plan = any (${texts(sql, ids)}) then ${integers(sql, schedule)} `,
  )}end`

function insertDeliveries({ sql, sealer, clock }: App, messages: readonly Message[], condition: Fragment): Effect {
  const now = clock.now()
  const rows = messages.map(({ orgId, changeId, position, type, payload, key, traceparent }) => ({
    orgId,
    changeId,
    position,
    type,
    key,
    traceparent,
    payload: sealer.seal(payloadPlace(changeId, position), JSON.stringify(payload)).toString('base64'),
  }))
  // The first event of a change for a subscription is due at once, the others when their predecessor is done.
  return ringing(
    'deliveries',
    sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, change_id, position, event_type, payload_sealed,
      retry_schedule,
      next_retry_at, created_at, traceparent)
    select
      s.org_id, uuidv7(), s.id, m.change_id, m.position, m.type, decode(m.payload, 'base64'),
      ${retrySchedule(sql)},
      case when row_number() over (partition by s.id, m.change_id order by m.position) = 1 then ${now}::timestamptz end,
      ${now}::timestamptz,
      m.traceparent
    from ${rowsOf(sql, rows, messageColumns, 'm')}
    join organizations o on o.id = m.org_id
    join webhook_subscriptions s on s.org_id = m.org_id and s.active and s.events @> array[m.type]
    where ${condition}
    order by m.change_id, m.position
    returning org_id, id, subscription_id, attempts, next_retry_at`,
  )
}

const messageColumns = {
  orgId: 'uuid',
  changeId: 'uuid',
  position: 'smallint',
  type: 'text',
  key: 'text',
  payload: 'text',
  traceparent: 'text',
} as const

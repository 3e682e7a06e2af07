// Emits events as rows of the change that causes them: an entry of the change feed, which has the sealed payload, and one
// delivery per matching active subscription, which points to the entry and has the retry schedule of the plan at that moment.
import type { App } from '../app.ts'
import { type FeedType, isFeedType } from '../changeLog/catalog.ts'
import type { Cause, Origin } from '../changeLog/origin.ts'
import {
  type Happening,
  logChange,
  logEach,
  logMoments,
  logOverCalendars,
  logPerKey,
  sealPayload,
} from '../changeLog/writes.ts'
import { type Effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { planIds, plans } from '../plans/plans.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { integers, texts } from '../stores/sql.ts'
import type { EventType } from './catalog.ts'
import { passes } from './filters.ts'
import { deliveriesRing } from './ring.ts'

/** A `FeedType` is in the change feed only. */
export type Emission = Happening & { type: EventType | FeedType }

/** `except`: a subscription that gets none of them. `name`: begins the names of its effects, if the change emits twice. */
type EmitOptions = { except?: Uuid; name?: string }

/** The emissions of a change, in their order. Without any it has no effects. */
export function emit(
  app: App,
  origin: Origin,
  emissions: readonly Emission[],
  { except, name }: EmitOptions = {},
): Effect[] {
  if (emissions.length === 0) return []
  const changes = logChange(app, newId(), origin, emissions, name && `${name}_changes`)
  if (emissions.every(({ type }) => isFeedType(type))) return [changes]
  const condition = app.sql`s.id is distinct from ${except ?? null}::uuid`
  return [
    changes,
    deliverLogged(app, changes, { condition, isEachAlone: emissions.length === 1, name: name && `${name}_deliveries` }),
  ]
}

/** As `emit`, of a change of several calendars. The guard is that of `logOverCalendars`. */
export function emitOverCalendars(app: App, origin: Origin, emissions: readonly Emission[]): Effect[] {
  const changes = logOverCalendars(app, newId(), origin, emissions)
  return [changes, deliverLogged(app, changes, { condition: app.sql`true`, isEachAlone: emissions.length === 1 })]
}

type KeyedEmission = Emission & { orgId: Uuid; key: string }

/** Many small changes in one statement: each emission is emitted when `guard` returned a row with its `key`. */
export function emitPerKey(app: App, cause: Cause, keyed: readonly KeyedEmission[]): Effect[] {
  const changes = logPerKey(
    app,
    cause,
    keyed.map((emission) => ({ ...emission, changeId: newId() })),
  )
  return [changes, deliverLogged(app, changes, { condition: app.sql`true`, isEachAlone: true })]
}

/** Moments of events, each a change of its own. The guard is that of `logMoments`. */
export function emitMoments(app: App): Effect[] {
  const changes = logMoments(app)
  return [changes, deliverLogged(app, changes, { condition: app.sql`true`, isEachAlone: true })]
}

/**
 * Many small changes in one statement, each of which is about the event `id` of a calendar: the guard has `org_id, calendar_id, id`,
 * the calendar's `revision` and owner `agent_id`, the `emissionColumns`, and `plan`, that of the organization. `emitted`: the
 * events, where a dry run asks for them.
 */
export function emitEach(app: App, emitted?: readonly Emission[]): Effect[] {
  const { sql } = app
  const changes = logEach(app, emitted)
  const deliveries = insertDeliveries(app, {
    messages: sql`(
      select
        org_id, change_id, event_type as type, calendar_id, agent_id, plan, traceparent,
        0 as position, null::uuid[] as participant_ids, (select seq from ${changes} limit 1) as seq
      from ${guard}) m`,
    plan: sql`m.plan`,
    traceparent: sql`m.traceparent`,
    isFirst: sql`true`,
    condition: sql`true`,
  })
  return [changes, deliveries]
}

/** An emission as `emitEach` takes it. */
export const emissionColumns = {
  changeId: 'uuid',
  eventType: 'text',
  cause: 'text',
  changeActor: 'jsonb',
  payload: 'bytea',
  traceparent: 'text',
} as const

/** It belongs to the trace that is under way. */
export function emissionOf(app: App, { cause, actor }: Origin, { type, payload }: Emission) {
  const changeId = newId()
  return {
    changeId,
    eventType: type,
    cause,
    changeActor: actor,
    payload: sealPayload(app, { changeId, position: 0 }, payload),
    traceparent: currentTraceparent(),
  }
}

/**
 * The deliveries of the entries that `changes` has written. They belong to the trace that is under way. `isEachAlone`: no change
 * has two entries.
 */
const deliverLogged = (
  app: App,
  changes: Effect,
  { condition, isEachAlone, name }: { condition: Fragment; isEachAlone: boolean; name?: string | undefined },
): Effect => {
  const { sql } = app
  return insertDeliveries(app, {
    messages: sql`${changes} m join organizations o on o.id = m.org_id`,
    plan: sql`o.plan`,
    traceparent: sql`${currentTraceparent()}::text`,
    // The first event of a change for a subscription is due at once, the others when their predecessor is done.
    isFirst: isEachAlone ? sql`true` : sql`row_number() over (partition by s.id, m.change_id order by m.position) = 1`,
    condition,
    name,
  })
}

/** The plans that share a schedule, by it. */
const plansBySchedule = [...Map.groupBy(planIds, (plan) => plans[plan].retryScheduleSeconds)]

export const retrySchedule = (sql: Sql, plan: Fragment): Fragment => sql`
  case ${plansBySchedule.map(
    ([schedule, ids]) => sql`when ${plan} = any (${texts(sql, ids)}) then ${integers(sql, schedule)} `,
  )}end`

type Source = {
  /**
   * A `from` clause whose alias `m` has `org_id, seq, change_id, position, type`, and whom it concerns: `calendar_id, agent_id,
   * participant_ids`.
   */
  messages: Fragment
  plan: Fragment
  traceparent: Fragment
  isFirst: Fragment
  condition: Fragment
  name?: string | undefined
}

function insertDeliveries(
  { sql, clock }: App,
  { messages, plan, traceparent, isFirst, condition, name }: Source,
): Effect {
  const now = clock.now()
  return ringing(
    deliveriesRing,
    sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, seq, change_id, position, event_type,
      retry_schedule,
      next_retry_at, created_at, traceparent, envelope)
    select
      s.org_id, uuidv7(), s.id, m.seq, m.change_id, m.position, m.type,
      ${retrySchedule(sql, plan)},
      case when ${isFirst} then ${now}::timestamptz end,
      ${now}::timestamptz,
      ${traceparent},
      s.envelope
    from ${messages}
    join webhook_subscriptions s
      on s.org_id = m.org_id and s.active and s.events @> array[m.type] and ${passes(sql, { subscription: sql`s`, entry: sql`m` })}
    where ${condition}
    order by m.change_id, m.position
    returning org_id, subscription_id, next_retry_at`,
    undefined,
    name,
  )
}

// The reads and writes of a replay.
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import { dayMs } from '../shapes/durations.ts'
import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { integers, rowsOf, texts, uuids } from '../stores/sql.ts'
import { retrySchedule } from './emit.ts'
import { passes } from './filters.ts'
import { deliveriesRing } from './ring.ts'
import type { ReplayBody } from './schema.ts'
import { isUnderWay, scheduleOfResend } from './writes.ts'

/** A delivery; or, without a `deliveryId`, an entry of the log of changes that was never sent to the subscription. */
export type ReplayItem = { changeId: Uuid; position: number; seq: number; deliveryId: Uuid | null }

type ReplaySelection = Pick<ReplayBody, 'types' | 'only' | 'include_missed'> & {
  from: Date
  to: Date
  /** The organization does not read older changes. */
  missedSince: Date
  max: number
}

/** In the order of the changes; at most `max`. */
export const replayItems = (sql: Sql, { orgId, id }: { orgId: Uuid; id: Uuid }, selection: ReplaySelection) => {
  // An id carries the time of its change. This only avoids reading older rows: no clock is wrong by a day.
  const since = firstIdAt(new Date(selection.from.getTime() - dayMs))
  const inWindow = (row: Fragment, type: Fragment) => sql`
    ${row}.change_id >= ${since} and ${row}.created_at between ${selection.from} and ${selection.to}
    ${selection.types ? sql`and ${type} = any (${texts(sql, selection.types)})` : sql``}`
  // Literals: the indexes are partial, and a parameter would match none of them.
  const literals = {
    pending: sql`d.status = 'pending'`,
    delivered: sql`d.status = 'delivered'`,
    failed: sql`d.status = 'failed'`,
  }
  const chosen = {
    failed: [literals.failed],
    undelivered: [literals.failed, literals.pending],
    all: Object.values(literals),
  }[selection.only]
  const sent = chosen.map(
    (ofStatus) => sql`
      (select d.org_id, d.change_id, d.position, d.seq, d.id as delivery_id
       from webhook_deliveries d
       where d.org_id = ${orgId} and d.subscription_id = ${id} and ${ofStatus}
         and ${inWindow(sql`d`, sql`d.event_type`)}
       limit ${selection.max})`,
  )
  const wasSent = (ofStatus: Fragment) => sql`
    exists (
      select from webhook_deliveries d
      where d.org_id = m.org_id and d.subscription_id = s.id and d.change_id = m.change_id and d.position = m.position
        and ${ofStatus})`
  const [first, ...others] = Object.values(literals).map(wasSent)
  const missed = sql`
    (select m.org_id, m.change_id, m.position, m.seq, null::uuid as delivery_id
     from webhook_subscriptions s
     join changes m on m.org_id = s.org_id and s.events @> array[m.type] and ${passes(sql, { subscription: sql`s`, entry: sql`m` })}
     where s.org_id = ${orgId} and s.id = ${id}
       and ${inWindow(sql`m`, sql`m.type`)} and m.created_at >= ${selection.missedSince}
       -- no message says that it was switched off itself
       and not (m.type = 'webhook.deactivated' and m.resource_id = s.id)
       and not (${first} ${others.map((other) => sql`or ${other}`)})
     limit ${selection.max})`
  const all = [...sent, ...(selection.include_missed ? [missed] : [])]
  return own<ReplayItem & { orgId: Uuid }>(sql, orgId)`
    select *
    from (${all.map((part, nth) => (nth === 0 ? part : sql` union all ${part}`))}) items
    order by change_id, position
    limit ${selection.max}`
}

type ReplayKey = { orgId: Uuid; id: Uuid; subscriptionId: Uuid }

export const insertReplay = (
  { sql }: App,
  { orgId, id, subscriptionId, createdAt }: ReplayKey & { createdAt: Date },
  items: readonly ReplayItem[],
): Effect =>
  effect(
    'replay',
    sql`
    insert into webhook_replays (
      org_id, id, subscription_id, matched, next_run_at, created_at,
      change_ids, positions, seqs, delivery_ids)
    select
      ${orgId}::uuid, ${id}::uuid, ${subscriptionId}::uuid, ${items.length}::integer,
      ${items.length > 0 ? createdAt : null}::timestamptz, ${createdAt}::timestamptz,
      ${uuids(
        sql,
        items.map(({ changeId }) => changeId),
      )},
      ${integers(
        sql,
        items.map(({ position }) => position),
      )},
      ${textList(items.map(({ seq }) => seq))}::text::bigint[],
      ${textList(items.map(({ deliveryId }) => deliveryId))}::text::uuid[]
    from ${guard}`,
  )

const textList = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

export const runningReplay = (sql: Sql, orgId: Uuid, subscriptionId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from webhook_replays
  where org_id = ${orgId} and subscription_id = ${subscriptionId} and next_run_at is not null`

/** How many deliveries the replays of an organization since `since` have matched; `oldest`: the first of these replays. */
export const replayedSince = (sql: Sql, orgId: Uuid, since: Date) =>
  own<{ replayed: number; oldest: Date | null }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, coalesce(sum(matched), 0)::integer as replayed, min(created_at) as oldest
  from webhook_replays
  where org_id = ${orgId} and created_at > ${since} and matched > 0`

type ReplayRow = { id: Uuid; matched: number; progress: number; isDone: boolean; createdAt: Date }

export const replayById = (sql: Sql, orgId: Uuid, subscriptionId: Uuid, id: Uuid) =>
  own<ReplayRow>(sql, orgId)`
  select org_id, id, matched, progress, next_run_at is null as is_done, created_at
  from webhook_replays
  where org_id = ${orgId} and id = ${id} and subscription_id = ${subscriptionId}`

export type WalkRow = ReplayKey & {
  matched: number
  progress: number
  /** The next ones, at most as many as were asked for. */
  changeIds: Uuid[]
  positions: number[]
  seqs: number[]
  deliveryIds: (Uuid | null)[]
  /** Deliveries of the subscription that are due, counted up to `maxWaiting`. */
  waiting: number
  /** Its organization is on the waitlist. */
  isStopped: boolean
}

/** Undefined if it is done. */
export const nextOfReplay = (sql: Sql, orgId: Uuid, id: Uuid, count: number, maxWaiting: number) => {
  // As JSON, which keeps the gaps.
  const slice = (list: Fragment) => sql`to_jsonb(r.${list}[r.progress + 1 : r.progress + ${count}::integer])`
  return own<WalkRow>(sql, orgId)`
  select
    r.org_id, r.id, r.subscription_id, r.matched, r.progress,
    ${slice(sql`change_ids`)} as change_ids, ${slice(sql`positions`)} as positions,
    ${slice(sql`seqs`)} as seqs, ${slice(sql`delivery_ids`)} as delivery_ids,
    (select count(*)
     from (
       select from webhook_deliveries d
       where d.org_id = r.org_id and d.subscription_id = r.subscription_id
         and d.status = 'pending' and d.next_retry_at <= app_now()
       limit ${maxWaiting}) due)::integer as waiting,
    o.is_waitlisted as is_stopped
  from webhook_replays r
  join organizations o on o.id = r.org_id
  where r.org_id = ${orgId} and r.id = ${id} and r.next_run_at is not null`
}

/** Subscriptions are locked before deliveries. A change that switches one on or off waits for this. */
export const lockedSubscription = (sql: Sql, { orgId, subscriptionId }: ReplayKey): Step =>
  step(
    'subscription',
    sql`
    select s.org_id, s.id, s.active, s.envelope, o.plan
    from webhook_subscriptions s
    join organizations o on o.id = s.org_id
    where s.org_id = ${orgId} and s.id = ${subscriptionId} and s.deleted_at is null
    for share of s`,
  )

/** Matches if no other worker has walked on since it was read. */
export const advanceReplayGuard = (
  { sql }: App,
  { orgId, id, matched, progress }: Pick<WalkRow, 'orgId' | 'id' | 'matched' | 'progress'>,
  subscription: Step,
  { to, nextRunAt }: { to: number; nextRunAt: Date },
): Fragment => {
  const isDone = to >= matched
  return sql`
  update webhook_replays r
  set
    progress = ${to},
    next_run_at = ${isDone ? null : nextRunAt}::timestamptz
    ${isDone ? sql`, change_ids = '{}', positions = '{}', seqs = '{}', delivery_ids = '{}'` : sql``}
  from ${subscription}
  where r.org_id = ${orgId} and r.id = ${id} and r.progress = ${progress} and r.next_run_at is not null
  returning r.org_id, r.subscription_id, ${subscription}.active, ${subscription}.envelope, ${subscription}.plan`
}

const itemColumns = { changeId: 'uuid', position: 'smallint', seq: 'bigint', deliveryId: 'uuid' } as const

/**
 * Of each change the first delivery that is pending now is due, the others wait for it: the deliveries of one change leave in
 * order. Attempts under way stay. If the subscription is off, all deliveries wait for it.
 */
export function replayEffects(
  { sql, clock }: App,
  { orgId, subscriptionId }: ReplayKey,
  items: readonly ReplayItem[],
  leaseMs: number,
): Effect[] {
  const now = clock.now()
  const sent = items.flatMap(({ deliveryId }) => (deliveryId ? [deliveryId] : []))
  const missed = items.filter(({ deliveryId }) => deliveryId === null)
  const changeIds = [...new Set(items.map(({ changeId }) => changeId))]
  const lockedDeliveries = effect(
    'locked_deliveries',
    sql`
    select d.org_id, d.id, d.change_id, d.position, d.status, d.id = any (${uuids(sql, sent)}) as is_asked
    from (
      select change_id, delivery_id as id from ${rowsOf(sql, items, itemColumns, 'i')} where delivery_id is not null
      union
      select p.change_id, p.id
      from webhook_deliveries p
      where p.org_id = ${orgId} and p.subscription_id = ${subscriptionId} and p.status = 'pending'
        and p.change_id = any (${uuids(sql, changeIds)})) known
    join webhook_deliveries d on d.org_id = ${orgId} and d.id = known.id and d.change_id = known.change_id
    where d.subscription_id = ${subscriptionId} and exists (select from ${guard})
    order by d.id
    for no key update of d`,
  )
  const missedEntries = effect(
    'missed_entries',
    sql`
    select m.org_id, m.seq, m.change_id, m.position, m.type, m.created_at
    from ${rowsOf(sql, missed, itemColumns, 'i')}
    join changes m
      on m.org_id = ${orgId} and m.seq = i.seq and m.change_id = i.change_id and m.position = i.position
    where exists (select from ${guard})`,
  )
  const firstPositions = effect(
    'first_positions',
    sql`
    select change_id, min(position) as first_position
    from (
      -- current positions: a delivery that had to be waited for may have ended
      select change_id, position from ${lockedDeliveries} where is_asked or status = 'pending'
      union all
      select change_id, position from ${missedEntries}) together
    group by change_id`,
  )
  const dueAt = (row: Fragment) => sql`
    case when ${guard}.active and ${row}.position = ${firstPositions}.first_position then ${now}::timestamptz end`
  const resent = effect(
    'resent',
    sql`
    update webhook_deliveries d
    set
      status = 'pending',
      retry_schedule = ${scheduleOfResend(sql)},
      next_retry_at = ${dueAt(sql`d`)}
    from ${lockedDeliveries}, ${firstPositions}, ${guard}
    where ${lockedDeliveries}.is_asked and d.org_id = ${lockedDeliveries}.org_id and d.id = ${lockedDeliveries}.id
      and d.change_id = ${lockedDeliveries}.change_id
      and ${firstPositions}.change_id = d.change_id
      and ${isUnderWay(sql, leaseMs)} is not true
    returning d.org_id, d.subscription_id, d.next_retry_at, old.status as previous`,
  )
  // The result of an attempt under way is recorded by a statement that began after this one, and sees who waits for it.
  const touched = effect(
    'touched',
    sql`
    update webhook_deliveries d
    set status = d.status
    from ${lockedDeliveries}
    where ${lockedDeliveries}.status = 'pending' and d.status = 'pending'
      and d.org_id = ${lockedDeliveries}.org_id and d.id = ${lockedDeliveries}.id
      and (not ${lockedDeliveries}.is_asked or ${isUnderWay(sql, leaseMs)})`,
  )
  const created = effect(
    'created',
    sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, seq, change_id, position, event_type,
      retry_schedule, next_retry_at, created_at, envelope)
    select
      m.org_id, uuidv7(), ${subscriptionId}::uuid, m.seq, m.change_id, m.position, m.type,
      ${retrySchedule(sql, sql`${guard}.plan`)}, ${dueAt(sql`m`)}, ${now}::timestamptz,
      ${guard}.envelope
    from ${missedEntries} m
    join ${firstPositions} on ${firstPositions}.change_id = m.change_id
    cross join ${guard}
    returning org_id, subscription_id, next_retry_at`,
  )
  const correctedCounts = effect(
    'corrected_counts',
    sql`
    update webhook_delivery_counts c
    set delivered = c.delivered - p.delivered, failed = c.failed - p.failed
    from (
      select
        count(*) filter (where previous = 'delivered') as delivered,
        count(*) filter (where previous = 'failed') as failed
      from ${resent}) p
    where c.org_id = ${orgId} and c.subscription_id = ${subscriptionId} and p.delivered + p.failed > 0`,
  )
  const woken = ringing(
    deliveriesRing,
    sql`
    select org_id, subscription_id, next_retry_at from ${resent}
    union all
    select org_id, subscription_id, next_retry_at from ${created}`,
  )
  return [lockedDeliveries, missedEntries, firstPositions, resent, touched, created, correctedCounts, woken]
}

/** Of a subscription that was removed, or with nothing left to do. */
export const endReplay = (sql: Sql, orgId: Uuid, id: Uuid) => sql`
  update webhook_replays
  set progress = matched, next_run_at = null, change_ids = '{}', positions = '{}', seqs = '{}', delivery_ids = '{}'
  where org_id = ${orgId} and id = ${id}`

export const postponeReplay = (sql: Sql, orgId: Uuid, id: Uuid, nextRunAt: Date) => sql`
  update webhook_replays
  set next_run_at = ${nextRunAt}
  where org_id = ${orgId} and id = ${id} and next_run_at is not null`

/** Due by `until`; with `from`, only those that are due after it. */
export const dueReplays = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<
  { orgId: Uuid; id: Uuid; dueAt: Date }[]
>`
  select org_id, id, next_run_at as due_at
  from webhook_replays
  where next_run_at <= ${until} ${from ? sql`and next_run_at > ${from}` : sql``}
  order by next_run_at
  limit ${max ?? null}`

export const purgeReplays = (sql: Sql, before: Date, max: number) => sql`
  delete from webhook_replays
  where (org_id, id) in (
    select org_id, id
    from webhook_replays
    where created_at < ${before} and next_run_at is null
    limit ${max})`

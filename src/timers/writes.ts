// Every change of the table `timers`. A change of a subject sets its timers in the same statement.
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import { timersRing } from './ring.ts'
import type { Timer, TimerKind } from './timers.ts'

type Subject = { orgId: Uuid; id: Uuid; calendarId: Uuid }

const timerColumns = {
  kind: 'text',
  offsetMinutes: 'integer',
  dueAt: 'timestamptz',
  occurrenceStart: 'timestamptz',
} as const

/**
 * Adds the timers of a query: `org_id, subject_id, calendar_id, kind, offset_minutes, due_at, occurrence_start, generation,
 * traceparent`. Their generation is the revision that the change makes: a worker that read an older one then takes nothing.
 */
const insertTimers = (sql: Sql, rows: Fragment): Fragment => sql`
  insert into timers (
    org_id, subject_id, calendar_id,
    kind, offset_minutes, due_at, occurrence_start,
    generation, traceparent)
  select
    n.org_id, n.subject_id, n.calendar_id,
    n.kind, n.offset_minutes, n.due_at, n.occurrence_start,
    n.generation, n.traceparent
  from (${rows}) n`

/** The timers of new subjects, from a query as `insertTimers` takes it. */
export const addTimers = ({ sql }: App, rows: Fragment): Effect =>
  ringing(timersRing, sql`${insertTimers(sql, rows)} returning due_at`)

/** Like `addTimers`, but an existing timer stays unchanged, and `ringTimers` has to ring. */
export const addMissingTimers = ({ sql }: App, rows: Fragment): Effect =>
  effect('added_missing', sql`${insertMissing(sql, rows)} returning due_at`)

/** Rings for the timers that these effects have set: they return `due_at`. */
export const ringTimers = ({ sql }: App, [first, ...others]: readonly [Effect, ...Effect[]]): Effect =>
  ringing(
    timersRing,
    sql`select due_at from ${first} ${[...others.map((one) => sql`union all select due_at from ${one}`), sql``]}`,
  )

const insertMissing = (sql: Sql, rows: Fragment): Fragment => sql`
  ${insertTimers(sql, rows)}
  on conflict (org_id, subject_id, kind, offset_minutes) do nothing`

/** Timers of one subject as a query. The guard returns its `revision`. */
const timersOf = (sql: Sql, subject: Subject, timers: readonly Timer[]): Fragment => sql`
  select
    ${subject.orgId}::uuid as org_id, ${subject.id}::uuid as subject_id, ${subject.calendarId}::uuid as calendar_id,
    m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
    ${guard}.revision as generation, ${currentTraceparent()}::text as traceparent
  from ${guard}
  cross join ${rowsOf(sql, timers, timerColumns, 'm')}`

/** The timers of a new subject; the guard returns its `revision`. */
export const setTimers = (app: App, subject: Subject, timers: readonly Timer[]): Effect =>
  addTimers(app, timersOf(app.sql, subject, timers))

/** Sets the one timer of a kind that a subject has, or moves it. The guard may have any number of rows. */
export const setOnlyTimer = ({ sql }: App, subject: Subject, kind: TimerKind, dueAt: Date): Effect =>
  ringing(
    timersRing,
    sql`
    insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, generation, traceparent)
    select
      ${subject.orgId}::uuid, ${subject.id}::uuid, ${subject.calendarId}::uuid, ${kind}::text, 0,
      ${dueAt}::timestamptz, 1, ${currentTraceparent()}::text
    where exists (select from ${guard})
    on conflict (org_id, subject_id, kind, offset_minutes) do update
    set due_at = excluded.due_at, generation = timers.generation + 1, traceparent = excluded.traceparent
    returning due_at`,
  )

/** Makes the timers of groups due that hold a time on one of these calendars, a query of identifiers: they are judged again. */
export const hurryGroups = ({ sql }: App, orgId: Uuid, calendars: Fragment, now: Date): Effect =>
  ringing(
    timersRing,
    sql`
    update timers t
    set due_at = ${now}, generation = t.generation + 1
    where exists (select from ${guard})
      and t.org_id = ${orgId}
      and t.kind = 'hold_group_expiry'
      and t.due_at > ${now}
      and t.subject_id in (
        select e.hold_group_id
        from events e
        where e.org_id = ${orgId} and e.calendar_id in (${calendars}) and e.status = 'hold' and e.deleted_at is null)
    returning t.due_at`,
  )

/** A moment of one of many subjects. `isComing`: it had not come when the change was decided. */
export type Moment = Timer & { subjectId: Uuid; isComing: boolean }

const momentColumns = { ...timerColumns, subjectId: 'uuid', isComing: 'boolean' } as const

/**
 * Makes the timers of the guard's rows fit the `moments` that they have now, where these refit: `org_id, id, calendar_id, revision,
 * traceparent, refits`. A timer goes to the first of them from where it stands, or to come; if a worker moves it on at this instant,
 * what the worker wrote counts. `mayMove`: without it, no subject has a timer that some moment fits. `subjects`: a `from` clause of
 * the rows to refit in place of the guard's, with the same columns.
 * `untold`: moments that are added although they have come, before those to come.
 */
export function refitTimers(
  { sql }: App,
  moments: readonly Moment[],
  { mayMove, subjects = sql`${guard}`, untold }: { mayMove: boolean; subjects?: Fragment; untold?: Effect | undefined },
): Effect[] {
  const listed = effect('moments', sql`select * from ${rowsOf(sql, moments, momentColumns, 'm')}`)
  const next = (column: Fragment) => sql`(
    select ${column}
    from ${listed} m
    where m.subject_id = t.subject_id
      and m.kind = t.kind
      and m.offset_minutes = t.offset_minutes
      and (m.due_at >= t.due_at or m.is_coming)
    order by m.due_at
    limit 1)`
  const isRefitted = sql`t.org_id = g.org_id and t.subject_id = g.id and g.refits`
  const cleared = effect(
    'cleared',
    sql`delete from timers t using ${subjects} g where ${isRefitted} and not exists ${next(sql``)}`,
  )
  const added = effect(
    'added',
    sql`${insertMissing(
      sql,
      sql`
      ${untold ? sql`select * from ${untold} union all` : sql``}
      select
        g.org_id, g.id as subject_id, g.calendar_id,
        m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
        g.revision as generation, g.traceparent
      from ${subjects} g
      join ${listed} m on m.subject_id = g.id
      where m.is_coming`,
    )} returning due_at`,
  )
  if (!mayMove) return [listed, cleared, added, ringing(timersRing, sql`select * from ${added}`)]
  const moved = effect(
    'moved',
    sql`
    update timers t
    set due_at = ${next(sql`m.due_at`)},
      occurrence_start = ${next(sql`m.occurrence_start`)},
      generation = greatest(t.generation + 1, g.revision),
      traceparent = g.traceparent
    from ${subjects} g
    where ${isRefitted} and exists ${next(sql``)}
    returning t.due_at`,
  )
  return [
    listed,
    cleared,
    moved,
    added,
    ringing(timersRing, sql`select * from ${moved} union all select * from ${added}`),
  ]
}

/** A moment of an occurrence that has got a row of its own: until then the timers of its series told it. */
type TakenMoment = Timer & { subjectId: Uuid; seriesId: Uuid }

/**
 * Of the moments, which have come, those that were not told yet, as `insertTimers` takes them: the timer of the series still stands before them. It is locked, so a worker that
 * tells one at this instant is either before or behind. The guard has `org_id, id, calendar_id, revision, traceparent`, of the series.
 */
export function untoldMoments({ sql }: App, moments: readonly TakenMoment[]): Effect {
  const columns = { ...timerColumns, subjectId: 'uuid', seriesId: 'uuid' } as const
  return effect(
    'untold',
    sql`
    select
      g.org_id, m.subject_id, g.calendar_id,
      m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
      g.revision as generation, g.traceparent
    from ${guard} g
    join ${rowsOf(sql, moments, columns, 'm')} on m.series_id = g.id
    join timers t on t.org_id = g.org_id and t.subject_id = g.id and t.kind = m.kind and t.offset_minutes = m.offset_minutes
    where t.due_at <= m.due_at and t.occurrence_start <= m.occurrence_start
    for update of t`,
  )
}

/** The timer of one of many subjects. Null: it has none from now on. */
export type NextTimer = Omit<Timer, 'dueAt'> & { subjectId: Uuid; dueAt: Date | null }

/**
 * Moves the timers of many subjects of one calendar, whose new `revision` the guard returns. One that is due is about to fire: it
 * stays, except that of a subject that happens once and comes later now. `set` are effects for `ringTimers`.
 */
export function moveTimers(
  { sql }: App,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  timers: readonly NextTimer[],
  now: Date,
): { effects: Effect[]; set: [Effect, ...Effect[]] } {
  const listed = effect(
    'next_timers',
    sql`select * from ${rowsOf(sql, timers, { ...timerColumns, subjectId: 'uuid' }, 'm')}`,
  )
  const isSame = sql`
    t.org_id = ${orgId} and t.subject_id = m.subject_id and t.kind = m.kind and t.offset_minutes = m.offset_minutes`
  const cleared = effect(
    'cleared',
    sql`delete from timers t using ${guard}, ${listed} m where ${isSame} and m.due_at is null and t.due_at > ${now}`,
  )
  const moved = effect(
    'moved',
    sql`
    update timers t
    set due_at = m.due_at,
      occurrence_start = m.occurrence_start,
      generation = greatest(t.generation + 1, ${guard}.revision),
      traceparent = ${currentTraceparent()}
    from ${guard}, ${listed} m
    where ${isSame} and m.due_at is not null and (t.due_at > ${now} or m.occurrence_start is null)
    returning t.due_at`,
  )
  const added = effect(
    'added',
    sql`${insertMissing(
      sql,
      sql`
      select
        ${orgId}::uuid as org_id, m.subject_id, ${id}::uuid as calendar_id,
        m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
        ${guard}.revision as generation, ${currentTraceparent()}::text as traceparent
      from ${guard}, ${listed} m
      where m.due_at is not null`,
    )} returning due_at`,
  )
  return { effects: [listed, cleared, moved, added], set: [moved, added] }
}

/** Clears the timers of the guard's rows, `org_id, id`, where these refit: they have none from now on. */
export const clearRefitted = ({ sql }: App): Effect =>
  effect(
    'cleared',
    sql`delete from timers t using ${guard} g where t.org_id = g.org_id and t.subject_id = g.id and g.refits`,
  )

/** Clears the timers of a series that ends there; returns what they were. */
export const clearTimersAfter = ({ sql }: App, { orgId, id }: Pick<Subject, 'orgId' | 'id'>, lastStart: Date): Effect =>
  effect(
    'over',
    sql`
    delete from timers t using ${guard}
    where t.org_id = ${orgId}
      and t.subject_id = ${id}
      and t.occurrence_start > ${lastStart}
    returning t.kind, t.offset_minutes, t.due_at`,
  )

/** `behind`: the part that must have a row. */
export const clearTimers = (
  { sql }: App,
  { orgId, id }: Pick<Subject, 'orgId' | 'id'>,
  { name = 'cleared', behind = guard }: { name?: string; behind?: Step | typeof guard } = {},
): Effect => effect(name, sql`delete from timers t using ${behind} where t.org_id = ${orgId} and t.subject_id = ${id}`)

/** As `clearTimers`, for several subjects. */
export const clearAllTimers = ({ sql }: App, orgId: Uuid, subjectIds: readonly Uuid[]): Effect =>
  effect(
    'cleared_all',
    sql`delete from timers t using ${guard} where t.org_id = ${orgId} and t.subject_id = any (${uuids(sql, subjectIds)})`,
  )

/** Clears the reminders of `subjectIds`, a query of identifiers, at other minutes than these before the start. */
export const clearOtherReminders = (
  { sql }: App,
  orgId: Uuid,
  subjectIds: Fragment,
  minutes: readonly number[],
): Effect =>
  effect(
    'cleared_reminders',
    sql`
    delete from timers t using ${guard}
    where t.org_id = ${orgId}
      and t.kind = 'event_reminder'
      and t.subject_id = any (array(${subjectIds}))
      and t.offset_minutes <> all (${minutes}::integer[])`,
  )

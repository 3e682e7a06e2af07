// The moments of an event as timers: start, end and reminders of a confirmed one, the expiry of a hold.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { integers, rowsOf } from '../stores/sql.ts'
import type { PendingTimer } from '../timers/pendingTimers.ts'
import { kindsOf, pendingMoments, type Recurring, seriesOf, seriesTimers, singleTimers } from '../timers/series.ts'
import type { Timer } from '../timers/timers.ts'
import { addTimers, type NextTimer } from '../timers/writes.ts'
import type { EventRow } from './columns.ts'
import { systemReminders } from './reminders.ts'

/** An event whose calendar's default reminders are known, as a series needs it. */
export type TimedEvent = Timed & EventRow
type Timed = Recurring & Pick<EventRow, 'status' | 'reminders'> & { defaultReminders?: readonly number[] | null }

/**
 * The timers of new events: of the rows of a `from` clause whose alias `e` has what `insertEvents` returns, the calendar's
 * new `revision` and `default_reminders`, and the `traceparent` that the timers belong to. A moment that has passed is not
 * set. `series`: those of events that recur, as `comingMoments` says.
 */
export const newEventTimers = (app: App, from: Fragment, series: readonly SeriesTimer[] = []): Effect => {
  const { sql } = app
  return addTimers(
    app,
    sql`
    select
      e.org_id, e.id as subject_id, e.calendar_id,
      m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
      e.revision as generation, e.traceparent
    from ${from}
    cross join lateral (
      ${singleMoments(sql)}
      ${series.length > 0 ? sql`union all ${seriesMoments(sql, series)}` : sql``}
    ) m
    where m.due_at > e.created_at`,
  )
}

/** The moments of the event `e` if it happens once, past ones too. */
const singleMoments = (sql: Sql): Fragment => sql`
  select 'hold_expiry' as kind, 0 as offset_minutes, e.hold_expires_at as due_at, null::timestamptz as occurrence_start
  where e.status = 'hold'
  union all
  select s.kind, s.offset_minutes, s.due_at, null
  from (
    select 'event_start' as kind, 0 as offset_minutes, e.start_time as due_at
    union all
    select 'event_end', 0, e.end_time
    union all
    select 'event_reminder', r, e.start_time - r * interval '1 minute'
    from unnest(coalesce(e.reminders, e.default_reminders, ${integers(sql, systemReminders)})) r) s
  where e.status = 'confirmed' and e.recurrence_rule is null`

type SeriesTimer = Timer & { subjectId: Uuid }

const seriesColumns = {
  subjectId: 'uuid',
  kind: 'text',
  offsetMinutes: 'integer',
  dueAt: 'timestamptz',
  occurrenceStart: 'timestamptz',
} as const

const seriesMoments = (sql: Sql, timers: readonly SeriesTimer[]): Fragment => sql`
  select s.kind, s.offset_minutes, s.due_at, s.occurrence_start
  from ${rowsOf(sql, timers, seriesColumns, 's')}
  where s.subject_id = e.id`

/** The timer of a confirmed series; empty for any other event. */
export function comingMoments(event: TimedEvent, now: Date): SeriesTimer[] {
  const series = event.status === 'confirmed' ? seriesOf(event) : undefined
  if (!series) return []
  return seriesTimers(event, series, remindersOf(event), now).map((timer) => ({ ...timer, subjectId: event.id }))
}

/** Whether an edit moved, added or removed any moment. */
export const isRescheduled = (before: EventRow, after: EventRow): boolean =>
  before.startTime.getTime() !== after.startTime.getTime() ||
  before.endTime.getTime() !== after.endTime.getTime() ||
  before.status !== after.status ||
  before.recurrenceRule !== after.recurrenceRule ||
  before.recurrenceTimezone !== after.recurrenceTimezone ||
  String(before.recurrenceRdates.map(Number)) !== String(after.recurrenceRdates.map(Number)) ||
  String(before.reminders) !== String(after.reminders)

export const remindersOf = (event: Pick<Timed, 'reminders' | 'defaultReminders'>): readonly number[] =>
  event.reminders ?? event.defaultReminders ?? systemReminders

/** The moments of an edited event. Moments that were due (`pending`) and have not fired yet still fire. */
export function changedMoments(event: TimedEvent, now: Date, pending: readonly PendingTimer[] = []): Timer[] {
  if (event.status !== 'confirmed') return []
  const reminders = remindersOf(event)
  const series = seriesOf(event)
  if (!series) return singleTimers(event, reminders)
  return [...pendingMoments(event, series, reminders, pending, now), ...seriesTimers(event, series, reminders, now)]
}

/**
 * The timers of a confirmed event, one of every kind; null for a kind without a moment. `dropped`: reminders that it may have
 * had so far.
 */
export function nextTimers(event: Timed & { id: Uuid }, dropped: readonly number[], now: Date): NextTimer[] {
  const reminders = remindersOf(event)
  const series = seriesOf(event)
  const coming = series
    ? seriesTimers(event, series, reminders, now)
    : singleTimers(event, reminders).filter(({ dueAt }) => dueAt > now)
  return kindsOf([...new Set([...reminders, ...dropped])]).map(({ kind, offsetMinutes }) => {
    const timer = coming.find((one) => one.kind === kind && one.offsetMinutes === offsetMinutes)
    return { subjectId: event.id, kind, offsetMinutes, dueAt: null, occurrenceStart: null, ...timer }
  })
}

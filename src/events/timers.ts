// The moments of an event as timer rows: start, end and reminders of a confirmed one, the expiry of a hold.
import type { App } from '../app.ts'
import { systemReminders } from '../calendars/reminders.ts'
import type { Effects } from '../changes/commitParts.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { seriesOf, seriesTimers, singleTimers, type UnfiredTimer, unfiredMoments } from '../timers/series.ts'
import { insertTimers, type Timer, timerList } from '../timers/timers.ts'
import type { EventRow } from './queries.ts'

/** An event whose calendar's default reminders are known, as a series needs it. */
type TimedEvent = EventRow & { defaultReminders?: readonly number[] | null }

/**
 * The timers of a new event; `guard` returns the calendar's `revision` and `default_reminders`. A moment that has passed is
 * not set.
 */
export function eventTimers({ sql }: App, event: TimedEvent, now: Date): Effects {
  return {
    moments: moments(sql, event, now),
    timers: sql`${insertTimers(sql, event, sql`did_moments m where m.due_at > ${now}`)} returning shard, due_at`,
  }
}

/**
 * Effects that make the timers of an edited event fit it; the guard holds on to what it was decided by. A timer goes to the
 * first moment that the edited event has from where it stands, or to come: what was due (`unfired`) but has not fired yet
 * still fires, and where a worker moves the timer on at this instant, what the worker wrote is what counts.
 */
export function changedTimers(
  { sql }: App,
  event: EventRow & { defaultReminders: readonly number[] | null },
  now: Date,
  unfired: readonly UnfiredTimer[],
): Effects {
  const listed = timerList(sql, changedMoments(event, now, unfired))
  const next = (column: Fragment) => sql`(
    select ${column} from ${listed}
    where m.kind = t.kind and m.offset_minutes = t.offset_minutes and (m.due_at >= t.due_at or m.due_at > ${now})
    order by m.due_at limit 1)`
  const ofEvent = sql`t.org_id = ${event.orgId} and t.subject_id = ${event.id}`
  return {
    cleared: sql`delete from timers t using guard where ${ofEvent} and not exists ${next(sql``)}`,
    moved: sql`
      update timers t set due_at = ${next(sql`m.due_at`)}, occurrence_start = ${next(sql`m.occurrence_start`)},
        generation = greatest(t.generation + 1, guard.revision), traceparent = ${currentTraceparent()}::text
      from guard where ${ofEvent} and exists ${next(sql``)}
      returning t.shard, t.due_at`,
    added: sql`
      ${insertTimers(sql, event, sql`${listed} cross join guard where m.due_at > ${now}`)}
      on conflict (org_id, subject_id, kind, offset_minutes) do nothing
      returning shard, due_at`,
    timers: sql`select * from did_moved union all select * from did_added`,
  }
}

/** As `eventTimers`, of the new events that happen once in `did_items`. */
export const newEventTimers = (sql: Sql): Fragment => sql`
  insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, generation, shard, traceparent)
  select i.org_id, i.id, i.calendar_id, m.kind, m.offset_minutes, m.due_at, guard.revision, i.shard, i.traceparent
  from guard join did_items i on i.id = guard.id and i.status = 'confirmed'
  cross join lateral ${singleMoments(sql, { start: sql`i.start_time`, end: sql`i.end_time`, reminders: sql`i.reminders` })} m
  where m.due_at > i.created_at
  returning shard, due_at`

/** Whether an edit moved, added or removed any moment. */
export const isRescheduled = (before: EventRow, after: EventRow): boolean =>
  before.startTime.getTime() !== after.startTime.getTime() ||
  before.endTime.getTime() !== after.endTime.getTime() ||
  before.status !== after.status ||
  before.recurrenceRule !== after.recurrenceRule ||
  String(before.reminders) !== String(after.reminders)

function moments(sql: Sql, event: TimedEvent, now: Date): Fragment {
  if (event.status === 'hold') return holdMoments(sql, event)
  return event.recurrenceRule === null ? confirmedMoments(sql, event) : seriesMoments(sql, event, now)
}

const holdMoments = (sql: Sql, event: EventRow) => sql`
  select 'hold_expiry' as kind, 0 as offset_minutes, ${event.holdExpiresAt}::timestamptz as due_at,
    null::timestamptz as occurrence_start, revision from guard`

const confirmedMoments = (sql: Sql, { status, startTime, endTime, reminders }: EventRow) => {
  const given = {
    start: sql`${startTime}::timestamptz`,
    end: sql`${endTime}::timestamptz`,
    reminders: sql`${reminders}::integer[]`,
  }
  return sql`
    select m.kind, m.offset_minutes, m.due_at, null::timestamptz as occurrence_start, guard.revision
    from guard cross join lateral ${singleMoments(sql, given)} m where ${status === 'confirmed'}`
}

/** Of a confirmed event that happens once, past ones too; the guard has its calendar's `default_reminders`. */
const singleMoments = (sql: Sql, { start, end, reminders }: Record<'start' | 'end' | 'reminders', Fragment>) => sql`(
  select 'event_start' as kind, 0 as offset_minutes, ${start} as due_at
  union all select 'event_end', 0, ${end}
  union all select 'event_reminder', r, ${start} - r * interval '1 minute'
    from unnest(coalesce(${reminders}, guard.default_reminders, ${systemReminders}::integer[])) r)`

const seriesMoments = (sql: Sql, event: TimedEvent, now: Date): Fragment => sql`
  select m.kind, m.offset_minutes, m.due_at, m.occurrence_start, guard.revision
  from guard cross join ${timerList(sql, comingMoments(event, remindersOf(event), now))}`

const remindersOf = (event: TimedEvent): readonly number[] =>
  event.reminders ?? event.defaultReminders ?? systemReminders

function comingMoments(event: EventRow, reminders: readonly number[], now: Date): Timer[] {
  const series = event.status === 'confirmed' ? seriesOf(event) : undefined
  return series ? seriesTimers(event, series, reminders, now) : []
}

function changedMoments(event: TimedEvent, now: Date, unfired: readonly UnfiredTimer[]): Timer[] {
  if (event.status !== 'confirmed') return []
  const reminders = remindersOf(event)
  const series = seriesOf(event)
  if (!series) return singleTimers(event, reminders)
  return [...unfiredMoments(event, series, reminders, unfired, now), ...seriesTimers(event, series, reminders, now)]
}

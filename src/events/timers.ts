// The moments of an event as timer rows: start, end and reminders of a confirmed one, the expiry of a hold.
import type { App } from '../app.ts'
import { systemReminders } from '../calendars/reminders.ts'
import type { Effects } from '../change.ts'
import type { Fragment, Sql } from '../db.ts'
import { seriesOf, seriesTimers } from '../timers/series.ts'
import { shardOf } from '../timers/timers.ts'
import type { EventRow } from './queries.ts'

/** An event whose calendar's default reminders are known, as a series needs it. */
export type TimedEvent = EventRow & { defaultReminders?: readonly number[] | null }

/**
 * Effects that make the timers fit the event; `guard` returns the calendar's `revision` and `default_reminders`. A moment
 * that has passed is not set, and one that is due but has not fired yet stays when the edit did not move it.
 */
export function eventTimers({ sql }: App, event: TimedEvent, now: Date, is: 'new' | 'changed'): Effects {
  return {
    moments: moments(sql, event, now),
    cleared:
      is === 'new'
        ? undefined
        : sql`
          delete from timers t using guard
          where t.org_id = ${event.orgId} and t.subject_id = ${event.id}
            and (t.kind, t.offset_minutes, t.due_at) not in (select kind, offset_minutes, due_at from did_moments)`,
    timers: sql`
      insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, occurrence_start, generation, shard)
      select ${event.orgId}::uuid, ${event.id}::uuid, ${event.calendarId}::uuid, m.kind, m.offset_minutes, m.due_at,
        m.occurrence_start, m.revision, ${shardOf(event.id)}::smallint
      from did_moments m where m.due_at > ${now}
      on conflict (org_id, subject_id, kind, offset_minutes) do update
        set due_at = excluded.due_at, occurrence_start = excluded.occurrence_start, generation = excluded.generation
      returning shard, due_at`,
  }
}

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

const confirmedMoments = (sql: Sql, { status, startTime, endTime, reminders }: EventRow) => sql`
  select m.kind, m.offset_minutes, m.due_at, null::timestamptz as occurrence_start, guard.revision
  from guard cross join lateral (
    select 'event_start' as kind, 0 as offset_minutes, ${startTime}::timestamptz as due_at
    union all select 'event_end', 0, ${endTime}::timestamptz
    union all select 'event_reminder', r, ${startTime}::timestamptz - r * interval '1 minute'
      from unnest(coalesce(${reminders as never}::integer[], guard.default_reminders, ${systemReminders as never}::integer[])) r
  ) m where ${status === 'confirmed'}`

function seriesMoments(sql: Sql, event: TimedEvent, now: Date): Fragment {
  const series = event.status === 'confirmed' ? seriesOf(event) : undefined
  const reminders = event.reminders ?? event.defaultReminders ?? systemReminders
  const rows = (series ? seriesTimers(event, series, reminders, now) : []).map((timer) => ({
    kind: timer.kind,
    offset_minutes: timer.offsetMinutes,
    due_at: timer.dueAt,
    occurrence_start: timer.occurrenceStart,
  }))
  return sql`
    select m.kind, m.offset_minutes, m.due_at, m.occurrence_start, guard.revision
    from guard, jsonb_to_recordset(${sql.json(rows as never)}) as m
      (kind text, offset_minutes integer, due_at timestamptz, occurrence_start timestamptz)`
}

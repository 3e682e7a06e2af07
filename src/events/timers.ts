// The moments of an event as timer rows: start, end and reminders of a confirmed one, the expiry of a hold.
import type { App } from '../app.ts'
import { systemReminders } from '../calendars/reminders.ts'
import type { Effects } from '../change.ts'
import { shardOf } from '../timers/timers.ts'
import type { EventRow } from './queries.ts'

/**
 * Effects that make the timers fit the event; `guard` returns the calendar's `revision` and `default_reminders`. A moment
 * that has passed is not set, and one that is due but has not fired yet stays when the edit did not move it.
 */
export function eventTimers({ sql }: App, event: EventRow, now: Date, is: 'new' | 'changed'): Effects {
  return {
    moments: event.status === 'hold' ? holdMoments(sql, event) : confirmedMoments(sql, event),
    cleared:
      is === 'new'
        ? undefined
        : sql`
          delete from timers t using guard
          where t.org_id = ${event.orgId} and t.subject_id = ${event.id}
            and (t.kind, t.offset_minutes, t.due_at) not in (select kind, offset_minutes, due_at from did_moments)`,
    timers: sql`
      insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, generation, shard)
      select ${event.orgId}::uuid, ${event.id}::uuid, ${event.calendarId}::uuid, m.kind, m.offset_minutes, m.due_at,
        m.revision, ${shardOf(event.id)}::smallint
      from did_moments m where m.due_at > ${now}
      on conflict (org_id, subject_id, kind, offset_minutes) do update
        set due_at = excluded.due_at, generation = excluded.generation
      returning shard, due_at`,
  }
}

const holdMoments = (sql: App['sql'], event: EventRow) => sql`
  select 'hold_expiry' as kind, 0 as offset_minutes, ${event.holdExpiresAt}::timestamptz as due_at, revision from guard`

const confirmedMoments = (sql: App['sql'], { status, startTime, endTime, reminders }: EventRow) => sql`
  select m.kind, m.offset_minutes, m.due_at, guard.revision
  from guard cross join lateral (
    select 'event_start' as kind, 0 as offset_minutes, ${startTime}::timestamptz as due_at
    union all select 'event_end', 0, ${endTime}::timestamptz
    union all select 'event_reminder', r, ${startTime}::timestamptz - r * interval '1 minute'
      from unnest(coalesce(${reminders as never}::integer[], guard.default_reminders, ${systemReminders as never}::integer[])) r
  ) m where ${status === 'confirmed'}`

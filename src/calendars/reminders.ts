// A change of a calendar's default reminders moves the timers of the events that inherit them, in the same statement.
import type { App } from '../app.ts'
import type { Effects } from '../change.ts'
import { shardOfSql } from '../timers/timers.ts'
import type { CalendarRow } from './queries.ts'

/** Minutes before the start, where neither the event nor its calendar says otherwise. */
export const systemReminders: readonly number[] = [10]

export function inheritedReminders({ sql, clock }: App, calendar: CalendarRow): Effects {
  const minutes = calendar.defaultReminders ?? systemReminders
  const inheriting = sql`
    e.org_id = ${calendar.orgId} and e.calendar_id = ${calendar.id} and e.deleted_at is null
    and e.status = 'confirmed' and e.source = 'internal' and e.reminders is null and e.start_time > ${clock.now()}`
  return {
    cleared: sql`
      delete from timers t using guard, events e
      where ${inheriting} and t.org_id = e.org_id and t.subject_id = e.id and t.kind = 'event_reminder'
        and t.offset_minutes <> all (${minutes as never}::integer[])`,
    timers: sql`
      insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, generation, shard)
      select e.org_id, e.id, e.calendar_id, 'event_reminder', m.minutes, e.start_time - m.minutes * interval '1 minute',
        guard.revision, ${shardOfSql(sql, sql`e.id`)}
      from guard, events e, unnest(${minutes as never}::integer[]) as m (minutes)
      where ${inheriting} and e.start_time - m.minutes * interval '1 minute' > ${clock.now()}
      on conflict (org_id, subject_id, kind, offset_minutes) do update
        set due_at = excluded.due_at, generation = excluded.generation
      returning shard, due_at`,
  }
}

// A change of a calendar's default reminders moves the timers of the events that inherit them, in the same statement.
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import { seriesOf, seriesTimers } from '../timers/series.ts'
import { shardOf, shardOfSql } from '../timers/timers.ts'
import { type CalendarRow, inheritingSeries } from './queries.ts'

/** Minutes before the start, where neither the event nor its calendar says otherwise. */
export const systemReminders: readonly number[] = [10]

/** `calendar` as it will be; what is read here holds as long as the guard's revision does. */
export async function inheritedReminders({ sql, clock }: App, calendar: CalendarRow): Promise<Effect[]> {
  const minutes = calendar.defaultReminders ?? systemReminders
  const now = clock.now()
  const coming = sql`
    e.org_id = ${calendar.orgId} and e.calendar_id = ${calendar.id} and e.deleted_at is null and e.status = 'confirmed'
    and e.start_time > ${now} and e.recurrence_rule is null and e.source = 'internal' and e.reminders is null`
  const series = await inheritingSeries(sql, calendar, now)
  const ofSeries = series.flatMap((row) =>
    seriesTimers(row, seriesOf(row)!, minutes, now)
      .filter((timer) => timer.kind === 'event_reminder')
      .map((timer) => ({
        id: row.id,
        minutes: timer.offsetMinutes,
        due_at: timer.dueAt,
        occurrence_start: timer.occurrenceStart,
        shard: shardOf(row.id),
      })),
  )
  return [
    effect(
      'cleared',
      sql`
      delete from timers t using ${guard}
      where t.org_id = ${calendar.orgId} and t.kind = 'event_reminder' and t.subject_id = any (array(
          select e.id from events e where ${coming}
          union all select unnest(${series.map(({ id }) => id)}::uuid[])))
        and t.offset_minutes <> all (${minutes}::integer[])`,
    ),
    // A reminder that stays keeps its row, and with it a moment that is due but has not fired yet.
    ringing(
      'timers',
      sql`
      insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, occurrence_start, generation, shard)
      select e.org_id, e.id, e.calendar_id, 'event_reminder', m.minutes, e.start_time - m.minutes * interval '1 minute',
        null::timestamptz, guard.revision, ${shardOfSql(sql, sql`e.id`)}
      from ${guard}, events e, unnest(${minutes}::integer[]) as m (minutes)
      where ${coming} and e.start_time - m.minutes * interval '1 minute' > ${now}
      union all
      select ${calendar.orgId}::uuid, m.id, ${calendar.id}::uuid, 'event_reminder', m.minutes, m.due_at, m.occurrence_start,
        guard.revision, m.shard
      from ${guard}, jsonb_to_recordset(${sql.json(ofSeries)}) as m
        (id uuid, minutes integer, due_at timestamptz, occurrence_start timestamptz, shard smallint)
      on conflict (org_id, subject_id, kind, offset_minutes) do nothing
      returning shard, due_at`,
    ),
  ]
}

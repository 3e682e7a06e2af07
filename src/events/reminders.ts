// A change of a calendar's default reminders moves the timers of the events that inherit them, in the same statement.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { integers, rowsOf, uuids } from '../stores/sql.ts'
import { seriesOf, seriesTimers } from '../timers/series.ts'
import { addMissingTimers, clearOtherReminders } from '../timers/writes.ts'
import { inheritingSeries, isWholeDay } from './queries.ts'

/** Minutes before the start, where neither the event nor its calendar says otherwise. */
export const systemReminders: readonly number[] = [10]

type ReminderCalendar = { orgId: Uuid; id: Uuid; defaultReminders: readonly number[] | null }

/**
 * `calendar` as it will be; the guard returns its `revision`. The reads here hold for that revision. A reminder that stays
 * keeps its row, and with it a moment that is due and has not fired yet. `omitsWholeDays`: another effect of the change adds
 * theirs. `set` are effects for `ringTimers`.
 */
export async function inheritedReminders(
  app: App,
  calendar: ReminderCalendar,
  { omitsWholeDays = false } = {},
): Promise<{ effects: Effect[]; set: Effect[] }> {
  const { sql, clock } = app
  const { orgId, id } = calendar
  const minutes = calendar.defaultReminders ?? systemReminders
  const now = clock.now()
  const isGiven = omitsWholeDays ? sql`not ${isWholeDay(sql)}` : sql`true`
  const series = await inheritingSeries(sql, calendar, now, isGiven)
  const ofSeries = series.flatMap((row) =>
    seriesTimers(row, seriesOf(row)!, minutes, now)
      .filter(({ kind }) => kind === 'event_reminder')
      .map((timer) => ({ ...timer, id: row.id })),
  )
  const isInheriting = sql`
    e.org_id = ${orgId}
    and e.calendar_id = ${id}
    and e.deleted_at is null
    and e.status = 'confirmed'
    and e.start_time > ${now}
    and e.recurrence_rule is null
    and e.source = 'internal'
    and e.reminders is null
    and ${isGiven}`
  const inheriting = sql`
    select e.id from events e where ${isInheriting}
    union all
    select unnest(${uuids(
      sql,
      series.map((row) => row.id),
    )})`
  const seriesColumns = {
    id: 'uuid',
    offsetMinutes: 'integer',
    dueAt: 'timestamptz',
    occurrenceStart: 'timestamptz',
  } as const
  const added = addMissingTimers(
    app,
    sql`
    -- of events that happen once
    select
      e.org_id, e.id as subject_id, e.calendar_id,
      'event_reminder' as kind, m.minutes as offset_minutes, e.start_time - m.minutes * interval '1 minute' as due_at,
      e.original_start as occurrence_start, ${guard}.revision as generation, null::text as traceparent
    from ${guard}, events e, unnest(${integers(sql, minutes)}) as m (minutes)
    where ${isInheriting} and e.start_time - m.minutes * interval '1 minute' > ${now}
    union all
    -- of series
    select
      ${orgId}::uuid, m.id, ${id}::uuid,
      'event_reminder', m.offset_minutes, m.due_at,
      m.occurrence_start, ${guard}.revision, null
    from ${guard}, ${rowsOf(sql, ofSeries, seriesColumns, 'm')}`,
  )
  return { effects: [clearOtherReminders(app, orgId, inheriting, minutes), added], set: [added] }
}

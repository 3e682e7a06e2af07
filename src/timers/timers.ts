// The rows of what will happen. Whoever changes a subject sets its timers in the same statement.
import type { App } from '../app.ts'
import type { Fragment, Sql } from '../db.ts'

export const timerKinds = ['hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry'] as const
export type TimerKind = (typeof timerKinds)[number]

export type Timer = {
  kind: TimerKind
  /** Minutes before the start; 0 for everything but a reminder. */
  offsetMinutes: number
  dueAt: Date
  /** Of a series: the start of the occurrence meant. */
  occurrenceStart: Date | null
}

/** Wake-ups of one second spread over this many jobs. */
export const shardCount = 8

export type Subject = { orgId: string; id: string; calendarId: string }

/** The last hexadecimal digit of a UUIDv7 is random. */
export const shardOf = (subjectId: string): number => Number.parseInt(subjectId.at(-1)!, 16) % shardCount

/**
 * Adds or moves timers of a subject. `guard` must return the calendar's new `revision`, which becomes their generation:
 * a wake-up that read an older one then matches nothing.
 */
export function setTimers({ sql }: App, subject: Subject, timers: readonly Timer[]): Fragment | undefined {
  if (timers.length === 0) return undefined
  const rows = timers.map((timer) => ({
    kind: timer.kind,
    offset_minutes: timer.offsetMinutes,
    due_at: timer.dueAt,
    occurrence_start: timer.occurrenceStart,
  }))
  return sql`
    insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, occurrence_start, generation, shard)
    select ${subject.orgId}::uuid, ${subject.id}::uuid, ${subject.calendarId}::uuid,
      t.kind, t.offset_minutes, t.due_at, t.occurrence_start, guard.revision, ${shardOf(subject.id)}::smallint
    from guard, jsonb_to_recordset(${sql.json(rows as never)}) as t
      (kind text, offset_minutes integer, due_at timestamptz, occurrence_start timestamptz)
    on conflict (org_id, subject_id, kind, offset_minutes) do update
      set due_at = excluded.due_at, occurrence_start = excluded.occurrence_start, generation = excluded.generation
    returning shard, due_at`
}

/** Removes the timers of a subject, but for those that `keep` sets anew in the same statement. */
export function clearTimers({ sql }: App, subject: Subject, keep: readonly Timer[] = []): Fragment {
  const kept = keep.map((timer) => ({ kind: timer.kind, offset_minutes: timer.offsetMinutes }))
  return sql`
    delete from timers using guard
    where timers.org_id = ${subject.orgId} and timers.subject_id = ${subject.id}
      and (timers.kind, timers.offset_minutes) not in (
        select k.kind, k.offset_minutes
        from jsonb_to_recordset(${sql.json(kept as never)}) as k (kind text, offset_minutes integer))`
}

/** `shardOf` in SQL. */
export const shardOfSql = (sql: Sql, id: Fragment): Fragment =>
  sql`(get_byte(uuid_send(${id}), 15) & ${shardCount - 1})::smallint`

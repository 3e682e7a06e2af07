// What the engine reads of the timers.
import type { App } from '../app.ts'
import { rowsOf } from '../stores/sql.ts'
import type { DueTimer } from './timers.ts'

/** What is due by the database's clock, the longest overdue first, without those in `left`. */
export const dueTimers = ({ sql }: App, shard: number, max: number, left: readonly DueTimer[] = []) => sql<DueTimer[]>`
  select
    org_id, subject_id, calendar_id,
    kind, offset_minutes, occurrence_start, due_at,
    generation, traceparent
  from timers
  where shard = ${shard}
    and due_at <= app_now()
    ${
      left.length > 0
        ? sql`and (subject_id, kind, offset_minutes) not in (
            select l.subject_id, l.kind, l.offset_minutes
            from ${rowsOf(sql, left, { subjectId: 'uuid', kind: 'text', offsetMinutes: 'integer' }, 'l')})`
        : sql``
    }
  order by due_at
  limit ${max}`

/** How far off the next moment of a shard before `until` is, by the database's clock; null: there is none. */
export const nextDue = ({ sql }: App, shard: number, until: Date) => sql<{ waitMs: number | null }[]>`
  select (extract(epoch from min(due_at) - app_now()) * 1000)::float8 as wait_ms
  from timers
  where shard = ${shard}
    and due_at > app_now()
    and due_at < ${until}`

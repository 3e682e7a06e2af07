// A block of due timers, as a query: the noun that fires them reads its own columns in the same statement.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { DueTimer, Slice } from './timers.ts'

export type BlockOf = {
  slice: Slice
  max: number
  /** Those to pass over. */
  left: readonly DueTimer[]
  /** Organizations to pass over. */
  passedOver: readonly Uuid[]
}

/** The fields of a `DueTimer`. */
export const dueTimerColumns = (sql: Sql): Fragment => sql`
  org_id, subject_id, calendar_id,
  kind, offset_minutes, occurrence_start, due_at,
  generation, traceparent`

/**
 * Timers that are due by the database's clock, the longest overdue first. Read it as a materialized
 * part, and join that: otherwise Postgres joins all due timers before it takes the first one. A slice uses `<`, for which
 * Postgres expects a third of the timers. For an equation it expects a two-hundredth, fewer than the limit, so it would read
 * all due timers and sort them for each block.
 */
export const dueBlock = (sql: Sql, { slice, max, left, passedOver }: BlockOf): Fragment => sql`
  select ${dueTimerColumns(sql)}
  from timers
  where due_at <= app_now()
    ${slice.of > 1 ? sql`and (get_byte(uuid_send(subject_id), 15) + ${slice.of - slice.nth}) % ${slice.of} < 1` : sql``}
    ${passedOver.length > 0 ? sql`and org_id <> all (${uuids(sql, passedOver)})` : sql``}
    ${
      left.length > 0
        ? sql`and (subject_id, kind, offset_minutes) not in (
            select l.subject_id, l.kind, l.offset_minutes
            from ${rowsOf(sql, left, { subjectId: 'uuid', kind: 'text', offsetMinutes: 'integer' }, 'l')})`
        : sql``
    }
  order by due_at
  limit ${max}`

// Taking timers that have fired, and moving them on, in the statement of what they caused.
import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { timersRing } from './ring.ts'
import type { DueTimer, TimerKind } from './timers.ts'

/** Takes the timers of a kind that fired: one for each row of the guard, which returns `org_id, subject_id`. */
export const takeTimers = ({ sql }: App, kind: TimerKind): Effect =>
  effect(
    'taken',
    sql`
    delete from timers t using ${guard}
    where t.org_id = ${guard}.org_id
      and t.subject_id = ${guard}.subject_id
      and t.kind = ${kind}`,
  )

const isOfGuard = (sql: Sql): Fragment => sql`
  t.org_id = ${guard}.org_id
  and t.subject_id = ${guard}.subject_id
  and t.kind = ${guard}.kind
  and t.offset_minutes = ${guard}.offset_minutes`

/** Takes the timers that fired: one for each row of the guard, which returns `org_id, subject_id, kind, offset_minutes`. */
export const takeFired = ({ sql }: App): Effect =>
  effect('taken', sql`delete from timers t using ${guard} where ${isOfGuard(sql)}`)

/**
 * Moves the timers that fired to their next moment, and takes those that have none. The guard returns `org_id, subject_id,
 * kind, offset_minutes, next_due_at, next_occurrence_start`.
 */
export function advanceTimers({ sql }: App): Effect[] {
  const isSame = isOfGuard(sql)
  return [
    effect('taken', sql`delete from timers t using ${guard} where ${isSame} and ${guard}.next_due_at is null`),
    ringing(
      timersRing,
      sql`
      update timers t
      set due_at = ${guard}.next_due_at,
        occurrence_start = ${guard}.next_occurrence_start,
        generation = t.generation + 1
      from ${guard}
      where ${isSame} and ${guard}.next_due_at is not null
      returning t.due_at`,
    ),
  ]
}

const droppedColumns = {
  orgId: 'uuid',
  subjectId: 'uuid',
  kind: 'text',
  offsetMinutes: 'integer',
  generation: 'bigint',
} as const

/** Drops timers whose subject is gone. If a change sets them anew at this instant, they have another generation and stay. */
export const dropTimers = ({ sql }: App, timers: readonly DueTimer[]) => sql`
  delete from timers t
  using ${rowsOf(sql, timers, droppedColumns, 'd')}
  where t.org_id = d.org_id
    and t.subject_id = d.subject_id
    and t.kind = d.kind
    and t.offset_minutes = d.offset_minutes
    and t.generation = d.generation
    and t.due_at <= app_now()`

// The rows of what will happen. Whoever changes a subject sets its timers in the same statement.

import type { App } from '../app.ts'
import { type Effect, effect, ringing } from '../changes/effect.ts'
import { guard } from '../changes/step.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export const timerKinds = ['hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry'] as const
type TimerKind = (typeof timerKinds)[number]

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

type Subject = { orgId: Uuid; id: Uuid; calendarId: Uuid }

/** The last hexadecimal digit of a UUIDv7 is random. */
export const shardOf = (subjectId: Uuid): number => Number.parseInt(subjectId.at(-1)!, 16) % shardCount

/** As a list in a statement, by the name `m`: `kind, offset_minutes, due_at, occurrence_start`. */
export function timerList(sql: Sql, timers: readonly Timer[]): Fragment {
  const columns = {
    kind: 'text',
    offsetMinutes: 'integer',
    dueAt: 'timestamptz',
    occurrenceStart: 'timestamptz',
  } as const
  return rowsOf(sql, timers, columns, 'm')
}

/**
 * Adds timers of a subject. `source` has the columns of `timerList` by the name `m`, and the `revision` that the change
 * makes, which becomes their generation: a wake-up that read an older one then matches nothing.
 */
export const insertTimers = (sql: Sql, subject: Subject, source: Fragment): Fragment => sql`
  insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, occurrence_start, generation, shard,
    traceparent)
  select ${subject.orgId}::uuid, ${subject.id}::uuid, ${subject.calendarId}::uuid, m.kind, m.offset_minutes, m.due_at,
    m.occurrence_start, revision, ${shardOf(subject.id)}::smallint, ${currentTraceparent()}::text
  from ${source}`

/** The timers of a new subject; `guard` returns its `revision`. */
export const setTimers = ({ sql }: App, subject: Subject, timers: readonly Timer[]): Effect =>
  ringing(
    'timers',
    sql`${insertTimers(sql, subject, sql`${guard}, ${timerList(sql, timers)}`)} returning shard, due_at`,
  )

export const clearTimers = ({ sql }: App, subject: Pick<Subject, 'orgId' | 'id'>): Effect =>
  effect(
    'cleared',
    sql`
  delete from timers using ${guard} where timers.org_id = ${subject.orgId} and timers.subject_id = ${subject.id}`,
  )

/** What of a subject is due and has not fired yet. */
export const unfiredTimers = ({ sql }: App, subject: Pick<Subject, 'orgId' | 'id'>, now: Date) =>
  own<{ kind: TimerKind; offsetMinutes: number; dueAt: Date }>(sql, subject.orgId)`
  select org_id, kind, offset_minutes, due_at from timers
  where org_id = ${subject.orgId} and subject_id = ${subject.id} and due_at <= ${now}`

/** `shardOf` in SQL. */
export const shardOfSql = (sql: Sql, id: Fragment): Fragment =>
  sql`(get_byte(uuid_send(${id}), 15) & ${shardCount - 1})::smallint`

/** A timer as a worker found it due. */
export type DueTimer = {
  orgId: Uuid
  subjectId: Uuid
  calendarId: Uuid
  kind: TimerKind
  offsetMinutes: number
  occurrenceStart: Date | null
  dueAt: Date
  generation: number
  /** Of what set it. */
  traceparent: string | null
}

/**
 * What became of a block: those that fired, those whose subject is gone, to be dropped, and those to try again: their
 * turn comes after a moment to which one of the others moved, or a lock was in the way. The rest comes due again.
 */
export type Fired<T extends DueTimer = DueTimer> = { fired: T[]; stale: T[]; later?: T[] }

/** Tells the timers of one statement apart. */
export const timerKey = (timer: Pick<DueTimer, 'subjectId' | 'kind' | 'offsetMinutes'>): string =>
  `${timer.subjectId} ${timer.kind} ${timer.offsetMinutes}`

/** What is due by the database's clock, the longest overdue first, but for those that could not be fired just now. */
export const dueTimers = ({ sql }: App, shard: number, most: number, left: readonly DueTimer[] = []) => sql<DueTimer[]>`
  select org_id, subject_id, calendar_id, kind, offset_minutes, occurrence_start, due_at, generation, traceparent
  from timers where shard = ${shard} and due_at <= app_now()
    ${
      left.length > 0
        ? sql`and (subject_id, kind, offset_minutes) not in (
            select l."subjectId", l.kind, l."offsetMinutes" from jsonb_to_recordset(${sql.json(left)}) as l
              ("subjectId" uuid, kind text, "offsetMinutes" integer))`
        : sql``
    }
  order by due_at limit ${most}`

/** Drops timers whose subject is gone; a change that set them anew meanwhile gave them another generation. */
export const dropTimers = ({ sql }: App, timers: readonly DueTimer[]) => sql`
  delete from timers t using jsonb_to_recordset(${sql.json(timers)}) as d
    ("orgId" uuid, "subjectId" uuid, kind text, "offsetMinutes" integer, generation bigint)
  where t.org_id = d."orgId" and t.subject_id = d."subjectId" and t.kind = d.kind
    and t.offset_minutes = d."offsetMinutes" and t.generation = d.generation and t.due_at <= app_now()`

/** How far off the next moment of a shard before `until` is, by the database's clock; null: there is none to come. */
export const nextDue = ({ sql }: App, shard: number, until: Date) => sql<{ waitMs: number | null }[]>`
  select (extract(epoch from min(due_at) - app_now()) * 1000)::float8 as wait_ms
  from timers where shard = ${shard} and due_at > app_now() and due_at < ${until}`

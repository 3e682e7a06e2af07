// What will happen, and when: the values behind the rows of `timers`.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export const timerKinds = ['hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry'] as const
export type TimerKind = (typeof timerKinds)[number]

export type Timer = {
  kind: TimerKind
  /** Minutes before the start; 0 for everything but a reminder. */
  offsetMinutes: number
  dueAt: Date
  /** For a series, when the occurrence starts that the timer is about. */
  occurrenceStart: Date | null
}

/** A timer as a worker found it due. */
export type DueTimer = Timer & {
  orgId: Uuid
  subjectId: Uuid
  calendarId: Uuid
  /** Another one after every change of the timer. */
  generation: number
  /** The trace of the change that set the timer. */
  traceparent: string | null
}

/** What became of a block of due timers. What is in none of the lists stays due. */
export type Fired<T extends DueTimer = DueTimer> = {
  fired: T[]
  /** The subject is gone: they are dropped. */
  stale: T[]
  /** To try again: their turn comes after a moment to which another timer moved, or a lock was in the way. */
  later?: T[]
}

/** Tells the timers of one statement apart. */
export const timerKey = (timer: Pick<DueTimer, 'subjectId' | 'kind' | 'offsetMinutes'>): string =>
  `${timer.subjectId} ${timer.kind} ${timer.offsetMinutes}`

/** The wake-ups of one second are spread over this many jobs. */
export const shardCount = 8

/** The last hexadecimal digit of a UUIDv7 is random. */
export const shardOf = (subjectId: Uuid): number => Number.parseInt(subjectId.at(-1)!, 16) % shardCount

/** `shardOf` in SQL. */
export const shardOfSql = (sql: Sql, id: Fragment): Fragment =>
  sql`(get_byte(uuid_send(${id}), 15) & ${shardCount - 1})::smallint`

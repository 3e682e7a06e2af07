// Future moments: the values behind the rows of `timers`.
import type { Uuid } from '../shapes/ids.ts'

export const timerKinds = [
  'hold_expiry',
  'event_start',
  'event_end',
  'event_reminder',
  'proposal_expiry',
  'hold_group_expiry',
  'approval_expiry',
] as const
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

/** The outcome of a block of due timers. A timer in none of the lists stays due. */
export type Fired<T extends DueTimer = DueTimer> = {
  fired: T[]
  /** The subject is gone: they are dropped. */
  stale: T[]
  /**
   * To look at again at once: their turn comes after a moment to which another timer moved, a lock was in the way, or they
   * moved to a moment that is due as well.
   */
  later?: T[]
}

/** Tells the timers of one statement apart. */
export const timerKey = (timer: Pick<DueTimer, 'subjectId' | 'kind' | 'offsetMinutes'>): string =>
  `${timer.subjectId} ${timer.kind} ${timer.offsetMinutes}`

/** One of `of` equal parts of the timers, chosen by their subjects: the timers of one subject are in one slice. */
export type Slice = { nth: number; of: number }
export const wholeSlice: Slice = { nth: 0, of: 1 }

// Starts, ends and reminders of a block of due timers, in one statement. The timer of a series moves to its next occurrence in
// the same statement, so that after an outage of any length every missed one still fires, in order: timers that are due later
// than the next moment of a timer of this block wait for the next block.
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { commit } from '../commit/commit.ts'
import { guard } from '../commit/step.ts'
import { isOccurrence as isActiveStart } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { rowsOf } from '../stores/sql.ts'
import { momentShiftMs, seriesOf, timerAfter } from '../timers/series.ts'
import { advanceTimers } from '../timers/takenWrites.ts'
import { type Fired, type Timer, timerKey } from '../timers/timers.ts'
import type { EventType } from '../webhooks/catalog.ts'
import { emitPerKey } from '../webhooks/emit.ts'
import type { DueEventTimer, LiveEventTimer } from './firingQueries.ts'

const typeOf = {
  event_start: 'event.started',
  event_end: 'event.ended',
  event_reminder: 'event.reminder',
} as const satisfies Record<string, EventType>

type Moment = { kind: keyof typeof typeOf }
type MomentTimer = LiveEventTimer & Moment

/** The plan of a due timer: the event that it emits, if its occurrence still exists, and its next moment. */
type Firing = {
  timer: MomentTimer
  /** Undefined if there is no such occurrence, or no longer. */
  times: { start: Date; end: Date } | undefined
  /** Of a series: which occurrence. */
  occurrenceStart: Date | undefined
  next: Timer | undefined
}

/** The clock of the database may be ahead of ours. */
const soonMs = 2_000

type ReadyFiring = Firing & { payload: object | undefined }

/**
 * Fires what still holds: each timer is taken by its generation and the database's clock, so a moment that was
 * rescheduled, cancelled or fired by somebody else meanwhile yields nothing.
 */
export async function fireMoments(app: App, due: readonly (DueEventTimer & Moment)[]): Promise<Fired> {
  const live = due.filter(isLive)
  const decided = readyFirings(app, live).sort(byMoment)
  const turn = Math.min(...decided.map(({ next }) => next?.dueAt.getTime() ?? Number.POSITIVE_INFINITY))
  const firings = decided.filter(({ timer }) => timer.dueAt.getTime() <= turn)
  const { rows } = await commit<{ key: string }>(app, {
    guard: dueMoments(app, firings),
    effects: [...advanceTimers(app), ...emitPerKey(app, 'timer', firings.flatMap(emissionOf))],
    returning: app.sql`select key from ${guard}`,
  })
  const taken = new Set(rows.map(({ key }) => firings[Number(key)]!))
  const soon = app.clock.now().getTime() + soonMs
  const isLater = (firing: ReadyFiring) =>
    !taken.has(firing) || (firing.next !== undefined && firing.next.dueAt.getTime() <= soon)
  return {
    fired: [...taken].map(({ timer }) => timer),
    later: decided.filter(isLater).map(({ timer }) => timer),
    stale: due.filter((timer) => !isLive(timer)),
  }
}

/** Otherwise the event has been cancelled or deleted. */
const isLive = (timer: DueEventTimer & Moment): timer is MomentTimer => timer.status === 'confirmed'

/** At one instant the ends come first: an event without a gap starts after the one before it has ended. */
const byMoment = (a: Firing, b: Firing): number =>
  a.timer.dueAt.getTime() - b.timer.dueAt.getTime() || a.timer.kind.localeCompare(b.timer.kind)

/** A timer whose event cannot be read is left out, and stays due: the title does not open, or the rule does not parse. */
function readyFirings(app: App, due: readonly MomentTimer[]): ReadyFiring[] {
  const failed: { timer: MomentTimer; error: unknown }[] = []
  const ready = due.flatMap((timer) => {
    try {
      const firing = decideFiring(timer)
      return [{ ...firing, payload: payloadOf(app, firing) }]
    } catch (error) {
      failed.push({ timer, error })
      return []
    }
  })
  const [first] = failed
  if (first) {
    const detail = { err: first.error, timer: timerKey(first.timer), timers: failed.length }
    app.log.error(detail, 'timers could not be fired: the first of them')
  }
  return ready
}

function decideFiring(timer: MomentTimer): Firing {
  const { startTime, endTime } = timer
  const series = seriesOf(timer)
  if (!series) {
    // The timer moved on while an edit ended the series: its occurrence no longer exists.
    const isOwn =
      timer.originalStart || !timer.occurrenceStart || timer.occurrenceStart.getTime() === startTime.getTime()
    const times = isOwn ? { start: startTime, end: endTime } : undefined
    return { timer, times, occurrenceStart: timer.originalStart ?? undefined, next: undefined }
  }
  // A timer that an edit found due and left in place may have been set before the event recurred.
  const start = timer.occurrenceStart ?? new Date(timer.dueAt.getTime() - momentShiftMs(timer, timer))
  const end = new Date(start.getTime() + endTime.getTime() - startTime.getTime())
  const times = isActiveStart(series, start.getTime()) ? { start, end } : undefined
  return { timer, times, occurrenceStart: start, next: timerAfter(timer, timer, series, start) }
}

const firingColumns = {
  key: 'text',
  orgId: 'uuid',
  subjectId: 'uuid',
  kind: 'text',
  offsetMinutes: 'integer',
  generation: 'bigint',
  dueAt: 'timestamptz',
  nextDueAt: 'timestamptz',
  nextOccurrenceStart: 'timestamptz',
  version: 'text',
} as const

/**
 * The guard. The event must be as it was read, and stay so to the end of the statement: it may be edited, or an occurrence
 * cancelled, at this moment. A timer that the edit left in place would then move by the old rule.
 */
function dueMoments({ sql }: App, firings: readonly Firing[]) {
  const rows = firings.map(({ timer, next }, nth) => ({
    ...timer,
    key: String(nth),
    nextDueAt: next?.dueAt ?? null,
    nextOccurrenceStart: next?.occurrenceStart ?? null,
  }))
  return sql`
    select
      t.org_id, t.subject_id, t.kind, t.offset_minutes,
      b.next_due_at, b.next_occurrence_start, b.key,
      c.agent_id, null::bigint as revision
    from ${rowsOf(sql, rows, firingColumns, 'b')}
    join timers t using (org_id, subject_id, kind, offset_minutes)
    join events e on e.org_id = t.org_id and e.id = t.subject_id
    join calendars c on c.org_id = t.org_id and c.id = t.calendar_id and c.deleted_at is null
    where t.generation = b.generation
      and t.due_at = b.due_at
      and t.due_at <= app_now()
      and e.xmin::text = b.version
    for update of t skip locked
    for share of e skip locked`
}

/** Its key is the place of the firing among those of the statement. */
const emissionOf = ({ timer, payload }: ReadyFiring, nth: number) => {
  if (!payload) return []
  const { orgId, calendarId, subjectId, seriesId } = timer
  return [{ orgId, calendarId, resourceId: seriesId ?? subjectId, key: String(nth), type: typeOf[timer.kind], payload }]
}

function payloadOf({ sealer }: App, { timer, times, occurrenceStart }: Firing) {
  if (!times) return undefined
  return {
    event_id: encodeId('evt', timer.seriesId ?? timer.subjectId),
    calendar_id: encodeId('cal', timer.calendarId),
    title: sealer.unseal(titleContext(timer.subjectId), timer.titleSealed),
    start_time: isoTime(times.start),
    end_time: isoTime(times.end),
    ...(timer.kind === 'event_reminder' && { reminder_minutes: timer.offsetMinutes }),
    ...(occurrenceStart && { occurrence_start: isoTime(occurrenceStart) }),
  }
}

// The effects of a split: the series that ends, the one that begins, the occurrences that go along, and the timers of all of them. The
// guard has their calendar, counted up.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { publishAll } from '../externalCopies/publish.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import type { Uuid } from '../shapes/ids.ts'
import { rowsOf } from '../stores/sql.ts'
import type { PendingTimer } from '../timers/pendingTimers.ts'
import type { Timer } from '../timers/timers.ts'
import { clearTimersAfter, refitTimers } from '../timers/writes.ts'
import type { EventRow } from './columns.ts'
import type { EventWithCalendar } from './queries.ts'
import { changedMoments } from './timers.ts'
import { eventRows, insertEvents, moveOverrides, removeOverridesOf, rewriteSeries } from './writes.ts'

type SplitRows = {
  before: EventWithCalendar
  previous: EventWithCalendar
  row: EventWithCalendar
  moved: readonly EventRow[]
  dropped: readonly Uuid[]
  /** Of the series that ends: what is due and was not told yet. */
  pending: readonly PendingTimer[]
  now: Date
}

export function splitEffects(app: App, rows: SplitRows): (Effect | undefined)[] {
  const { sql } = app
  const { previous, row, moved, dropped, before } = rows
  return [
    rewriteSeries(app, previous),
    insertEvents(app, sql`${guard}, ${eventRows(app, [row])}`),
    moved.length > 0 ? moveOverrides(app, moved) : undefined,
    dropped.length > 0 ? removeOverridesOf(app, previous, dropped) : undefined,
    ...timersOf(app, rows),
    before.destinationId ? publishAll(app, publishedOf(app, rows), sql`true`) : undefined,
  ]
}

function timersOf(app: App, { previous, row, moved, dropped, pending, now }: SplitRows): Effect[] {
  const { sql } = app
  const timed = (event: EventRow) => ({ ...event, defaultReminders: previous.defaultReminders })
  const following = changedMoments(row, now, pending)
  const subjects = [
    { id: row.id, moments: following },
    ...moved.map((one) => ({ id: one.id, moments: changedMoments(timed(one), now) })),
    ...dropped.map((id) => ({ id, moments: [] as Timer[] })),
  ]
  const moments = subjects.flatMap(({ id, moments: all }) =>
    all.map((moment) => ({ ...moment, subjectId: id, isComing: moment.dueAt > now })),
  )
  const split = effect(
    'split',
    sql`
    select
      ${previous.orgId}::uuid as org_id, s.id, ${previous.calendarId}::uuid as calendar_id,
      ${guard}.revision, ${currentTraceparent()}::text as traceparent, true as refits
    from ${guard}
    cross join ${rowsOf(sql, subjects, { id: 'uuid' }, 's')}`,
  )
  const [over, untold] = firstUntold(app, { previous, row, following, now })
  const refits = refitTimers(app, moments, { mayMove: true, subjects: sql`${split}`, untold })
  return [split, over, untold, ...refits]
}

/**
 * The timers of the series that ends stay where they are, but for those that stand where it is over. A moment that has come, and that
 * none of them has passed, is told by the series that begins. They are locked, so a worker that tells it is either before or behind.
 */
function firstUntold(
  app: App,
  { previous, row, following, now }: { previous: EventRow; row: EventRow; following: readonly Timer[]; now: Date },
): [Effect, Effect] {
  const due = [
    ...Map.groupBy(
      following.filter(({ dueAt }) => dueAt <= now),
      ({ kind, offsetMinutes }) => `${kind} ${offsetMinutes}`,
    ).values(),
  ].map(([first]) => first!)
  const columns = {
    kind: 'text',
    offsetMinutes: 'integer',
    dueAt: 'timestamptz',
    occurrenceStart: 'timestamptz',
  } as const
  const { sql } = app
  const ofPrevious = sql`t.org_id = ${previous.orgId} and t.subject_id = ${previous.id}`
  const over = clearTimersAfter(app, previous, previous.seriesLastStart!)
  const untold = effect(
    'untold',
    sql`
    select
      ${row.orgId}::uuid as org_id, ${row.id}::uuid as subject_id, ${row.calendarId}::uuid as calendar_id,
      m.kind, m.offset_minutes, m.due_at, m.occurrence_start,
      ${guard}.revision as generation, ${currentTraceparent()}::text as traceparent
    from ${guard}
    cross join ${rowsOf(sql, due, columns, 'm')}
    join (
      select kind, offset_minutes, due_at from ${over}
      union all
      select *
      from (
        select t.kind, t.offset_minutes, t.due_at from timers t
        where ${ofPrevious} and t.occurrence_start <= ${previous.seriesLastStart}
        for update) standing
    ) t using (kind, offset_minutes)
    where t.due_at <= m.due_at`,
  )
  return [over, untold]
}

const publishedOf = ({ sql }: App, { previous, row, moved, dropped, before }: SplitRows) => sql`(
  select ${before.orgId}::uuid as org_id, p.id, ${before.calendarId}::uuid as calendar_id, ${guard}.destination_id
  from ${guard}
  cross join ${rowsOf(
    sql,
    [previous.id, row.id, ...moved.map(({ id }) => id), ...dropped].map((id) => ({ id })),
    { id: 'uuid' },
    'p',
  )}) e`

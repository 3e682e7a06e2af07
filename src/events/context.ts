// The snapshot for an agent: the events of now, the next ones, and those that have just ended. Its cost depends on the events
// around the moment, not on the size of the calendar.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { nextOccurrence, occurrencesBetween, previousOccurrence } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { dayMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow } from './columns.ts'
import {
  endedAfter,
  eventsAfter,
  eventsAround,
  lastStartedAndEnded,
  type Scope,
  seriesAround,
} from './contextQueries.ts'
import { instanceOf, withSeries } from './expandedList.ts'
import { byStart, type Instance, occurrenceAt } from './occurrences.ts'
import { presentInstance } from './present.ts'

const maxRecent = 3
/** How many series that are over are read at once: their last occurrences may have been cancelled. */
const maxEndedSeries = 8
const maxUpcoming = 5

export async function calendarContext(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  const now = app.clock.now()
  const scope = { orgId: actor.orgId, calendarId: calendar.id, now }
  const [around, after, ended, series] = await Promise.all([
    eventsAround(app.sql, scope, 1),
    eventsAfter(app.sql, scope, maxUpcoming),
    recentlyEnded(app, scope),
    seriesAround(app.sql, scope, maxEndedSeries),
  ])
  const nowMs = now.getTime()
  const rows = await withSeries(app, actor.orgId, [...around, ...after, ...ended, ...series])
  const single = (row: EventRow) => instanceOf(row, rows)
  const present = (instance: Instance) => presentInstance(app, instance, now)
  const recent = await recentInstances(app, scope, ended.map(single), series)
  const current = [...around.map(single), ...series.flatMap((row) => currentOccurrence(row, nowMs))]
    .sort(byStart)
    .at(-1)
  const coming = [...after.map(single), ...series.flatMap((row) => comingOccurrences(row, nowMs))].sort(byStart)
  const upcoming = coming.filter(({ startMs }) => startMs <= nowMs + dayMs).slice(0, maxUpcoming)
  const [next] = coming
  return {
    calendar_id: encodeId('cal', calendar.id),
    now: isoTime(now),
    agent_status: calendar.agentStatus,
    current_event: current ? present(current) : null,
    next_event: next ? present(next) : null,
    recent_events: recent.map(present),
    upcoming: upcoming.map(present),
  }
}

/** The `maxRecent` events that happen once and ended last. */
async function recentlyEnded({ sql }: App, scope: Scope): Promise<EventRow[]> {
  const started = await lastStartedAndEnded(sql, scope, maxRecent)
  if (started.length < maxRecent) return started.filter(({ recurrenceRule }) => recurrenceRule === null)
  // Those that started last need not be those that ended last. But the third of the latter ended no earlier than the earliest
  // end here, so whatever ended before that is not among them.
  const earliestEndMs = Math.min(...started.map(({ endTime }) => endTime.getTime()))
  return endedAfter(sql, scope, new Date(earliestEndMs - 1), maxRecent)
}

const byEndNewestFirst = (a: Instance, b: Instance): number => b.endMs - a.endMs || byStart(b, a)

/** The latest ends first, of events that happen once and of series. Reads on while a series that is over could belong here. */
async function recentInstances(
  app: App,
  scope: Scope,
  singles: readonly Instance[],
  around: readonly EventRow[],
): Promise<Instance[]> {
  const nowMs = scope.now.getTime()
  let series = around
  for (let maxEnded = maxEndedSeries; ; maxEnded *= 4) {
    if (maxEnded > maxEndedSeries) series = await seriesAround(app.sql, scope, maxEnded)
    const recent = [...singles, ...series.flatMap((row) => endedOccurrences(row, nowMs))]
      .sort(byEndNewestFirst)
      .slice(0, maxRecent)
    const endsMs = series.map(untilMs).filter((ms) => ms <= nowMs)
    const isWhole = endsMs.length < maxEnded
    const oldestMs = endsMs.reduce((oldest, ms) => Math.min(oldest, ms), Number.POSITIVE_INFINITY)
    const third = recent[maxRecent - 1]
    if (isWhole || (third && third.endMs >= oldestMs)) return recent
  }
}

/** When the last occurrence ends, cancelled or not. */
const untilMs = (row: EventRow): number =>
  row.seriesLastStart ? row.seriesLastStart.getTime() + durationMs(row) : Number.POSITIVE_INFINITY

const durationMs = ({ startTime, endTime }: EventRow): number => endTime.getTime() - startTime.getTime()

function currentOccurrence(row: EventRow, nowMs: number): Instance[] {
  const startMs = previousOccurrence(seriesOf(row)!, nowMs + 1)
  if (startMs === undefined) return []
  const instance = occurrenceAt(row, startMs)
  return instance.endMs > nowMs ? [instance] : []
}

/** The next one however far it is, and up to `maxUpcoming` of the coming day. */
function comingOccurrences(row: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(row)!
  const startsMs = occurrencesBetween(series, nowMs + 1, nowMs + dayMs + 1, maxUpcoming)
  if (startsMs.length > 0) return startsMs.map((startMs) => occurrenceAt(row, startMs))
  const nextMs = nextOccurrence(series, nowMs)
  return nextMs === undefined ? [] : [occurrenceAt(row, nextMs)]
}

/** The latest first, up to `maxRecent`. */
function endedOccurrences(row: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(row)!
  const ended: Instance[] = []
  let startMs = previousOccurrence(series, nowMs - durationMs(row) + 1)
  while (startMs !== undefined && ended.length < maxRecent) {
    ended.push(occurrenceAt(row, startMs))
    startMs = previousOccurrence(series, startMs)
  }
  return ended
}

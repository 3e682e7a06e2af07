// The snapshot an agent asks for: what is on now, what comes next, what has just ended. Its cost depends on what surrounds
// the moment, not on the size of the calendar.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { nextOccurrence, occurrencesBetween, previousOccurrence } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow } from './columns.ts'
import {
  endedAfter,
  eventsAfter,
  eventsAround,
  lastStartedAndEnded,
  type Place,
  seriesAround,
} from './contextQueries.ts'
import { byStart, type Instance, occurrenceAt, single } from './occurrences.ts'
import { presentInstance } from './present.ts'

const maxRecent = 3
/** Series that are over and read at once: their last occurrences may have been cancelled. */
const maxEndedSeries = 8
const maxUpcoming = 5
const upcomingMs = 24 * 60 * 60 * 1000

export async function calendarContext(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  const now = app.clock.now()
  const placed = { orgId: actor.orgId, calendarId: calendar.id, now }
  const [around, after, before] = await Promise.all([
    eventsAround(app.sql, placed, 1),
    eventsAfter(app.sql, placed, maxUpcoming),
    lastStartedAndEnded(app.sql, placed, maxRecent),
  ])
  const since = recentSince(before)
  const [endedSingles, masters] = await Promise.all([
    since
      ? endedAfter(app.sql, placed, since, maxRecent)
      : before.filter(({ recurrenceRule }) => recurrenceRule === null),
    seriesAround(app.sql, placed, maxEndedSeries),
  ])
  const nowMs = now.getTime()
  const recent = await recentInstances(app, placed, endedSingles.map(single), masters)
  const current = [...around.map(single), ...masters.flatMap((master) => currentOccurrence(master, nowMs))]
    .sort(byStart)
    .at(-1)
  const coming = [...after.map(single), ...masters.flatMap((master) => comingOccurrences(master, nowMs))].sort(byStart)
  const show = (instance: Instance) => presentInstance(app, instance, now)
  return {
    calendar_id: encodeId('cal', calendar.id),
    now: isoTime(now),
    agent_status: calendar.agentStatus,
    current_event: current ? show(current) : null,
    next_event: coming[0] ? show(coming[0]) : null,
    recent_events: recent.map(show),
    upcoming: coming
      .filter(({ startMs }) => startMs <= nowMs + upcomingMs)
      .slice(0, maxUpcoming)
      .map(show),
  }
}

const byEndNewestFirst = (a: Instance, b: Instance): number => b.endMs - a.endMs || byStart(b, a)

/**
 * The latest started need not be the latest ended, but the third of them is no earlier than the earliest end here: nothing
 * that ended until then can be among the recent ones. Undefined when fewer than that have ended at all.
 */
function recentSince(started: readonly EventRow[]): Date | undefined {
  if (started.length < maxRecent) return undefined
  return new Date(Math.min(...started.map((row) => row.endTime.getTime())) - 1)
}

/** The newest, from singles and series; reads more series that are over as long as one of them could belong here. */
async function recentInstances(app: App, placed: Place, singles: readonly Instance[], around: readonly EventRow[]) {
  const nowMs = placed.now.getTime()
  let masters = around
  let most = maxEndedSeries
  for (;;) {
    const recent = [...singles, ...masters.flatMap((master) => endedOccurrences(master, nowMs))]
      .sort(byEndNewestFirst)
      .slice(0, maxRecent)
    const endsMs = masters.map(untilMs).filter((ms) => ms <= nowMs)
    const oldestMs = endsMs.reduce((least, ms) => Math.min(least, ms), Infinity)
    const third = recent[maxRecent - 1]
    if (endsMs.length < most || (third && third.endMs >= oldestMs)) return recent
    most *= 4
    masters = await seriesAround(app.sql, placed, most)
  }
}

/** When its last occurrence ends, cancelled or not. */
const untilMs = ({ seriesLastStart, startTime, endTime }: EventRow): number =>
  seriesLastStart ? seriesLastStart.getTime() + endTime.getTime() - startTime.getTime() : Infinity

function currentOccurrence(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  const startMs = series && previousOccurrence(series, nowMs + 1)
  if (startMs === undefined) return []
  const instance = occurrenceAt(master, startMs)
  return instance.endMs > nowMs ? [instance] : []
}

/** The next one however far it is, and all that matter of the coming day. */
function comingOccurrences(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  if (!series) return []
  const starts = occurrencesBetween(series, nowMs + 1, nowMs + upcomingMs + 1, maxUpcoming)
  const next = starts[0] ?? nextOccurrence(series, nowMs)
  const all = starts.length > 0 ? starts : next === undefined ? [] : [next]
  return all.map((startMs) => occurrenceAt(master, startMs))
}

function endedOccurrences(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  const ended: Instance[] = []
  let beforeMs: number | undefined = nowMs - (master.endTime.getTime() - master.startTime.getTime()) + 1
  while (series && ended.length < maxRecent) {
    beforeMs = previousOccurrence(series, beforeMs!)
    if (beforeMs === undefined) break
    ended.push(occurrenceAt(master, beforeMs))
  }
  return ended
}

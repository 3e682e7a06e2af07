// The snapshot an agent asks for: what is on now, what comes next, what has just ended. Its cost depends on what surrounds
// the moment, not on the size of the calendar.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { encodeId } from '../ids.ts'
import { nextOccurrence, occurrencesBetween, previousOccurrence } from '../recurrence/expand.ts'
import { seriesOf } from '../timers/series.ts'
import { present } from '../wire.ts'
import { byStart, type Instance, single } from './occurrences.ts'
import { presentInstance } from './present.ts'
import { type EventRow, endedAfter, eventsAfter, eventsAround, lastStartedAndEnded, seriesMasters } from './queries.ts'

const mostRecent = 3
const mostUpcoming = 5
const upcomingMs = 24 * 60 * 60 * 1000

export async function calendarContext(app: App, actor: Actor, calendarId: string) {
  const calendar = await requireCalendar(app, actor, calendarId)
  const now = app.clock.now()
  const placed = { orgId: actor.orgId, calendarId: calendar.id, now }
  const [around, after, before] = await Promise.all([
    eventsAround(app.sql, placed, 1),
    eventsAfter(app.sql, placed, mostUpcoming),
    lastStartedAndEnded(app.sql, placed, mostRecent),
  ])
  const since = recentSince(before)
  const [ended, masters] = await Promise.all([
    since ? endedAfter(app.sql, placed, since, mostRecent) : before,
    seriesMasters(app.sql, placed, since),
  ])
  const nowMs = now.getTime()
  const current = [...around.map(single), ...masters.flatMap((master) => currentOccurrence(master, nowMs))]
    .sort(byStart)
    .at(-1)
  const coming = [...after.map(single), ...masters.flatMap((master) => comingOccurrences(master, nowMs))].sort(byStart)
  const recent = [...ended.map(single), ...masters.flatMap((master) => endedOccurrences(master, nowMs))].sort(
    byEndNewestFirst,
  )
  const show = (instance: Instance) => presentInstance(app, instance, now)
  return {
    calendar_id: encodeId('cal', calendar.id),
    now: present(now),
    agent_status: calendar.agentStatus,
    current_event: current ? show(current) : null,
    next_event: coming[0] ? show(coming[0]) : null,
    recent_events: recent.slice(0, mostRecent).map(show),
    upcoming: coming
      .filter(({ startMs }) => startMs <= nowMs + upcomingMs)
      .slice(0, mostUpcoming)
      .map(show),
  }
}

const byEndNewestFirst = (a: Instance, b: Instance): number => b.endMs - a.endMs || byStart(b, a)

/**
 * The latest started need not be the latest ended, but the third of them is no earlier than the earliest end here: nothing
 * that ended until then can be among the recent ones. Undefined when fewer than that have ended at all.
 */
function recentSince(started: readonly EventRow[]): Date | undefined {
  if (started.length < mostRecent) return undefined
  return new Date(Math.min(...started.map((row) => row.endTime.getTime())) - 1)
}

const instanceAt = (row: EventRow, startMs: number): Instance => ({
  row,
  startMs,
  endMs: startMs + row.endTime.getTime() - row.startTime.getTime(),
  isOccurrence: true,
})

function currentOccurrence(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  const startMs = series && previousOccurrence(series, nowMs + 1)
  if (startMs === undefined) return []
  const instance = instanceAt(master, startMs)
  return instance.endMs > nowMs ? [instance] : []
}

/** The next one however far it is, and all that matter of the coming day. */
function comingOccurrences(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  if (!series) return []
  const starts = occurrencesBetween(series, nowMs + 1, nowMs + upcomingMs + 1, mostUpcoming)
  const next = starts[0] ?? nextOccurrence(series, nowMs)
  const all = starts.length > 0 ? starts : next === undefined ? [] : [next]
  return all.map((startMs) => instanceAt(master, startMs))
}

function endedOccurrences(master: EventRow, nowMs: number): Instance[] {
  const series = seriesOf(master)
  const ended: Instance[] = []
  let beforeMs: number | undefined = nowMs - (master.endTime.getTime() - master.startTime.getTime()) + 1
  while (series && ended.length < mostRecent) {
    beforeMs = previousOccurrence(series, beforeMs!)
    if (beforeMs === undefined) break
    ended.push(instanceAt(master, beforeMs))
  }
  return ended
}

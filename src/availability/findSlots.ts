// Answers one question about free time: from the cache if nothing has changed since, otherwise from one statement that
// reads one snapshot. Pure code does the rest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { type BusyTime, openBusy } from './busy.ts'
import { type Cached, cacheOf } from './cache.ts'
import { gaps, merged, slotsWithin, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentAvailability } from './present.ts'
import { type CalendarTimes, calendarTimes, revisionsOf, type Scope } from './queries.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'

/** What is asked about: `key` identifies it in the cache; `scope` resolves it on a miss, and may throw. */
type Subject = { key: readonly unknown[]; scope(): Scope }

/** Requests share the answer: nobody may change it. */
export async function findSlots(app: App, subject: Subject, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const now = app.clock.now()
  const cache = cacheOf(app)
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const question = JSON.stringify([subject.key, window, query.include_busy])
  const minutes = slotMinutes(query)
  const known = cache.find(question)
  if (known && (await stillHolds(app, known, now))) {
    if (known.shown?.slotMinutes === minutes) return known.shown.answer
    const answer = answerOf(known.busy, window, minutes)
    // An answer takes much room, so only one that is asked for a second time is kept.
    cache.keep(question, { ...known, shown: { slotMinutes: minutes, answer } })
    return answer
  }
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const rows = await calendarTimes(app.sql, scope, window, now)
    const busy = busyTime(scope, rows, window, query.include_busy)
    cache.keep(question, { scope, busy, revisions: revisionText(rows), until: firstLapse(rows) })
    // A full year takes milliseconds for each part, so other requests get a turn between them.
    await nextTurn()
    return answerOf(busy, window, minutes)
  })
}

async function stillHolds({ sql }: App, known: Cached, now: Date): Promise<boolean> {
  if (known.until !== null && known.until <= now) return false
  const [current] = await revisionsOf(sql, known.scope)
  return (current?.revisions ?? '') === known.revisions
}

const answerOf = (busy: BusyTime, window: Window, minutes: number): AvailabilityAnswer =>
  presentAvailability(busy, slotsWithin(gaps(busy.all, window), minutes * minuteMs))

/** `withOwn`: also the busy time of the calendar, or of each agent. */
const busyTime = (scope: Scope, rows: readonly CalendarTimes[], window: Window, withOwn: boolean): BusyTime =>
  scope.kind === 'calendar' ? busyOfCalendar(rows, window, withOwn) : busyOfAgents(scope, rows, window, withOwn)

function busyOfCalendar(rows: readonly CalendarTimes[], window: Window, withOwn: boolean): BusyTime {
  const [calendar] = rows
  if (!calendar) throw notFound('calendar')
  const all = openBusy(window)(rows)
  return { agents: calendar.agentId ? [encodeId('agt', calendar.agentId)] : [], all, own: withOwn ? all : undefined }
}

function busyOfAgents(
  { agentIds }: Scope & { kind: 'agents' },
  rows: readonly CalendarTimes[],
  window: Window,
  withOwn: boolean,
): BusyTime {
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId)
  if (agentIds.some((id) => !byAgent.has(id))) throw notFound('agent', 'agents')
  const busyOf = openBusy(window)
  const agents = agentIds.map((id) => encodeId('agt', id))
  if (!withOwn) return { agents, all: busyOf(rows) }
  const ofAgents = agentIds.map((id) => busyOf(byAgent.get(id)!))
  return { agents, all: merged(ofAgents.flat(), window), ofAgents }
}

/** The text that `revisionsOf` reads: ordered by identifier, as Postgres orders them. */
const revisionText = (rows: readonly CalendarTimes[]): string =>
  rows
    .flatMap(({ calendarId, revision }) => (calendarId ? `${calendarId}:${revision}` : []))
    .sort()
    .join(' ')

const firstLapse = (rows: readonly CalendarTimes[]): Date | null => {
  const lapses = rows.flatMap(({ holdsUntil }) => holdsUntil?.getTime() ?? [])
  return lapses.length === 0 ? null : new Date(Math.min(...lapses))
}

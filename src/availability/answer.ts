// One question answered: the taken time from memory if nothing changed since, else from one statement that reads
// everything of one snapshot; pure code does the rest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { encodeId } from '../shapes/ids.ts'
import { openBusy, type Taken } from './busy.ts'
import { judgeSources } from './freshness.ts'
import { gaps, merged, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentAvailability } from './present.ts'
import { type CalendarRow, calendarTimes, revisionsOf, type Scope } from './queries.ts'
import { memoryOf, type Remembered } from './remembered.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'
import { slotsWithin } from './slots.ts'

/** What is asked about: `key` tells it from everything else, `scope` decides it (and may throw) if that is news. */
type Subject = { key: readonly unknown[]; scope(): Scope }

/** Shared between requests: nobody changes it. */
export async function answer(app: App, subject: Subject, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const now = app.clock.now()
  const memory = memoryOf(app)
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const question = JSON.stringify([subject.key, window, query.include_busy])
  const known = memory.recall(question)
  if (known && (await stillHolds(app, known, now))) {
    const way = `${slotMinutes(query)} ${query.allow_stale}`
    if (known.shown?.way === way) return known.shown.answer
    const again = show(known.taken, window, query)
    // Only what is asked for again is worth its room.
    memory.keep(question, { ...known, shown: { way, answer: again } })
    return again
  }
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const rows = await calendarTimes(app.sql, scope, window, now)
    const withBusy = query.include_busy
    const taken =
      scope.kind === 'calendar' ? ofCalendar(rows, window, withBusy) : ofAgents(scope, rows, window, withBusy)
    memory.keep(question, { scope, taken, revisions: revisionText(rows), until: firstLapse(rows) })
    // Of a full year each part takes its milliseconds: others have their turn between them.
    await nextTurn()
    return show(taken, window, query)
  })
}

async function stillHolds({ sql }: App, known: Remembered, now: Date): Promise<boolean> {
  if (known.until !== null && known.until <= now) return false
  const [current] = await revisionsOf(sql, known.scope)
  return (current?.revisions ?? '') === known.revisions
}

function show(taken: Taken, window: Window, query: AvailabilityQuery): AvailabilityAnswer {
  // No connection to an external calendar can be made yet, so no agent was granted one.
  const freshness = judgeSources([], query.allow_stale)
  const slotMs = slotMinutes(query) * 60_000
  const slots = freshness.offersSlots ? slotsWithin(gaps(taken.all, window), slotMs) : []
  return presentAvailability(taken, slots, freshness)
}

/** `withBusy`: the calendar's or each agent's own is told as well. */
function ofCalendar(rows: readonly CalendarRow[], window: Window, withBusy: boolean): Taken {
  const [calendar] = rows
  if (!calendar) throw notFound('calendar')
  const all = openBusy(window)(rows)
  return { agents: calendar.agentId ? [encodeId('agt', calendar.agentId)] : [], all, busy: withBusy ? all : undefined }
}

function ofAgents(
  { agentIds }: Scope & { kind: 'agents' },
  rows: readonly CalendarRow[],
  window: Window,
  withBusy: boolean,
): Taken {
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId)
  if (agentIds.some((id) => !byAgent.has(id))) throw notFound('agent', 'agents')
  const busyOf = openBusy(window)
  const agents = agentIds.map((id) => encodeId('agt', id))
  if (!withBusy) return { agents, all: busyOf(rows) }
  const busyOfAgents = agentIds.map((id) => busyOf(byAgent.get(id)!))
  return { agents, all: merged(busyOfAgents.flat(), window), busyOfAgents }
}

/** The text that `revisionsOf` reads: by identifier, as Postgres orders them. */
const revisionText = (rows: readonly CalendarRow[]): string =>
  rows
    .flatMap(({ calendarId, revision }) => (calendarId ? `${calendarId}:${revision}` : []))
    .sort()
    .join(' ')

const firstLapse = (rows: readonly CalendarRow[]): Date | null => {
  const lapses = rows.flatMap(({ holdsUntil }) => holdsUntil?.getTime() ?? [])
  return lapses.length === 0 ? null : new Date(Math.min(...lapses))
}

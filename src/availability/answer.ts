// One question answered: the taken time from memory if nothing changed since, else from one statement that reads
// everything of one snapshot; pure code does the rest.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { openBusy, type Taken } from './busy.ts'
import { judgeSources } from './freshness.ts'
import { gaps, merged, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentAvailability } from './present.ts'
import { type CalendarRow, calendarTimes, revisionsOf, type Scope } from './queries.ts'
import { memoryOf } from './remembered.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'
import { slotsWithin } from './slots.ts'

export async function answer(app: App, scope: Scope, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const apart = scope.kind === 'agents' && query.include_busy
  const { agentIds, all, ofAgents } = await takenTime(app, scope, window, apart)
  // No connection to an external calendar can be made yet, so no agent was granted one.
  const freshness = judgeSources([], query.allow_stale)
  const slotMs = slotMinutes(query) * 60_000
  return presentAvailability({
    agentIds,
    slots: freshness.offersSlots ? slotsWithin(gaps(all, window), slotMs) : [],
    busy: scope.kind === 'calendar' && query.include_busy ? all : undefined,
    busyOfAgents: ofAgents,
    freshness,
  })
}

/** `apart` tells the agents' taken time apart, beside that of all. Shared between requests: nobody changes it. */
async function takenTime(app: App, scope: Scope, window: Window, apart: boolean): Promise<Taken> {
  const now = app.clock.now()
  const question = JSON.stringify([scope, window, apart])
  const memory = memoryOf(app)
  const known = memory.recall(question)
  if (known && (known.until === null || known.until > now)) {
    const [current] = await revisionsOf(app.sql, scope)
    if ((current?.revisions ?? '') === known.revisions) return known.taken
  }
  const rows = await calendarTimes(app.sql, scope, window, now)
  const taken = scope.kind === 'calendar' ? takenOnCalendar(rows, window) : takenByAgents(scope, rows, window, apart)
  memory.keep(question, { taken, revisions: revisionText(rows), until: firstLapse(rows) })
  return taken
}

function takenOnCalendar(rows: readonly CalendarRow[], window: Window): Taken {
  const [calendar] = rows
  if (!calendar) throw notFound('calendar')
  return { agentIds: calendar.ownerId ? [calendar.ownerId] : [], all: openBusy(window)(rows) }
}

function takenByAgents(
  { agentIds }: Scope & { kind: 'agents' },
  rows: readonly CalendarRow[],
  window: Window,
  apart: boolean,
): Taken {
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId)
  if (agentIds.some((id) => !byAgent.has(id))) throw notFound('agent', 'agents')
  const busyOf = openBusy(window)
  if (!apart) return { agentIds, all: busyOf(rows) }
  const ofAgents = new Map(agentIds.map((id) => [id, busyOf(byAgent.get(id)!)]))
  return { agentIds, all: merged([...ofAgents.values()].flat(), window), ofAgents }
}

/** The text that `revisionsOf` reads: by identifier, as Postgres orders them. */
const revisionText = (rows: readonly CalendarRow[]): string =>
  rows
    .flatMap(({ revision }) => revision ?? [])
    .sort()
    .join(' ')

const firstLapse = (rows: readonly CalendarRow[]): Date | null => {
  const lapses = rows.flatMap(({ holdsUntil }) => holdsUntil?.getTime() ?? [])
  return lapses.length === 0 ? null : new Date(Math.min(...lapses))
}

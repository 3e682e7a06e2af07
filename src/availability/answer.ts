// One question answered: from memory if nothing changed since, else from one statement that reads everything of one
// snapshot, and pure code.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { openBusy } from './busy.ts'
import { judgeSources } from './freshness.ts'
import { gaps, type Intervals, merged, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentAvailability } from './present.ts'
import { type CalendarRow, calendarTimes, revisionsOf, type Scope } from './queries.ts'
import { memoryOf } from './remembered.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'
import { slotsWithin } from './slots.ts'

/** Shared between requests: nobody changes it. */
export async function answer(app: App, scope: Scope, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const now = app.clock.now()
  const { include_busy, allow_stale } = query
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const question = JSON.stringify([scope, window, slotMinutes(query), include_busy, allow_stale])
  const memory = memoryOf(app)
  const known = memory.recall(question)
  if (known && (known.until === null || known.until > now)) {
    const [current] = await revisionsOf(app.sql, scope)
    if ((current?.revisions ?? '') === known.revisions) return known.answer
  }
  const rows = await calendarTimes(app.sql, scope, window, now)
  const fresh = compose(scope, window, rows, query)
  memory.keep(question, { answer: fresh, revisions: revisionText(rows), until: firstLapse(rows) })
  return fresh
}

function compose(
  scope: Scope,
  window: Window,
  rows: readonly CalendarRow[],
  query: AvailabilityQuery,
): AvailabilityAnswer {
  const { taken, ...shown } = takenBy(scope, window, rows, query.include_busy)
  // No connection to an external calendar can be made yet, so no agent was granted one.
  const freshness = judgeSources([], query.allow_stale)
  const slotMs = slotMinutes(query) * 60_000
  const slots = freshness.offersSlots ? slotsWithin(gaps(taken, window), slotMs) : []
  return presentAvailability({ ...shown, slots, freshness })
}

type Taken = {
  agentIds: readonly string[]
  /** Of all calendars together: what is left over is free on each of them. */
  taken: Intervals
  busy?: Intervals
  busyOfAgents?: ReadonlyMap<string, Intervals>
}

function takenBy(scope: Scope, window: Window, rows: readonly CalendarRow[], includeBusy: boolean): Taken {
  const busyOf = openBusy(window)
  if (scope.kind === 'calendar') {
    const [calendar] = rows
    if (!calendar) throw notFound('calendar')
    const taken = busyOf(rows)
    return { agentIds: calendar.ownerId ? [calendar.ownerId] : [], taken, busy: includeBusy ? taken : undefined }
  }
  const { agentIds } = scope
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId)
  if (agentIds.some((id) => !byAgent.has(id))) throw notFound('agent', 'agents')
  if (!includeBusy) return { agentIds, taken: busyOf(rows) }
  const busyOfAgents = new Map(agentIds.map((id) => [id, busyOf(byAgent.get(id)!)]))
  return { agentIds, taken: merged([...busyOfAgents.values()].flat(), window), busyOfAgents }
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

// Answers one question about free time: from the cache if nothing has changed since, otherwise from one statement that
// reads one snapshot. Pure code does the rest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { noteInterest, type SourceRow } from '../connections/sources.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { bestTimes } from './best.ts'
import { bestOrderOf } from './bestSchema.ts'
import { blockedBy } from './blocked.ts'
import { type BusyTime, openBusy } from './busy.ts'
import { type Cached, cacheOf } from './cache.ts'
import { allowedSlots, barredStarts } from './dailyLimits.ts'
import { openExplained, type Sees } from './explained.ts'
import { distinctSources, type Freshness, sourcesText, withoutSources } from './freshness.ts'
import { holidayIdsOf, holidayVersions } from './holidays.ts'
import { gaps, type Intervals, merged, slotsWithin, type Window } from './intervals.ts'
import { judgedSources } from './judged.ts'
import { type AvailabilityAnswer, presentAvailability, presentBest, presentFreshness } from './present.ts'
import { presentExplained } from './presentExplained.ts'
import type { CalendarTimes, Scope } from './queries.ts'
import { readNamedTimes, readRevisions, readTimes } from './readTimes.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'

/**
 * The question: `key` identifies it in the cache; `scope` resolves it on a miss, and may throw. `zone` is that of the one
 * calendar. `sees`: whether the caller may see the events of a calendar.
 */
export type Subject = { key: readonly unknown[]; scope(): Scope; zone?: string; sees: Sees }

/** Requests share the answer, so it is read-only. */
export async function findSlots(app: App, subject: Subject, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const { busy, answer, freshness } = await (query.explain ? explained : plain)(app, subject, query, window)
  const order = bestOrderOf(query, subject.zone ?? 'UTC')
  if (!order) return answer
  const free = freshness.offersSlots ? gaps(busy.all, window) : []
  const durationMs = slotMinutes(query) * minuteMs
  const best = bestTimes(free, window, durationMs, { ...order, barred: barredStarts(busy.rooms ?? [], durationMs) })
  return { ...answer, best: presentBest(best) }
}

type Found = { busy: BusyTime; answer: AvailabilityAnswer; freshness: Freshness }

/** Reads anew: an explained answer is not kept. */
async function explained(app: App, subject: Subject, query: AvailabilityQuery, window: Window): Promise<Found> {
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const now = app.clock.now()
    const rows = await readNamedTimes(app, scope, window, now)
    const freshness = judged(app, scope, distinctSources(rows), window, query.allow_stale, now)
    const { busyOf, closeAll, pieces, rooms } = openExplained(window, subject.sees)
    const busy = { ...busyTime(scope, rows, busyOf, query.include_busy, window), rooms: rooms() }
    if (!freshness.offersSlots) closeAll(rows.every((row) => subject.sees(row)))
    await nextTurn()
    const durationMs = slotMinutes(query) * minuteMs
    const isOpen = freshness.offersSlots
    const free = isOpen ? gaps(busy.all, window) : []
    const possible = slotsWithin(free, durationMs)
    const slots = allowedSlots(possible, barredStarts(busy.rooms, durationMs))
    const isLimited = slots.length < possible.length
    const why = presentExplained(blockedBy(pieces), { window, free, slots, durationMs, isOpen, isLimited })
    return { busy, freshness, answer: { ...presentAvailability(busy, slots, freshness), ...why } }
  })
}

async function plain(app: App, subject: Subject, query: AvailabilityQuery, window: Window): Promise<Found> {
  const now = app.clock.now()
  const { cached, sources, keep } = await readBusy(app, subject, window, query.include_busy, now)
  const { busy, scope, shown } = cached
  // Its freshness is judged every time.
  const freshness = judged(app, scope, sources, window, query.allow_stale, now)
  const minutes = slotMinutes(query)
  if (shown?.slotMinutes === minutes) return { busy, freshness, answer: asFresh(shown.answer, freshness) }
  const answer = answerOf(busy, window, minutes)
  // An answer takes much room, so only one that is asked for a second time is kept.
  keep?.({ slotMinutes: minutes, answer })
  return { busy, freshness, answer: asFresh(answer, freshness) }
}

/** The busy time in a window alone, and whether it is known. `withOwn`: also that of each agent. */
export async function findBusy(
  app: App,
  subject: Subject,
  window: Window,
  withOwn: boolean,
): Promise<Omit<Found, 'answer'>> {
  const now = app.clock.now()
  const { cached, sources } = await readBusy(app, subject, window, withOwn, now)
  return { busy: cached.busy, freshness: judged(app, cached.scope, sources, window, false, now) }
}

/** `keep` adds an answer to the cached busy time. */
type Read = { cached: Cached; sources: readonly SourceRow[]; keep?(shown: Cached['shown']): void }

async function readBusy(app: App, subject: Subject, window: Window, withOwn: boolean, now: Date): Promise<Read> {
  const cache = cacheOf(app)
  const question = JSON.stringify([subject.key, window, withOwn])
  const known = cache.find(question)
  const current = known && (await stillHolds(app, known, now))
  if (known && current) {
    return { cached: known, sources: current.sources, keep: (shown) => cache.keep(question, { ...known, shown }) }
  }
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const rows = await readTimes(app, scope, window, now)
    const { busyOf, rooms } = openBusy(window)
    const busy = busyTime(scope, rows, busyOf, withOwn, window)
    if (rooms.length > 0) busy.rooms = rooms
    const sources = distinctSources(rows)
    const version = rows.find(({ holidayVersion }) => holidayVersion !== undefined)?.holidayVersion ?? ''
    const revisions = stateText(revisionText(rows), sources, version)
    const cached = { scope, busy, revisions, holidayFeeds: holidayIdsOf(rows), until: firstLapse(rows) }
    cache.keep(question, cached)
    // A full year takes milliseconds for each part, so other requests get a turn between them.
    await nextTurn()
    return { cached, sources }
  })
}

/** The current sources; undefined if anything has changed. */
async function stillHolds(app: App, known: Cached, now: Date): Promise<{ sources: SourceRow[] } | undefined> {
  if (known.until !== null && known.until <= now) return undefined
  const [current, version] = await Promise.all([
    readRevisions(app, known.scope),
    holidayVersions(app.sql, known.scope.orgId, known.holidayFeeds),
  ])
  const sources = current ? distinctSources([current]) : []
  return stateText(current?.revisions ?? '', sources, version) === known.revisions ? { sources } : undefined
}

/** All that an answer depends on, but the time. */
const stateText = (revisions: string, sources: readonly SourceRow[], holidays: string): string =>
  `${revisions} ${sourcesText(sources)} ${holidays}`

/** Judges the sources; the caller wakes those whose copy is old. */
function judged(
  app: App,
  { orgId }: Scope,
  sources: readonly SourceRow[],
  window: Window,
  allowStale: boolean,
  now: Date,
): Freshness {
  if (sources.length > 0) noteInterest(app, orgId, sources, now)
  return judgedSources(app, sources, window, now, allowStale)
}

const asFresh = (answer: AvailabilityAnswer, freshness: Freshness): AvailabilityAnswer =>
  freshness === withoutSources
    ? answer
    : { ...answer, slots: freshness.offersSlots ? answer.slots : [], ...presentFreshness(freshness) }

/** As if every source were current: `asFresh` marks those that are. */
const answerOf = (busy: BusyTime, window: Window, minutes: number): AvailabilityAnswer =>
  presentAvailability(busy, offeredSlots(busy, window, minutes * minuteMs), withoutSources)

const offeredSlots = ({ all, rooms = [] }: BusyTime, window: Window, durationMs: number): number[] =>
  allowedSlots(slotsWithin(gaps(all, window), durationMs), barredStarts(rooms, durationMs))

/** How the busy time of rows together is found. */
type BusyOf<Row> = (rows: readonly Row[]) => Intervals

/** `withOwn`: also the busy time of the calendar, or of each agent. */
function busyTime<Row extends CalendarTimes>(
  scope: Scope,
  rows: readonly Row[],
  busyOf: BusyOf<Row>,
  withOwn: boolean,
  window: Window,
): BusyTime {
  if (scope.kind === 'agents') return busyOfAgents(scope, rows, busyOf, withOwn, window)
  const [calendar] = rows
  if (!calendar) throw notFound('calendar')
  const all = busyOf(rows)
  return { agents: calendar.agentId ? [encodeId('agt', calendar.agentId)] : [], all, own: withOwn ? all : undefined }
}

function busyOfAgents<Row extends CalendarTimes>(
  { agentIds }: Scope & { kind: 'agents' },
  rows: readonly Row[],
  busyOf: BusyOf<Row>,
  withOwn: boolean,
  window: Window,
): BusyTime {
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId)
  if (agentIds.some((id) => !byAgent.has(id))) throw notFound('agent', 'agents')
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

// Answers one question about free time: from the cache if nothing has changed since, otherwise from one statement that
// reads one snapshot. Pure code does the rest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId } from '../shapes/ids.ts'
import { bestTimes } from './best.ts'
import { bestOrderOf } from './bestSchema.ts'
import { blockedBy } from './blocked.ts'
import { type BusyTime, openBusy } from './busy.ts'
import { type Cached, cacheOf } from './cache.ts'
import { openExplained, type Sees } from './explained.ts'
import { gaps, type Intervals, merged, slotsWithin, type Window } from './intervals.ts'
import { type AvailabilityAnswer, presentAvailability, presentBest } from './present.ts'
import { presentExplained } from './presentExplained.ts'
import { type CalendarTimes, calendarTimes, namedTimes, revisionsOf, type Scope } from './queries.ts'
import { type AvailabilityQuery, slotMinutes } from './schema.ts'

/**
 * What is asked about: `key` identifies it in the cache; `scope` resolves it on a miss, and may throw. `zone` is that of the
 * one calendar. `sees`: whether the caller may see what is on a calendar.
 */
export type Subject = { key: readonly unknown[]; scope(): Scope; zone?: string; sees: Sees }

/** Requests share the answer: nobody may change it. */
export async function findSlots(app: App, subject: Subject, query: AvailabilityQuery): Promise<AvailabilityAnswer> {
  const window = { fromMs: query.start.getTime(), toMs: query.end.getTime() }
  const { busy, answer } = await (query.explain ? explained : plain)(app, subject, query, window)
  const order = bestOrderOf(query, subject.zone ?? 'UTC')
  if (!order) return answer
  const best = bestTimes(gaps(busy.all, window), window, slotMinutes(query) * minuteMs, order)
  return { ...answer, best: presentBest(best) }
}

type Found = { busy: BusyTime; answer: AvailabilityAnswer }

/** Reads anew: an explained answer is not kept. */
async function explained(app: App, subject: Subject, query: AvailabilityQuery, window: Window): Promise<Found> {
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const rows = await namedTimes(app.sql, scope, window, app.clock.now())
    const { busyOf, pieces } = openExplained(window, subject.sees)
    const busy = busyTime(scope, rows, busyOf, query.include_busy, window)
    await nextTurn()
    const durationMs = slotMinutes(query) * minuteMs
    const free = gaps(busy.all, window)
    const slots = slotsWithin(free, durationMs)
    const why = presentExplained(blockedBy(pieces), { window, free, slots, durationMs })
    return { busy, answer: { ...presentAvailability(busy, slots), ...why } }
  })
}

async function plain(app: App, subject: Subject, query: AvailabilityQuery, window: Window): Promise<Found> {
  const { cached, keep } = await readBusy(app, subject, window, query.include_busy)
  const { busy, shown } = cached
  const minutes = slotMinutes(query)
  if (shown?.slotMinutes === minutes) return { busy, answer: shown.answer }
  const answer = answerOf(busy, window, minutes)
  // An answer takes much room, so only one that is asked for a second time is kept.
  keep?.({ slotMinutes: minutes, answer })
  return { busy, answer }
}

/** `keep` adds an answer to what was known before. */
type Read = { cached: Cached; keep?(shown: Cached['shown']): void }

async function readBusy(app: App, subject: Subject, window: Window, withOwn: boolean): Promise<Read> {
  const now = app.clock.now()
  const cache = cacheOf(app)
  const question = JSON.stringify([subject.key, window, withOwn])
  const known = cache.find(question)
  if (known && (await stillHolds(app, known, now))) {
    return { cached: known, keep: (shown) => cache.keep(question, { ...known, shown }) }
  }
  const scope = subject.scope()
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const rows = await calendarTimes(app.sql, scope, window, now)
    const busy = busyTime(scope, rows, openBusy(window), withOwn, window)
    const cached = { scope, busy, revisions: revisionText(rows), until: firstLapse(rows) }
    cache.keep(question, cached)
    // A full year takes milliseconds for each part, so other requests get a turn between them.
    await nextTurn()
    return { cached }
  })
}

/** The busy time in a window alone. `withOwn`: also that of each agent. */
export const findBusy = async (app: App, subject: Subject, window: Window, withOwn: boolean): Promise<BusyTime> =>
  (await readBusy(app, subject, window, withOwn)).cached.busy

async function stillHolds({ sql }: App, known: Cached, now: Date): Promise<boolean> {
  if (known.until !== null && known.until <= now) return false
  const [current] = await revisionsOf(sql, known.scope)
  return (current?.revisions ?? '') === known.revisions
}

const answerOf = (busy: BusyTime, window: Window, minutes: number): AvailabilityAnswer =>
  presentAvailability(busy, slotsWithin(gaps(busy.all, window), minutes * minuteMs))

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

// The events that touch a window: those that start in it, and before them those that began earlier and are still on then.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { startsOver } from '../recurrence/overlap.ts'
import type { Uuid } from '../shapes/ids.ts'
import { holdsLike } from '../shapes/likeness.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { instancesOf, itemsOf, readTimeline } from './expandedList.ts'
import { labelKey } from './labels.ts'
import { carriedIn, type ListQuery, type ListScope } from './listQueries.ts'
import { byStartAndId, type Instance, type Window } from './occurrences.ts'
import { type EventInstanceRecord, presentInstance } from './present.ts'
import type { WindowQuery } from './schema.ts'
import { type Item, itemOf, type KnownSeries, type Timeline } from './timeline.ts'

/** Of one series, how many occurrences that began before the window are looked for. */
const maxEarlier = 400
/** A search goes through so many events of the window, the first ones. */
const maxSearched = 1_000

/** `searched`: how many were looked through, if there were more. */
type WindowList = { items: EventInstanceRecord[]; total: number; searched?: number }

/** `calendarIds`: those that the caller may read. Series stand as their occurrences; by start, then id. */
export function listWindow(
  app: App,
  { orgId }: Actor,
  calendarIds: readonly Uuid[],
  query: WindowQuery,
): Promise<WindowList> {
  const scope: ListScope = { orgId, calendarIds, now: app.clock.now() }
  return heavyRead(app, orgId, 'list', async () => {
    const opened = await open(app, scope, query)
    if (query.query !== undefined) return search(app, opened, query.query, query)
    const instances = await instancesFrom(app, opened, query)
    return { items: await present(app, scope, instances), total: opened.total }
  })
}

type Opened = { scope: ListScope; listed: ListQuery; timeline: Timeline; earlier: Item[]; total: number }
type Page = { limit: number; offset: number }

async function open(
  app: App,
  scope: ListScope,
  { start, end, status, label, limit, offset }: WindowQuery,
): Promise<Opened> {
  const listed: ListQuery = {
    start_after: start,
    start_before: end,
    status,
    ...(label !== undefined && { labelKey: await labelKey(app, scope.orgId, label) }),
    isActive: status === undefined,
    expand: true,
    limit,
    offset,
  }
  const window = { fromMs: start.getTime(), toMs: end.getTime() }
  const [timeline, carried] = await Promise.all([
    readTimeline(app, scope, listed, window),
    carriedIn(app.sql, scope, listed, start),
  ])
  const occurrences = timeline.series.flatMap((one) => carriedOccurrences(one, window))
  const earlier = [...carried.map(itemOf), ...occurrences].sort(byStartAndId)
  return { scope, listed, timeline, earlier, total: earlier.length + timeline.total }
}

const carriedOccurrences = ({ id, series, lengthMs }: KnownSeries, { fromMs }: Window): Item[] =>
  startsOver(series, lengthMs, { fromMs, toMs: fromMs + 1 }, maxEarlier)
    .filter((startMs) => startMs < fromMs)
    .map((startMs) => ({ id, startMs, isOccurrence: true }))

async function instancesFrom(app: App, opened: Opened, { limit, offset }: Page): Promise<Instance[]> {
  const { scope, listed, timeline, earlier } = opened
  const first = earlier.slice(offset, offset + limit)
  const left = limit - first.length
  const page = { ...listed, limit: left, offset: Math.max(0, offset - earlier.length) }
  const rest = left > 0 ? await itemsOf(app, scope, page, timeline) : []
  return instancesOf(app, scope, [...first, ...rest])
}

async function search(app: App, opened: Opened, words: string, { limit, offset }: Page): Promise<WindowList> {
  const instances = await instancesFrom(app, opened, { limit: maxSearched, offset: 0 })
  const all = await present(app, opened.scope, instances)
  const found = all.filter((event) =>
    [event.title, event.description, event.location].some((text) => typeof text === 'string' && holdsLike(text, words)),
  )
  return {
    items: found.slice(offset, offset + limit),
    total: found.length,
    ...(opened.total > maxSearched && { searched: maxSearched }),
  }
}

const present = (app: App, { now }: ListScope, instances: readonly Instance[]): Promise<EventInstanceRecord[]> =>
  mapInSlices(instances, (instance) => presentInstance(app, instance, now))

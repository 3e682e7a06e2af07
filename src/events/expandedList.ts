// A list with every occurrence in the place of its series. It reads counts by day, the series of the window, the positions of
// the events around the page, and the rows of the page. None of these grows with the offset.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type List, listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import type { EventRow } from './columns.ts'
import {
  eventsById,
  eventsPerDay,
  keysOf,
  type ListQuery,
  type ListScope,
  listedSeries,
  singlesById,
} from './listQueries.ts'
import { type Instance, occurrenceAt, single, type Window } from './occurrences.ts'
import { type EventInstanceRecord, presentInstance } from './present.ts'
import { type Item, openTimeline, pageOf, stretchOf, type Timeline } from './timeline.ts'

/** `total` counts the items of the window. */
export async function expandedList(
  app: App,
  scope: ListScope,
  query: ListQuery,
  window: Window,
): Promise<List<EventInstanceRecord>> {
  const timeline = await readTimeline(app, scope, query, window)
  const instances = await instancesOf(app, scope, await itemsOf(app, scope, query, timeline))
  return listPage(
    await mapInSlices(instances, (instance) => presentInstance(app, instance, scope.now)),
    timeline.total,
    query,
  )
}

export async function readTimeline(app: App, scope: ListScope, query: ListQuery, window: Window): Promise<Timeline> {
  const { sql } = app
  const [perDay, series] = await Promise.all([eventsPerDay(sql, scope, query), listedSeries(sql, scope, query)])
  const edited = perDay.flatMap(({ overrides }) => overrides ?? [])
  return openTimeline(window, perDay, series, edited.length > 0 ? await singlesById(sql, scope.orgId, edited) : [])
}

export async function itemsOf(app: App, scope: ListScope, query: ListQuery, timeline: Timeline): Promise<Item[]> {
  const stretch = stretchOf(timeline, query)
  if (!stretch) return []
  const { fromMs, toMs } = stretch.days
  const days = { ...query, start_after: new Date(fromMs), start_before: new Date(toMs) }
  return pageOf(timeline, stretch, await keysOf(app.sql, scope, days, stretch.stored))
}

/** Leaves out events that were deleted after they were counted. */
export async function instancesOf(app: App, { orgId }: ListScope, items: readonly Item[]): Promise<Instance[]> {
  if (items.length === 0) return []
  const rows = await eventsById(app.sql, orgId, [...new Set(items.map(({ id, rowId }) => rowId ?? id))])
  const byId = await withSeries(app, orgId, rows)
  return items.flatMap(({ id, rowId, startMs, isOccurrence }) => {
    const row = byId.get(rowId ?? id)
    if (!row) return []
    return isOccurrence ? occurrenceAt(row, startMs) : instanceOf(row, byId)
  })
}

/** The rows by their ids, and those of the series that some of them belong to. */
export async function withSeries(app: App, orgId: Uuid, rows: readonly EventRow[]): Promise<Map<Uuid, EventRow>> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = new Set(rows.flatMap(({ seriesId }) => (seriesId && !byId.has(seriesId) ? [seriesId] : [])))
  const series = missing.size > 0 ? await eventsById(app.sql, orgId, [...missing]) : []
  for (const row of series) byId.set(row.id, row)
  return byId
}

export const instanceOf = (row: EventRow, byId: ReadonlyMap<Uuid, EventRow>): Instance => ({
  ...single(row),
  series: row.seriesId ? byId.get(row.seriesId) : undefined,
})

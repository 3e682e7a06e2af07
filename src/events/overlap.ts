// All that overlaps a window on some calendars, page by page: by start, then id, each page read on from the end of the one before.
// A page costs what it shows, wherever it lies, and what is there all the while is on one page.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendars } from '../calendars/calendars.ts'
import { invalid } from '../errors.ts'
import { decodeCursor, encodeCursor } from '../shapes/cursor.ts'
import type { Uuid } from '../shapes/ids.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { instancesOf } from './expandedList.ts'
import {
  firstCarriedIn,
  firstEdited,
  keysOf,
  type ListQuery,
  type ListScope,
  listedSeries,
  type OccurrencePlace,
} from './listQueries.ts'
import { firstOccurrences } from './nextOccurrences.ts'
import { byStartAndId } from './occurrences.ts'
import type { OverlapQuery } from './overlapSchema.ts'
import { type EventInstanceRecord, presentInstance } from './present.ts'
import { type Item, itemOf } from './timeline.ts'

type OverlapPage = { data: EventInstanceRecord[]; next_cursor: string | null }

export async function listOverlapping(app: App, actor: Actor, query: OverlapQuery): Promise<OverlapPage> {
  const { orgId } = actor
  const list = `events ${orgId}`
  const after = placeOf(list, query.cursor)
  const calendarIds = await requireCalendars(app, actor, query.calendar_ids, 'calendar_ids')
  const scope: ListScope = { orgId, calendarIds, now: app.clock.now() }
  // One item more than requested shows whether another page follows.
  const items = await itemsAfter(app, scope, query, after)
  const page = items.slice(0, query.limit)
  const instances = await instancesOf(app, scope, page)
  const last = page.at(-1)
  return {
    data: await mapInSlices(instances, (instance) => presentInstance(app, instance, scope.now)),
    next_cursor: last && items.length > page.length ? cursorOf(list, last) : null,
  }
}

const cursorOf = (list: string, { startMs, id, originalMs = startMs }: Item) =>
  encodeCursor(list, { at: startMs, id, last: originalMs })

function placeOf(list: string, cursor: string | undefined): OccurrencePlace | undefined {
  if (!cursor) return undefined
  const place = decodeCursor(list, cursor)
  if (!place) throw invalid('cursor: send the next_cursor of the page before unchanged', 'cursor')
  return { startTime: new Date(place.at), id: place.id, originalStart: new Date(place.last) }
}

/** The first of them behind `after`, one more than a page has. */
async function itemsAfter(
  { sql }: App,
  scope: ListScope,
  { start, end, limit }: OverlapQuery,
  after: OccurrencePlace | undefined,
): Promise<Item[]> {
  const max = limit + 1
  const listed: ListQuery = {
    ...{ start_after: start, start_before: end, isActive: true, expand: true, limit, offset: 0 },
    after,
  }
  const mayBeCarriedIn = after === undefined || after.startTime < start
  const [series, carried, edited] = await Promise.all([
    listedSeries(sql, scope, listed),
    mayBeCarriedIn ? firstCarriedIn(sql, scope, listed, start, max) : [],
    firstEdited(sql, scope, { start, end }, after, max),
  ])
  // The keys of series are among those of the window, by their first occurrence.
  const isSeries = new Set(series.map(({ id }) => id))
  const room = max - carried.length
  const found = room > 0 ? await keysOf(sql, scope, listed, { limit: room + isSeries.size, offset: 0 }) : []
  const singles = [
    ...[...carried, ...edited].map(itemOf),
    ...found.filter(({ id }) => !isSeries.has(id)).map(({ id, startTime }) => single(id, startTime)),
  ]
  singles.sort(byStartAndId).splice(max)
  const toMs = singles.length === max ? singles.at(-1)!.startMs + 1 : end.getTime()
  const place = after && { ...single(after.id, after.startTime), originalMs: after.originalStart.getTime() }
  const occurrences = await firstOccurrences(series, { fromMs: start.getTime(), toMs }, place, max)
  return [...singles, ...occurrences].sort(byStartAndId).slice(0, max)
}

const single = (id: Uuid, startTime: Date): Item => ({ id, startMs: startTime.getTime(), isOccurrence: false })

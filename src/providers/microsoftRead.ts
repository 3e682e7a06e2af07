// Reading one calendar of Microsoft: a delta of its view, whose window is fixed when it is read whole, and the masters of
// occurrences that came without them.
import { z } from 'zod'
import type { Graph, GraphTrouble } from './graph.ts'
import { type DeltaItem, deltaItem, latest, missingMasters, propertyNames, reduceItems } from './microsoftItems.ts'
import type { CalendarRead, ReadTask } from './provider.ts'

const itemsPerPage = 500
const maxPages = 1_000
const maxItems = 100_000
const maxMasters = 2_000

const page = z.object({
  value: z.array(deltaItem),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})

/** `masters` are those that were fetched. */
type Round = { kind: 'round'; items: Map<string, DeltaItem>; masters: Map<string, DeltaItem>; cursor: string }

export async function readCalendar(graph: Graph, task: ReadTask): Promise<CalendarRead | GraphTrouble> {
  const cursor = task.known?.cursor ?? null
  if (cursor !== null) {
    const changes = await readRound(graph, task, cursor)
    const read = changes.kind === 'round' ? reduced(changes, task, false) : changes
    if (read !== 'torn' && !isRefusedToken(read)) return read
  }
  const whole = await readRound(graph, task, firstPage(task))
  // With nothing known before, no series can miss an occurrence.
  return whole.kind === 'round' ? (reduced(whole, task, true) as CalendarRead | GraphTrouble) : whole
}

/** 410 by the book; whatever else a token may meet ends with a read of everything too. */
const isRefusedToken = (read: CalendarRead | GraphTrouble): boolean =>
  read.kind === 'malformed' || (read.kind === 'status' && [400, 404, 409, 410, 412].includes(read.status))

const calendarPath = (remote: string): string => `/me/calendars/${encodeURIComponent(remote)}`

function firstPage({ remote, horizon: { from, until } }: ReadTask): string {
  const window = new URLSearchParams({ startDateTime: from.toISOString(), endDateTime: until.toISOString() })
  return `${calendarPath(remote)}/calendarView/delta?${window}`
}

/** All pages of a round; some may be empty. */
async function readRound(graph: Graph, task: ReadTask, start: string): Promise<Round | GraphTrouble> {
  const all: DeltaItem[] = []
  let path = start
  for (let nth = 0; nth < maxPages; nth++) {
    const answer = await graph.get(path, page, `odata.maxpagesize=${itemsPerPage}`)
    if (answer.kind !== 'ok') return answer
    all.push(...answer.body.value)
    if (all.length > maxItems) return { kind: 'too_large' }
    const { '@odata.nextLink': next, '@odata.deltaLink': cursor } = answer.body
    if (cursor !== undefined) return withMasters(graph, task.remote, latest(all), cursor)
    if (next === undefined || next === path) return { kind: 'malformed' }
    path = next
  }
  return { kind: 'too_large' }
}

/** A series that began before the window, or did not change, comes without its master. */
async function withMasters(
  graph: Graph,
  remote: string,
  items: Map<string, DeltaItem>,
  cursor: string,
): Promise<Round | GraphTrouble> {
  const missing = missingMasters(items)
  if (missing.length > maxMasters) return { kind: 'too_large' }
  const select = new URLSearchParams({ $select: ['id', ...propertyNames].join() })
  const masters = new Map<string, DeltaItem>()
  for (const id of missing) {
    const answer = await graph.get(`${calendarPath(remote)}/events/${encodeURIComponent(id)}?${select}`, deltaItem)
    // A series that is gone leaves its occurrences busy until the next round removes them.
    if (answer.kind === 'status' && (answer.status === 404 || answer.status === 410)) continue
    if (answer.kind !== 'ok') return answer
    masters.set(id, answer.body)
  }
  return { kind: 'round', items, masters, cursor }
}

function reduced(
  { items, masters, cursor }: Round,
  task: ReadTask,
  isWhole: boolean,
): CalendarRead | { kind: 'malformed' } | 'torn' {
  const versions = isWhole ? new Map<string, string>() : task.known!.versions
  const result = reduceItems({ items, masters }, { ...task, versions })
  if (result.kind === 'malformed') return result
  if (result.isTorn) return 'torn'
  const { objects, removed } = result
  return { kind: 'read', isWhole, isCompared: isWhole, objects, removed: isWhole ? [] : removed, cursor }
}

// Reading events: one, or the lists of a calendar or of an agent.
import type { Actor } from '../actors/actor.ts'
import { listedCalendars } from '../actors/guardrails.ts'
import { requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { decodeId } from '../shapes/ids.ts'
import { type List, listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { expandedList } from './expandedList.ts'
import { requireEvent } from './find.ts'
import { labelKey } from './labels.ts'
import { eventsPage, eventTotal, keptCounts, type ListQuery, type ListScope } from './listQueries.ts'
import type { Window } from './occurrences.ts'
import { overridesOf } from './overrideQueries.ts'
import { type EventInstanceRecord, type EventRecord, presentEvent } from './present.ts'
import { type EventWithCalendar, eventZone, liveAgentCalendars } from './queries.ts'
import type { EventListQuery } from './schema.ts'
import type { EditedOccurrence } from './seriesTimes.ts'

/** `calendarId` undefined: the path names only the event. */
export async function getEvent(
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
): Promise<EventRecord> {
  return presentEvent(app, await requireEvent(app, actor, eventId, calendarId), app.clock.now())
}

/** Parts of a series that its record does not show. */
export type SeriesDetails = { skippedMs: number; edited: EditedOccurrence[] }

type EventInFull = { event: EventRecord; timezone: string; series?: SeriesDetails }

/** With the zone of its calendar, and of a series its edited occurrences. */
export async function getEventInFull(...asked: Parameters<typeof getEvent>): Promise<EventInFull> {
  const [app, actor, calendarId, eventId] = asked
  const row = await requireEvent(app, actor, eventId, calendarId)
  const known = { event: presentEvent(app, row, app.clock.now()), timezone: row.timezone }
  if (row.recurrenceRule === null) return known
  return { ...known, series: { skippedMs: row.recurrenceSkippedMs, edited: await editedOf(app, row) } }
}

async function editedOf({ sql }: App, series: EventWithCalendar): Promise<EditedOccurrence[]> {
  if (series.overriddenStarts.length === 0) return []
  return (await overridesOf(sql, series)).map(({ originalStart, startTime, endTime, status }) => ({
    ...{ originalMs: originalStart!.getTime(), startMs: startTime.getTime(), endMs: endTime.getTime() },
    isCancelled: status === 'cancelled',
  }))
}

/** The zone of its calendar, for showing an answer about the event. Undefined if there is no such event. */
export async function zoneOfEvent({ sql }: App, { orgId }: Actor, eventId: string): Promise<string | undefined> {
  const uuid = decodeId('evt', eventId)
  const [row] = uuid ? await eventZone(sql, orgId, uuid) : []
  return row?.timezone
}

export async function listCalendarEvents(app: App, actor: Actor, calendarId: string, query: EventListQuery) {
  const calendar = await requireCalendar(app, actor, calendarId)
  return listEvents(app, { orgId: actor.orgId, calendarIds: [calendar.id], now: app.clock.now() }, query)
}

export async function listAgentEvents(app: App, actor: Actor, agentId: string, query: EventListQuery) {
  const agent = await requireAgent(app, actor, agentId)
  const calendars = await liveAgentCalendars(app.sql, actor.orgId, agent.id, listedCalendars(actor))
  const scope = { orgId: actor.orgId, calendarIds: calendars.map(({ id }) => id), now: app.clock.now() }
  return listEvents(app, scope, query)
}

/** The window of an expanded list, whose bounds the schema requires; undefined where none was asked for. */
const windowOf = ({ expand, start_after, start_before }: ListQuery): Window | undefined =>
  expand ? { fromMs: start_after!.getTime(), toMs: start_before!.getTime() } : undefined

async function listEvents(
  app: App,
  scope: ListScope,
  { label, ...asked }: EventListQuery,
): Promise<List<EventInstanceRecord>> {
  const query: ListQuery = label === undefined ? asked : { ...asked, labelKey: await labelKey(app, scope.orgId, label) }
  const window = windowOf(query)
  if (window) return expandedList(app, scope, query, window)
  const [rows, total] = await Promise.all([eventsPage(app.sql, scope, query), totalOf(app, scope, query)])
  return listPage(await mapInSlices(rows, (row) => presentEvent(app, row, scope.now)), total, query)
}

/** Without a window or a label the total comes from the kept counts; otherwise the events are counted. */
async function totalOf(app: App, scope: ListScope, query: ListQuery): Promise<number> {
  if (query.start_after || query.start_before || query.source === 'external_ical' || query.labelKey) {
    const [row] = await eventTotal(app.sql, scope, query)
    return row?.total ?? 0
  }
  const [counts] = await keptCounts(app.sql, scope, query)
  if (!counts) return 0
  const shown = { ...counts, hold: counts.hold - counts.lapsed, cancelled: counts.cancelled + counts.lapsed }
  const kept = query.status ? shown[query.status] : shown.confirmed + shown.tentative + shown.cancelled + shown.hold
  return query.source === 'internal' ? kept : kept + counts.imported
}

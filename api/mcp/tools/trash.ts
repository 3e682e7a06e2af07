// Deleted events, the way back, and the history of an event.
import { z } from 'zod'
import type { HistoryEntry } from '../../../src/eventHistory/schema.ts'
import type { DeletedEventRecord } from '../../../src/events/present.ts'
import { zoneOfEvent } from '../../../src/events/read.ts'
import { restoreEvent as restore } from '../../../src/events/restore.ts'
import { restoreEventBody } from '../../../src/events/schema.ts'
import { getEventEvenDeleted } from '../../../src/events/trash.ts'
import { offsetTime } from '../../../src/localtime/words.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import type { List } from '../../../src/shapes/lists.ts'
import { compact, listAnswer } from '../language/answer.ts'
import { briefEvent } from '../language/briefEvents.ts'
import { callOperation } from '../language/callOperation.ts'
import { type Clock, clockKeys, clockOf } from '../language/clock.ts'
import { eventZones } from '../language/eventTimes.ts'
import { withoutWords } from '../language/operationFields.ts'
import { page, pageKeys } from '../language/paging.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireCalendarOf } from '../language/subjects.ts'
import { readDay } from '../language/times.ts'
import { readTool, writeTool } from '../language/tool.ts'
import { type CalendarContext, type EventContext, eventContext, shownEvent } from './eventAnswer.ts'
import { time, timezone } from './eventFields.ts'
import { readOccurrenceStart } from './occurrences.ts'

const [listRoute, historyRoute] = [routeNamed('listDeletedEvents'), routeNamed('getEventHistory')]

const listDeletedEvents = readTool({
  name: 'list_deleted_events',
  title: 'List deleted events',
  description: 'Of the last 30 days, the latest first. restore_event brings one back.',
  twins: [listRoute],
  arguments: { calendar_id: z.string().optional(), ...page },
  answer: { ...clockKeys, events: 'array', ...pageKeys },
  async run(call) {
    const { calendar_id, ...query } = call.arguments
    const { id, timezone: zone } = await requireCalendarOf(call, calendar_id)
    const params = { id: encodeId('cal', id) }
    const { data, total } = await callOperation<List<DeletedEventRecord>>(call, listRoute, { params, query })
    const clock: Clock = { zone, now: call.app.clock.now() }
    const items = data.map(({ deletedAt, restorable_until: until, ...event }) => ({
      ...briefEvent({ ...event, deletedAt }, { ...clock, calendarZone: zone }),
      deleted_at: offsetTime(Date.parse(deletedAt), zone),
      ...(until !== null && { restorable_until: offsetTime(Date.parse(until), zone) }),
    }))
    return listAnswer('events', { items, total, offset: query.offset }, clockOf(clock))
  },
})

const { require_free } = restoreEventBody.shape

type Context = CalendarContext & Pick<EventContext, 'event' | 'series'>

const restoreEvent = writeTool({
  name: 'restore_event',
  title: 'Restore a deleted event',
  description: 'Under its old id. With occurrence_start: one cancelled occurrence of a series that is there.',
  effect: 'idempotent',
  twins: [routeNamed('restoreEvent')],
  arguments: {
    event_id: z.string(),
    occurrence_start: time.optional(),
    require_free: withoutWords(require_free),
    timezone,
  },
  answer: { ...clockKeys, event: 'object' },
  async context(call): Promise<Context> {
    const { event_id, occurrence_start: text, timezone: requested } = call.arguments
    const { event, timezone } = await getEventEvenDeleted(call.app, call.actor, event_id)
    if (text !== undefined) {
      // A text that is no time is refused also where the event is gone.
      const zones = { requested, ofCalendars: [timezone] }
      readDay(text, { param: 'occurrence_start', zones, now: call.app.clock.now() })
      return eventContext(call, { event_id })
    }
    return { event, calendar: { id: event.calendarId, timezone }, warnings: [] }
  },
  input({ app, arguments: { occurrence_start: text, ...sent } }, context) {
    const asked = { occurrence_start: text, timezone: sent.timezone }
    const start = readOccurrenceStart(asked, context, app.clock.now())
    return { ...sent, ...(start && { occurrence_start: start }) }
  },
  async act({ app, actor }, { event_id, require_free, occurrence_start }: Input) {
    const { event } = await restore(app, actor, event_id, { require_free, occurrence_start })
    return { body: event }
  },
  show({ body, context: { calendar }, call }) {
    const now = call.app.clock.now()
    const zones = eventZones(call.arguments.timezone as string | undefined, calendar.timezone)
    return { ...clockOf({ zone: zones.zone, now }), event: shownEvent(body, zones, now) }
  },
})

type Input = { event_id: string; require_free?: boolean | undefined; occurrence_start?: Date }

const getEventHistory = readTool({
  name: 'get_event_history',
  title: 'History of an event',
  description: 'Who changed what, the newest first; also of a deleted event.',
  twins: [historyRoute],
  arguments: { event_id: z.string(), ...page },
  answer: { ...clockKeys, changes: 'array', ...pageKeys },
  async run(call) {
    const { event_id: id, ...query } = call.arguments
    const { data, total } = await callOperation<List<HistoryEntry>>(call, historyRoute, { params: { id }, query })
    const zone = (await zoneOfEvent(call.app, call.actor, id)) ?? 'UTC'
    const items = data.map(({ changes, at, occurrence_start, ...entry }) =>
      compact({
        ...entry,
        at: shownValue(at, zone),
        occurrence_start: occurrence_start && shownValue(occurrence_start, zone),
        changes: changes?.map(({ field, from, to }) => ({
          field,
          ...compact({ from: shownValue(from, zone), to: shownValue(to, zone) }),
        })),
      }),
    )
    return listAnswer('changes', { items, total, offset: query.offset }, clockOf({ zone, now: call.app.clock.now() }))
  },
})

const maxValue = 2_000
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** An instant in the zone of the answer; a long value is cut. */
function shownValue(value: unknown, zone: string): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (instant.test(text)) return offsetTime(Date.parse(text), zone)
  return text.length <= maxValue ? value : `${text.slice(0, maxValue)}…`
}

/** The tools of the profile `meetings`. */
export const trashTools = [listDeletedEvents, restoreEvent, getEventHistory]

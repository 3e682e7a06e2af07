// Events in a window of time.
import { type WindowQuery, windowQuery } from '../../../src/events/schema.ts'
import { listWindow } from '../../../src/events/windowList.ts'
import { shownTo } from '../../../src/outsideText/show.ts'
import { isoTime } from '../../../src/shapes/datetimes.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { validate } from '../../http/validation.ts'
import { listAnswer } from '../language/answer.ts'
import { briefEvent } from '../language/briefEvents.ts'
import { type Clock, clockKeys, clockOf, windowArguments, windowOf } from '../language/clock.ts'
import { page, pageKeys } from '../language/paging.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireSubject, subjectArguments, zonesFor } from '../language/subjects.ts'
import { readWindow, zoneOfAnswer, zoneWarnings } from '../language/times.ts'
import { readTool } from '../language/tool.ts'

const listRoutes = [routeNamed('listEvents'), routeNamed('listAgentEvents')] as const

export const listEvents = readTool({
  name: 'list_events',
  title: 'List events',
  description: 'Events in a window, series as occurrences; next 7 days unless given.',
  twins: listRoutes,
  arguments: {
    ...subjectArguments,
    ...windowArguments,
    query: windowQuery.shape.query,
    status: windowQuery.shape.status,
    ...page,
  },
  answer: { ...clockKeys, window: 'object', events: 'array', ...pageKeys, searched: 'integer?', warnings: 'array?' },
  async run(call) {
    const { app, actor } = call
    const { status, query, limit, offset } = call.arguments
    const { label } = call.arguments as { label?: string }
    const subject = await requireSubject(call, call.arguments)
    const now = app.clock.now()
    const zones = zonesFor(subject.calendars, call.arguments.timezone)
    const { start, end } = readWindow(call.arguments, zones, now)
    const filters = { start: isoTime(start), end: isoTime(end), status, query, label, limit, offset }
    const ids = subject.calendars.map(({ id }) => id)
    const list = await listWindow(app, actor, ids, validate(windowQuery, filters, 'query') as WindowQuery)
    const clock: Clock = { zone: zoneOfAnswer(zones), now }
    const zoneOf = new Map<string, string>(subject.calendars.map(({ id, timezone }) => [encodeId('cal', id), timezone]))
    const items = list.items.map((event) => ({
      ...briefEvent(event, { ...clock, calendarZone: zoneOf.get(event.calendarId) ?? clock.zone }),
      ...(subject.kind === 'agent' && { calendar_id: event.calendarId }),
    }))
    // The page ends where the shown items are large.
    const shown = await shownTo(app, actor, items)
    const warnings = zoneWarnings(zones)
    return listAnswer(
      'events',
      { items: shown, total: list.total, offset },
      {
        ...clockOf(clock),
        window: windowOf({ start, end }, clock),
        ...(warnings.length > 0 && { warnings }),
        ...(list.searched !== undefined && { searched: list.searched }),
      },
    )
  },
})

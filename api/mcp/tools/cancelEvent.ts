import { z } from 'zod'
import { answeredWith } from '../../../src/actors/actor.ts'
import { endOverride } from '../../../src/events/occurrence.ts'
import type { EventRecord } from '../../../src/events/present.ts'
import { removeEvent } from '../../../src/events/remove.ts'
import { removeEventQuery } from '../../../src/events/schema.ts'
import { endSeries } from '../../../src/events/split.ts'
import { clockKeys, clockOf } from '../language/clock.ts'
import { eventZones } from '../language/eventTimes.ts'
import { withoutWords } from '../language/operationFields.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { writeTool } from '../language/tool.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { type EventContext, eventContext, shownEvent } from './eventAnswer.ts'
import { calendarOfEvent, time, timezone } from './eventFields.ts'
import {
  comingOf,
  readOccurrenceStart,
  scopeAlone,
  seriesScope,
  shownOccurrence,
  withOccurrence,
  withStarts,
} from './occurrences.ts'

export const cancelEvent = writeTool({
  name: 'cancel_event',
  title: 'Cancel an event',
  description: 'Deletes it. Of a series: as in update_event, or all with whole_series=true.',
  effect: 'changes',
  twins: [routeNamed('deleteEventById')],
  arguments: {
    event_id: z.string(),
    occurrence_start: time.optional(),
    scope: withoutWords(removeEventQuery.shape.scope),
    whole_series: z.boolean().default(false),
    timezone,
  },
  alsoTaken: calendarOfEvent,
  answer: { ...clockKeys, cancelled: 'boolean', event: 'object', series: 'object?' },
  async context(call): Promise<EventContext> {
    const context = await eventContext(call, call.arguments)
    return call.arguments.whole_series ? context : withOccurrence(call, call.arguments, context)
  },
  input({ app, arguments: sent }, context) {
    const { occurrence_start: text, ...rest } = sent
    if (text !== undefined && sent.whole_series) throw bothScopes()
    const now = app.clock.now()
    const start = readOccurrenceStart(sent, context, now)
    if (start) return { ...rest, occurrence_start: start }
    if (sent.scope) throw scopeAlone(context, eventZones(sent.timezone, context.calendar.timezone), now)
    return rest
  },
  async act({ app, actor }, input, context) {
    const { event, calendar } = context
    const { event_id, calendar_id, occurrence_start: start, scope } = { occurrence_start: undefined, ...input }
    const zones = eventZones(input.timezone, calendar.timezone)
    if (start) {
      if (scope && start.getTime() === Date.parse(event.startTime)) throw allOfIt()
      const occurrence = { calendarId: calendar_id, eventId: event_id, occurrenceStart: start }
      const answered = answeredWith(actor, 200)
      const ended = scope
        ? endSeries(app, answered, occurrence)
        : endOverride(app, answered, occurrence, { reverts: false })
      const shown = (error: unknown) =>
        Promise.reject(withStarts(error, { context, start, zones, now: app.clock.now() }))
      return { body: (await ended.catch(shown)).event }
    }
    const isSeries = event.recurrenceRule !== null && event.source === 'internal'
    if (isSeries && !input.whole_series) throw seriesScope(context, zones, app.clock.now())
    await removeEvent(app, actor, calendar_id, event_id)
    return { body: undefined }
  },
  show({ body: after, context, call }) {
    const { event, calendar, occurrence = event } = context
    const now = call.app.clock.now()
    const zones = eventZones(call.arguments.timezone as string | undefined, calendar.timezone)
    const shown = { ...clockOf({ zone: zones.zone, now }), cancelled: true, event: shownEvent(occurrence, zones, now) }
    return after ? { ...shown, series: seriesLeft(after, context, now, zones) } : shown
  },
})

/** The series that is left. The event of the answer already has the texts of people. */
function seriesLeft(after: EventRecord, before: EventContext, now: Date, zones: ReturnType<typeof eventZones>) {
  const left = comingOf({ ...before, event: after }, now).map((one) => shownOccurrence(one, zones.zone, now))
  return { ...shownEvent({ ...after, description: null, metadata: {} }, zones, now), next_occurrences: left }
}

const bothScopes = () =>
  new ToolRefusal('whole_series: contradicts occurrence_start; give one of them.', {
    param: 'whole_series',
    suggestions: [
      { arguments: { whole_series: false }, note: 'This occurrence alone.' },
      { arguments: { occurrence_start: null, scope: null }, note: 'The whole series.' },
    ],
  })

const allOfIt = () =>
  new ToolRefusal('scope: nothing would be left of the series; cancel the whole series instead.', {
    type: 'bad_request',
    param: 'occurrence_start',
    suggestions: [
      { arguments: { whole_series: true, occurrence_start: null, scope: null }, note: 'The whole series.' },
      { arguments: { scope: null }, note: 'This occurrence alone.' },
    ],
  })

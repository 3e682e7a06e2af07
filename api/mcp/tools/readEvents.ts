// Reads a calendar: the current moment, its events, and one event.
import { z } from 'zod'
import type { EventInstanceRecord } from '../../../src/events/present.ts'
import { offsetTime } from '../../../src/localtime/words.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { briefEvent, fullEvent } from '../language/briefEvents.ts'
import { callOperation } from '../language/callOperation.ts'
import { type Clock, clockKeys, clockOf } from '../language/clock.ts'
import { eventZones } from '../language/eventTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireCalendarOf } from '../language/subjects.ts'
import { readTool } from '../language/tool.ts'
import { eventContext } from './eventAnswer.ts'
import { calendarOfEvent, time } from './eventFields.ts'
import { noOccurrence, withOccurrence } from './occurrences.ts'

const contextRoute = routeNamed('getCalendarContext')

type Context = {
  agent_status: string
  current_event: EventInstanceRecord | null
  next_event: EventInstanceRecord | null
  recent_events: EventInstanceRecord[]
  upcoming: EventInstanceRecord[]
}

export const getCalendarContext = readTool({
  name: 'get_calendar_context',
  title: 'Now and next',
  description: 'The time, the current event, those of the next 24 hours and the last.',
  twins: [contextRoute],
  arguments: { calendar_id: z.string().optional() },
  answer: {
    ...clockKeys,
    calendar_id: 'string',
    agent_status: 'string',
    current_event: 'object|null',
    next_event: 'object|null',
    upcoming: 'array',
    recent_events: 'array',
  },
  async run(call) {
    const calendar = await requireCalendarOf(call, call.arguments.calendar_id)
    const id = encodeId('cal', calendar.id)
    const context = await callOperation<Context>(call, contextRoute, { params: { id } })
    const clock: Clock = { zone: calendar.timezone, now: call.app.clock.now() }
    const show = (event: EventInstanceRecord) => briefEvent(event, { ...clock, calendarZone: calendar.timezone })
    return {
      ...clockOf(clock),
      calendar_id: id,
      agent_status: context.agent_status,
      current_event: context.current_event && show(context.current_event),
      next_event: context.next_event && show(context.next_event),
      upcoming: context.upcoming.map(show),
      recent_events: context.recent_events.map(show),
    }
  },
})

export const getEvent = readTool({
  name: 'get_event',
  title: 'Read an event',
  description: 'In full. Of a series: its first occurrence and its rule.',
  twins: [routeNamed('getEventById'), routeNamed('getEvent')],
  arguments: { event_id: z.string() },
  alsoTaken: { ...calendarOfEvent, occurrence_start: time.optional() },
  answer: { ...clockKeys, event: 'object' },
  async run(call) {
    const context = await withOccurrence(call, call.arguments, await eventContext(call, call.arguments))
    const zone = context.calendar.timezone
    const clock: Clock = { zone, now: call.app.clock.now() }
    const event = call.arguments.occurrence_start === undefined ? context.event : context.occurrence
    if (!event) throw noOccurrence(context, eventZones(undefined, zone), clock.now)
    const shown = fullEvent(event, { ...clock, calendarZone: zone })
    const written = {
      created_at: offsetTime(Date.parse(event.createdAt), zone),
      updated_at: offsetTime(Date.parse(event.updatedAt), zone),
    }
    return { ...clockOf(clock), event: { ...shown, ...written } }
  },
})

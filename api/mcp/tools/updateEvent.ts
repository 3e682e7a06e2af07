import { z } from 'zod'
import type { EventRecord } from '../../../src/events/present.ts'
import { type UpdateEventBody, updateEventBody } from '../../../src/events/schema.ts'
import { updateEvent as updateRecord } from '../../../src/events/update.ts'
import { movedByDays } from '../../../src/localtime/shift.ts'
import { wallDay } from '../../../src/localtime/words.ts'
import { validate } from '../../http/validation.ts'
import { clockKeys } from '../language/clock.ts'
import { eventZones, type ReadTimes, readTimes } from '../language/eventTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { type EventContext, eventContext, refusingOverlaps, writtenEvent } from './eventAnswer.ts'
import { calendarOfEvent, choices, duration, time, timezone } from './eventFields.ts'
import { recurringOf, requireAhead, requireWeekdayOf } from './eventRefusals.ts'
import { hoursWarnings } from './eventWarnings.ts'
import { writingTool } from './writingTool.ts'

const fields = updateEventBody.in.shape

export const updateEvent = writingTool({
  name: 'update_event',
  title: 'Change an event',
  description: 'Changes what is given; of a series, all. start_time alone moves it. Taken times: as in create_event.',
  effect: 'changes',
  twins: [routeNamed('updateEventById')],
  arguments: {
    event_id: z.string(),
    title: fields.title,
    start_time: time.optional(),
    end_time: time.optional(),
    duration_minutes: duration,
    timezone,
    description: fields.description.meta({ description: '' }),
    all_day: fields.all_day,
    status: fields.status,
    recurrence_rule: fields.recurrence_rule.meta({ description: '' }),
    ...choices,
    weekday: choices.weekday.meta({ description: '' }),
    reminders: fields.reminders.meta({ description: '' }),
    metadata: fields.metadata.meta({ description: '' }),
  },
  alsoTaken: { ...calendarOfEvent, occurrence_start: time.optional() },
  answer: { ...clockKeys, event: 'object', warnings: 'array' },
  context: (call): Promise<EventContext> => eventContext(call, call.arguments),
  input({ app, arguments: sent }, { event, calendar }) {
    if (sent.occurrence_start !== undefined) throw oneOccurrence()
    const { duration_minutes: _, start_time: __, end_time: ___, ...rest } = sent
    const before = recurringOf(event)
    const allDay = sent.all_day ?? before.allDay
    const calendarZone = calendar.timezone
    const times = readTimes({ sent, allDay, calendarZone, now: app.clock.now(), start: before.startTime })
    return { ...rest, ...(allDay ? inDays(times, event, calendarZone) : times) }
  },
  async act({ app, actor }, input, context) {
    const { event_id, start, end, all_day, weekday } = input
    const { calendar } = context
    const now = app.clock.now()
    const before = recurringOf(context.event)
    const startTime = start ?? before.startTime
    const lengthMs = before.endTime.getTime() - before.startTime.getTime()
    const event = {
      ...before,
      startTime,
      endTime: end ?? (start ? new Date(start.getTime() + lengthMs) : before.endTime),
      allDay: all_day ?? before.allDay,
      ...(input.recurrence_rule !== undefined && { recurrenceRule: input.recurrence_rule, recurrenceExdates: [] }),
    }
    const isMoved = start !== undefined || end !== undefined || input.recurrence_rule !== undefined
    const target = { event, zones: eventZones(input.timezone, calendar.timezone), weekday, now }
    const body = toRequestBody(input)
    if (isEditable(context.event)) {
      requireWeekdayOf(target, input.allow_past)
      if (isMoved) requireAhead(target, input.allow_past)
    }
    if (isMoved) context.warnings = await hoursWarnings({ app, actor }, { calendarId: calendar.id, event })
    const overlaps = input.on_conflict === 'allow' ? 'reported' : 'refused'
    const { event: record, ...extras } = await refusingOverlaps(target, () =>
      updateRecord(app, actor, input.calendar_id, event_id, body, { overlaps, keepsLength: true }),
    )
    return { body: record, extras }
  },
  show: (shown) => writtenEvent(shown),
})

/** The twin says why any other event is not changed. */
const isEditable = ({ source, status }: EventRecord): boolean =>
  source === 'internal' && (status === 'confirmed' || status === 'tentative')

const oneOccurrence = () =>
  new ToolRefusal('occurrence_start: one occurrence of a series cannot be changed.', {
    param: 'occurrence_start',
    suggestions: [{ arguments: { occurrence_start: null }, note: 'The whole series.' }],
    nextStep: 'To move one occurrence, cancel it with cancel_event and its occurrence_start, then create_event.',
  })

/** An all-day event that moves keeps its days, because not every day is equally long; one that becomes all-day takes one day. */
function inDays({ start, end }: ReadTimes, { startTime, endTime, allDay }: EventRecord, zone: string): ReadTimes {
  if (!start || end) return { start, end }
  if (!allDay) return { start, end: new Date(movedByDays(start.getTime(), zone, 1)) }
  const days = wallDay(start.getTime(), zone) - wallDay(Date.parse(startTime), zone)
  return { start, end: new Date(movedByDays(Date.parse(endTime), zone, days)) }
}

type Input = Omit<UpdateEventBody, 'start_time' | 'end_time' | 'require_free' | 'start_zone'> & ReadTimes

function toRequestBody(input: Input): UpdateEventBody {
  const { title, description, start, end, all_day, status, metadata, reminders, recurrence_rule } = input
  const given = { title, description, all_day, status, metadata, reminders, recurrence_rule }
  const times = { start_time: start?.toISOString(), end_time: end?.toISOString() }
  const body = Object.fromEntries(Object.entries({ ...given, ...times }).filter(([, value]) => value !== undefined))
  return validate(updateEventBody, body, 'body') as UpdateEventBody
}

import { z } from 'zod'
import { createEvent as createRecord } from '../../../src/events/create.ts'
import { builtCreateBody, type CreateEventBody } from '../../../src/events/schema.ts'
import type { Extras } from '../../../src/events/written.ts'
import { minuteMs } from '../../../src/shapes/durations.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import { validate } from '../../http/validation.ts'
import { clockKeys } from '../language/clock.ts'
import { eventZones, readTimes, usualEnd } from '../language/eventTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireCalendarOf } from '../language/subjects.ts'
import { readMoment } from '../language/times.ts'
import { writeTool } from '../language/tool.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { type CalendarContext, refusingOverlaps, writtenEvent } from './eventAnswer.ts'
import { choices, createFields, duration, time, timezone } from './eventFields.ts'
import { requireAhead, requireWeekdayOf } from './eventRefusals.ts'
import { hoursWarnings } from './eventWarnings.ts'
import { detailsIn } from './meetings.ts'
import { newRecurrence, readDates, recurrenceDates } from './recurrence.ts'

const usualMinutes = 30
const usualHoldMinutes = 10

export const createEvent = writeTool({
  name: 'create_event',
  title: 'Create an event or hold',
  description: 'Books or holds a time. A taken one is refused with free ones to offer; on_conflict=allow overlaps.',
  effect: 'creates',
  twins: [routeNamed('createEvent')],
  arguments: {
    calendar_id: z.string().optional(),
    title: createFields.title,
    start_time: time.meta({ description: 'Local 2026-12-01T09:00, with offset, or all-day date' }),
    end_time: time.optional().meta({ description: 'All-day: the last day' }),
    duration_minutes: duration.meta({ default: usualMinutes }),
    timezone,
    description: createFields.description,
    all_day: createFields.all_day,
    status: z.enum(['confirmed', 'tentative', 'hold']).optional(),
    hold_minutes: z.int().min(1).max(15).optional().meta({ default: usualHoldMinutes }),
    hold_priority: createFields.hold_priority.meta({ default: 0, description: 'Higher ends lower holds' }),
    recurrence_rule: createFields.recurrence_rule.meta({ description: 'RRULE; in UTC or recurrence_timezone' }),
    ...newRecurrence,
    ...choices,
    reminders: createFields.reminders.meta({ description: '' }),
    metadata: createFields.metadata.meta({ description: '' }),
  },
  alsoTaken: { ...recurrenceDates, hold_expires_at: time.optional() },
  answer: { ...clockKeys, event: 'object', warnings: 'array', preempted: 'array' },
  async context(call): Promise<CalendarContext> {
    const { id, timezone } = await requireCalendarOf(call, call.arguments.calendar_id)
    return { calendar: { id: encodeId('cal', id), timezone }, warnings: [] }
  },
  input({ app, arguments: sent }, { calendar }) {
    const { duration_minutes: _, start_time, end_time, hold_expires_at, recurrence_rdates: __, ...rest } = sent
    const now = app.clock.now()
    const zones = { requested: sent.timezone, ofCalendars: [calendar.timezone] }
    const { start, end } = readTimes({ sent, allDay: sent.all_day, calendarZone: calendar.timezone, now })
    return {
      ...rest,
      calendar_id: calendar.id,
      start_time: start!,
      end_time: end ?? usualEnd(start!, sent.all_day, calendar.timezone, usualMinutes),
      ...readDates(sent, { allDay: sent.all_day, calendarZone: calendar.timezone, now }),
      ...(hold_expires_at !== undefined && {
        hold_expires_at: readMoment(hold_expires_at, { param: 'hold_expires_at', zones, now }),
      }),
    }
  },
  async act({ app, actor }, input, context) {
    const { calendar_id, start_time, end_time, all_day, recurrence_rule, weekday } = input
    const { recurrence_timezone, recurrence_rdates = [] } = input
    const now = app.clock.now()
    const event = {
      startTime: start_time,
      endTime: end_time,
      allDay: all_day,
      recurrenceRule: recurrence_rule ?? null,
      recurrenceExdates: [],
      recurrenceTimezone: recurrence_timezone ?? null,
      recurrenceRdates: recurrence_rdates.map((at) => new Date(at)),
    }
    const target = { event, zones: eventZones(input.timezone, context.calendar.timezone), weekday, now }
    const body = toRequestBody(input, now)
    requireWeekdayOf(target, input.allow_past)
    requireAhead(target, input.allow_past)
    context.warnings = await hoursWarnings({ app, actor }, { calendarId: calendar_id, event })
    const overlaps = input.on_conflict === 'allow' ? 'reported' : 'refused'
    const { event: record, ...extras } = await refusingOverlaps(target, () =>
      createRecord(app, actor, calendar_id, body, { overlaps }),
    )
    return { body: record, extras }
  },
  show: (shown) => ({
    ...writtenEvent(shown),
    preempted: ((shown.extras ?? {}) as Extras).preempted ?? [],
  }),
})

type Input = Omit<CreateEventBody, 'status' | 'recurrence_rdates' | 'weekday' | 'require_free' | 'start_zone'> & {
  recurrence_rdates?: string[]
  status?: 'confirmed' | 'tentative' | 'hold' | undefined
  hold_minutes?: number | undefined
}

const inMinutes = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * minuteMs)

/** As the twin takes it. Minutes of a hold without a status mean a hold. */
function toRequestBody(input: Input, now: Date): CreateEventBody {
  const { title, description, all_day, reminders, metadata, recurrence_rule, hold_priority } = input
  const { hold_minutes, hold_expires_at, recurrence_timezone, recurrence_rdates } = input
  const isHold = hold_minutes !== undefined || hold_expires_at !== undefined
  const status = input.status ?? (isHold ? 'hold' : 'confirmed')
  if (hold_minutes !== undefined && status !== 'hold') {
    throw new ToolRefusal('hold_minutes: only with status hold.', {
      param: 'hold_minutes',
      suggestions: [
        { arguments: { status: 'hold' }, note: 'Held until it is confirmed.' },
        { arguments: { hold_minutes: null }, note: 'Booked at once.' },
      ],
    })
  }
  const expires = hold_expires_at ?? inMinutes(now, hold_minutes ?? usualHoldMinutes)
  if (hold_minutes !== undefined && expires.getTime() !== inMinutes(now, hold_minutes).getTime()) {
    throw new ToolRefusal('hold_expires_at: contradicts hold_minutes; give one of them.', {
      param: 'hold_expires_at',
      suggestions: [
        { arguments: { hold_expires_at: null }, note: 'As long as hold_minutes says.' },
        { arguments: { hold_minutes: null }, note: 'Until hold_expires_at.' },
      ],
    })
  }
  const body = {
    ...{ title, description, all_day, reminders, metadata, recurrence_rule, hold_priority, status },
    ...detailsIn(input),
    ...{ start_time: input.start_time, end_time: input.end_time, recurrence_timezone },
    recurrence_rdates: recurrence_rdates?.map((at) => new Date(at)),
    ...((status === 'hold' || isHold) && { hold_expires_at: expires }),
  } satisfies CreateEventBody
  validate(builtCreateBody, body, 'body')
  return body
}

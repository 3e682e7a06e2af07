import { z } from 'zod'
import { updateOccurrence } from '../../../src/events/occurrence.ts'
import type { EventInstanceRecord, EventRecord } from '../../../src/events/present.ts'
import { builtUpdateBody, type UpdateEventBody, updateEventBody, updateEventQuery } from '../../../src/events/schema.ts'
import { splitSeries } from '../../../src/events/split.ts'
import { updateEvent as updateRecord } from '../../../src/events/update.ts'
import { movedByDays } from '../../../src/localtime/shift.ts'
import { wallDay } from '../../../src/localtime/words.ts'
import { validate } from '../../http/validation.ts'
import { clockKeys } from '../language/clock.ts'
import { eventZones, type ReadTimes, readTimes } from '../language/eventTimes.ts'
import { withoutWords } from '../language/operationFields.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { writeTool } from '../language/tool.ts'
import { type EventContext, eventContext, refusingOverlaps, shownEvent, writtenEvent } from './eventAnswer.ts'
import { calendarOfEvent, choices, duration, time, timezone } from './eventFields.ts'
import { requireAhead, requireWeekdayOf } from './eventRefusals.ts'
import { hoursWarnings } from './eventWarnings.ts'
import { detailsIn } from './meetings.ts'
import { changedFrom, readOccurrenceStart, scopeAlone, withOccurrence, withStarts } from './occurrences.ts'
import { otherRecurrence, readDates, recurrenceDates } from './recurrence.ts'

const fields = updateEventBody.in.shape

type Body = EventInstanceRecord | { previous: EventRecord | null; series: EventRecord }

export const updateEvent = writeTool({
  name: 'update_event',
  title: 'Change an event',
  description:
    'Changes what is given; start_time alone moves it. Of a series: all, one by occurrence_start, or scope=following.',
  effect: 'changes',
  twins: [routeNamed('updateEventById')],
  arguments: {
    event_id: z.string(),
    occurrence_start: time.optional(),
    scope: withoutWords(updateEventQuery.shape.scope),
    title: fields.title,
    start_time: time.optional(),
    end_time: time.optional(),
    duration_minutes: duration,
    timezone,
    description: fields.description.meta({ description: '' }),
    all_day: fields.all_day,
    status: fields.status,
    recurrence_rule: fields.recurrence_rule.meta({ description: '' }),
    ...otherRecurrence,
    ...choices,
    weekday: choices.weekday.meta({ description: '' }),
    reminders: fields.reminders.meta({ description: '' }),
    metadata: fields.metadata.meta({ description: '' }),
  },
  alsoTaken: { ...calendarOfEvent, ...recurrenceDates },
  answer: { ...clockKeys, event: 'object', warnings: 'array' },
  context: async (call): Promise<EventContext> =>
    withOccurrence(call, call.arguments, await eventContext(call, call.arguments)),
  input({ app, arguments: sent }, context) {
    const { duration_minutes: _, start_time: __, end_time: ___, recurrence_rdates: ____, ...others } = sent
    const { occurrence_start: _____, ...rest } = others
    const now = app.clock.now()
    const occurrenceStart = readOccurrenceStart(sent, context, now)
    const calendarZone = context.calendar.timezone
    if (sent.scope && !occurrenceStart) throw scopeAlone(context, eventZones(sent.timezone, calendarZone), now)
    const before = changedFrom(context, occurrenceStart, sent.scope)
    const allDay = sent.all_day ?? before.allDay
    const times = readTimes({ sent, allDay, calendarZone, now, start: before.startTime })
    return {
      ...rest,
      ...(occurrenceStart && { occurrence_start: occurrenceStart }),
      ...readDates(sent, { allDay, calendarZone, now }),
      ...(allDay ? inDays(times, before, calendarZone) : times),
    }
  },
  async act({ app, actor }, input, context) {
    const { event_id, calendar_id, start, end, all_day, weekday, scope } = input
    const { occurrence_start: occurrenceStart } = { occurrence_start: undefined, ...input }
    const { calendar } = context
    const now = app.clock.now()
    const before = changedFrom(context, occurrenceStart, scope)
    const startTime = start ?? before.startTime
    const lengthMs = before.endTime.getTime() - before.startTime.getTime()
    const event = {
      ...before,
      startTime,
      endTime: end ?? (start ? new Date(start.getTime() + lengthMs) : before.endTime),
      allDay: all_day ?? before.allDay,
      ...repeatingOf(input),
    }
    const isMoved = start !== undefined || end !== undefined || isRepeatingOtherwise(input)
    const zones = eventZones(input.timezone, calendar.timezone)
    const target = { event, zones, weekday, now }
    const body = toRequestBody(input)
    if (isEditable(context.event)) {
      requireWeekdayOf(target, input.allow_past)
      if (isMoved) requireAhead(target, input.allow_past)
    }
    if (isMoved) context.warnings = await hoursWarnings({ app, actor }, { calendarId: calendar.id, event })
    const options = { overlaps: input.on_conflict === 'allow' ? 'reported' : 'refused', keepsLength: true } as const
    const written = refusingOverlaps(target, async () => {
      if (!occurrenceStart) return updateRecord(app, actor, calendar_id, event_id, body, options)
      const ids = { calendarId: calendar_id, eventId: event_id, occurrenceStart }
      if (!scope) return updateOccurrence(app, actor, ids, body, options)
      const { split, overlaps } = await splitSeries(app, actor, ids, body, options)
      return { event: split, overlaps }
    })
    const { event: record, overlaps } = await written.catch((error) => {
      throw occurrenceStart ? withStarts(error, { context, start: occurrenceStart, zones, now }) : error
    })
    return { body: record as Body, extras: { overlaps } }
  },
  show: ({ body, ...shown }) => {
    if (!('series' in body)) return writtenEvent({ ...shown, body })
    const { previous, series } = body
    const { calendar } = shown.context
    const zones = eventZones(shown.call.arguments.timezone as string | undefined, calendar.timezone)
    const ended =
      previous && shownEvent({ ...previous, description: null, metadata: {} }, zones, shown.call.app.clock.now())
    return { ...writtenEvent({ ...shown, body: series }), ...(ended && { previous: ended }) }
  },
})

/** The twin says why any other event is not changed. */
const isEditable = ({ source, status }: EventRecord): boolean =>
  source === 'internal' && (status === 'confirmed' || status === 'tentative')

type Days = { startTime: Date; endTime: Date; allDay: boolean }

/** An all-day event that moves keeps its days, because not every day is equally long; one that becomes all-day takes one day. */
function inDays({ start, end }: ReadTimes, { startTime, endTime, allDay }: Days, zone: string): ReadTimes {
  if (!start || end) return { start, end }
  if (!allDay) return { start, end: new Date(movedByDays(start.getTime(), zone, 1)) }
  const days = wallDay(start.getTime(), zone) - wallDay(startTime.getTime(), zone)
  return { start, end: new Date(movedByDays(endTime.getTime(), zone, days)) }
}

type Repeating = {
  recurrence_rule?: string | null | undefined
  recurrence_timezone?: string | null | undefined
  recurrence_rdates?: string[] | undefined
}

const isRepeatingOtherwise = ({ recurrence_rule, recurrence_timezone, recurrence_rdates }: Repeating): boolean =>
  [recurrence_rule, recurrence_timezone, recurrence_rdates].some((field) => field !== undefined)

/** A new rule or zone is a new series, without cancelled occurrences. */
const repeatingOf = ({ recurrence_rule: rule, recurrence_timezone: zone, recurrence_rdates: dates }: Repeating) => ({
  ...(rule !== undefined && { recurrenceRule: rule, recurrenceExdates: [] }),
  ...(zone !== undefined && { recurrenceTimezone: zone, recurrenceExdates: [] }),
  ...(dates !== undefined && { recurrenceRdates: dates.map((at) => new Date(at)) }),
})

type Input = Omit<UpdateEventBody, 'start_time' | 'end_time' | 'require_free' | 'start_zone' | 'recurrence_rdates'> &
  ReadTimes &
  Repeating

function toRequestBody(input: Input): UpdateEventBody {
  const { title, description, start, end, all_day, status, metadata, reminders } = input
  const { recurrence_rule, recurrence_timezone, recurrence_rdates } = input
  const body = {
    ...{ title, description, all_day, status, metadata, reminders, recurrence_rule, recurrence_timezone },
    ...detailsIn(input),
    ...{ start_time: start, end_time: end },
    recurrence_rdates: recurrence_rdates?.map((at) => new Date(at)),
  } satisfies UpdateEventBody
  validate(builtUpdateBody, body, 'body')
  return body
}

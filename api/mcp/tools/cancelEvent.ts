import { z } from 'zod'
import { answeredWith } from '../../../src/actors/actor.ts'
import { ServiceError } from '../../../src/errors.ts'
import { endOverride } from '../../../src/events/occurrence.ts'
import type { EventRecord } from '../../../src/events/present.ts'
import { removeEvent } from '../../../src/events/remove.ts'
import { nextStarts, startsWithin } from '../../../src/events/seriesTimes.ts'
import { windowStart } from '../../../src/localtime/offsets.ts'
import { momentWords } from '../../../src/localtime/words.ts'
import { isoTime } from '../../../src/shapes/datetimes.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { clockKeys, clockOf } from '../language/clock.ts'
import { type EventZones, eventZones } from '../language/eventTimes.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { readDay } from '../language/times.ts'
import { type Suggestion, ToolRefusal } from '../language/toolRefusal.ts'
import { type EventContext, eventContext, shownEvent } from './eventAnswer.ts'
import { calendarOfEvent, time, timezone } from './eventFields.ts'
import { occurrenceSuggestions, occurrenceWarning, recurringOf, seriesScope } from './eventRefusals.ts'
import { writingTool } from './writingTool.ts'

export const cancelEvent = writingTool({
  name: 'cancel_event',
  title: 'Cancel an event',
  description: 'Deletes an event. Of a series: one occurrence by its start, or all with whole_series=true.',
  effect: 'changes',
  twins: [routeNamed('deleteEventById')],
  arguments: {
    event_id: z.string(),
    occurrence_start: time.optional(),
    whole_series: z.boolean().default(false),
    timezone,
  },
  alsoTaken: calendarOfEvent,
  answer: { ...clockKeys, cancelled: 'boolean', event: 'object', series: 'object?' },
  context: (call): Promise<EventContext> => eventContext(call, call.arguments),
  input({ app, arguments: sent }, { event, calendar }) {
    const { occurrence_start: text, ...rest } = sent
    if (text === undefined) return rest
    if (sent.whole_series) throw bothScopes()
    const now = app.clock.now()
    const reader = { param: 'occurrence_start', zones: { asked: sent.timezone, ofCalendars: [calendar.timezone] }, now }
    const start = readDay(text, reader)
    if (typeof start !== 'number') return { ...rest, occurrence_start: start }
    const [first] = startsOn(event, calendar.timezone, start)
    if (event.allDay) {
      return { ...rest, occurrence_start: new Date(first ?? windowStart(calendar.timezone, start * dayMs)) }
    }
    const zones = eventZones(sent.timezone, calendar.timezone)
    throw dateAlone(event, startsOn(event, zones.zone, start), zones, now)
  },
  async act({ app, actor }, input, { event, calendar }) {
    const { event_id, calendar_id, occurrence_start: start } = { occurrence_start: undefined, ...input }
    if (start) {
      const zones = eventZones(input.timezone, calendar.timezone)
      const occurrence = { calendarId: calendar_id, eventId: event_id, occurrenceStart: start }
      const cancelled = endOverride(app, answeredWith(actor, 200), occurrence, { reverts: false })
      const shown = (error: unknown) => Promise.reject(withStarts(error, { event, start, zones, now: app.clock.now() }))
      return { body: (await cancelled.catch(shown)).event }
    }
    const isSeries = event.recurrenceRule !== null && event.source === 'internal'
    if (isSeries && !input.whole_series) {
      throw seriesScope(recurringOf(event), eventZones(input.timezone, calendar.timezone), app.clock.now())
    }
    await removeEvent(app, actor, calendar_id, event_id)
    return { body: undefined }
  },
  show({ body: series, context: { event, calendar }, call }) {
    const now = call.app.clock.now()
    const zones = eventZones(call.arguments.timezone as string | undefined, calendar.timezone)
    const shown = { ...clockOf({ zone: zones.zone, now }), cancelled: true }
    if (!series) return { ...shown, event: shownEvent(event, zones, now) }
    const left = nextStarts(recurringOf(series), now, 3).map((startMs) => occurrenceWarning(startMs, zones.zone, now))
    return {
      ...shown,
      event: shownEvent(cancelledOccurrence(event, series), zones, now),
      // The event already has the texts of people.
      series: { ...shownEvent({ ...series, description: null, metadata: {} }, zones, now), next_occurrences: left },
    }
  },
})

const bothScopes = () =>
  new ToolRefusal('whole_series: contradicts occurrence_start; give one of them.', {
    param: 'whole_series',
    suggestions: [
      { arguments: { whole_series: false }, note: 'This occurrence alone.' },
      { arguments: { occurrence_start: null }, note: 'The whole series.' },
    ],
  })

/** The starts of the occurrences of a local day. */
function startsOn(event: EventRecord, zone: string, day: number): number[] {
  const [fromMs, toMs] = [windowStart(zone, day * dayMs), windowStart(zone, (day + 1) * dayMs)]
  return startsWithin(recurringOf(event), fromMs, toMs, maxOffered)
}

const maxOffered = 3

/** A date names no occurrence of a timed series. */
const dateAlone = (event: EventRecord, ofDay: readonly number[], zones: EventZones, now: Date) =>
  new ToolRefusal('occurrence_start: a date alone names no occurrence; give its start.', {
    param: 'occurrence_start',
    code: 'invalid_time_format',
    suggestions:
      ofDay.length > 0 ? occurrenceSuggestions(recurringOf(event), ofDay, zones, now) : otherStarts(event, zones, now),
  })

/** The next occurrences; an event that happens once is cancelled without a start. */
function otherStarts(event: EventRecord, zones: EventZones, now: Date): Suggestion[] {
  const series = recurringOf(event)
  if (event.recurrenceRule === null) return [{ arguments: { occurrence_start: null }, note: 'It happens once.' }]
  return occurrenceSuggestions(series, nextStarts(series, now, maxOffered), zones, now)
}

type AskedStart = { event: EventRecord; start: Date; zones: EventZones; now: Date }

/** The twin's refusal of a start that does not exist, with those that do. */
function withStarts(error: unknown, { event, start, zones, now }: AskedStart): unknown {
  if (!(error instanceof ServiceError) || error.detail.param !== 'occurrence_start') return error
  const { type, message, detail } = error
  const local = message.replace(isoTime(start), momentWords(start.getTime(), zones.zone))
  return new ToolRefusal(local.replace(' Lists with expand=true show its occurrences.', ''), {
    ...{ type, param: 'occurrence_start', code: detail.code },
    suggestions: otherStarts(event, zones, now),
  })
}

/** As it was before: the occurrence that this call cancelled. */
function cancelledOccurrence(before: EventRecord, after: EventRecord) {
  const startTime = after.recurrenceExdates.find((start) => !before.recurrenceExdates.includes(start))
  if (startTime === undefined) return before
  const lengthMs = Date.parse(before.endTime) - Date.parse(before.startTime)
  const endTime = isoTime(new Date(Date.parse(startTime) + lengthMs))
  return { ...before, startTime, endTime, recurringEventId: before.id, originalStartTime: startTime }
}

import { z } from 'zod'
import { answeredWith } from '../../../src/actors/actor.ts'
import type { EventRecord } from '../../../src/events/present.ts'
import { cancelOccurrence, removeEvent } from '../../../src/events/remove.ts'
import { nextStarts, occurrenceWithin } from '../../../src/events/seriesTimes.ts'
import { windowStart } from '../../../src/localtime/offsets.ts'
import { isoTime } from '../../../src/shapes/datetimes.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { clockKeys, clockOf } from '../clock.ts'
import { type EventContext, eventContext, shownEvent } from '../eventAnswer.ts'
import { besideEvent, time, timezone } from '../eventFields.ts'
import { occurrenceWarning, recurringOf, seriesScope } from '../eventRefusals.ts'
import { eventZones } from '../eventTimes.ts'
import { routeNamed } from '../routeNamed.ts'
import { readDay, readMoment } from '../times.ts'
import { ToolRefusal } from '../toolRefusal.ts'
import { writingTool } from '../writingTool.ts'

export const cancelEvent = writingTool({
  name: 'cancel_event',
  title: 'Cancel an event',
  description: 'Deletes an event. Of a series, one occurrence by its start, or all of it with whole_series=true.',
  effect: 'changes',
  twins: [routeNamed('deleteEventById')],
  arguments: {
    event_id: z.string(),
    occurrence_start: time.optional(),
    whole_series: z.boolean().default(false),
    timezone,
  },
  alsoTaken: besideEvent,
  answer: { ...clockKeys, cancelled: 'boolean', event: 'object', series: 'object?' },
  context: (call): Promise<EventContext> => eventContext(call, call.arguments),
  wanted({ app, arguments: sent }, { event, calendar }) {
    const { occurrence_start: text, ...rest } = sent
    if (text === undefined) return rest
    if (sent.whole_series) throw bothScopes()
    const zones = { asked: sent.timezone, ofCalendars: [calendar.timezone] }
    const reader = { param: 'occurrence_start', zones, now: app.clock.now() }
    const start = event.allDay ? readDay(text, reader) : readMoment(text, reader)
    return { ...rest, occurrence_start: typeof start === 'number' ? onDay(event, calendar.timezone, start) : start }
  },
  async act({ app, actor }, wanted, { event, calendar }) {
    const { event_id, calendar_id, occurrence_start: start } = { occurrence_start: undefined, ...wanted }
    if (start) {
      const { event: series } = await cancelOccurrence(app, answeredWith(actor, 200), calendar_id, event_id, start)
      return { body: series }
    }
    const isSeries = event.recurrenceRule !== null && event.source === 'internal'
    if (isSeries && !wanted.whole_series) {
      throw seriesScope(recurringOf(event), eventZones(wanted.timezone, calendar.timezone), app.clock.now())
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
      series: { ...shownEvent(series, zones, now), next_occurrences: left },
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

/** The occurrence of an all-day series on a local day. */
function onDay(event: EventRecord, zone: string, day: number): Date {
  const [fromMs, toMs] = [windowStart(zone, day * dayMs), windowStart(zone, (day + 1) * dayMs)]
  return new Date(occurrenceWithin(recurringOf(event), fromMs, toMs) ?? fromMs)
}

/** As it was: the one that is cancelled now and was not before. */
function cancelledOccurrence(before: EventRecord, after: EventRecord) {
  const startTime = after.recurrenceExdates.find((start) => !before.recurrenceExdates.includes(start))
  if (startTime === undefined) return before
  const lengthMs = Date.parse(before.endTime) - Date.parse(before.startTime)
  const endTime = isoTime(new Date(Date.parse(startTime) + lengthMs))
  return { ...before, startTime, endTime, recurringEventId: before.id, originalStartTime: startTime }
}

// One occurrence of a series, as the tools name it: by the start that its series gives it. Refusals offer the next occurrences.
import { ServiceError } from '../../../src/errors.ts'
import { getOccurrence } from '../../../src/events/occurrence.ts'
import { nextOccurrences, type OccurrenceTimes, occurrencesStartingWithin } from '../../../src/events/seriesTimes.ts'
import { windowStart } from '../../../src/localtime/offsets.ts'
import { momentWords, offsetTime } from '../../../src/localtime/words.ts'
import { isoTime } from '../../../src/shapes/datetimes.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { type EventZones, eventZones, whenOf } from '../language/eventTimes.ts'
import type { Key } from '../language/names.ts'
import { readDay } from '../language/times.ts'
import { type Suggestion, ToolRefusal } from '../language/toolRefusal.ts'
import type { EventContext } from './eventAnswer.ts'
import { occurrenceWarning, recurringOf } from './eventRefusals.ts'

const param = 'occurrence_start'
const maxOffered = 3

type Sent = { occurrence_start?: string | undefined; timezone?: string | undefined }
type Series = Pick<EventContext, 'event' | 'series' | 'calendar'>

/** The start that a call names; undefined if it names none. Of an all-day series it may be a date. */
export function readOccurrenceStart({ occurrence_start: text, timezone }: Sent, context: Series, now: Date) {
  if (text === undefined) return undefined
  const { event, calendar } = context
  const zones = { requested: timezone, ofCalendars: [calendar.timezone] }
  const start = readDay(text, { param, zones, now })
  if (typeof start !== 'number') return start
  if (event.allDay) {
    const [first] = startingOn(context, calendar.timezone, start)
    return new Date(first?.originalMs ?? windowStart(calendar.timezone, start * dayMs))
  }
  throw dateAlone(context, start, eventZones(timezone, calendar.timezone), now)
}

/** The context with the occurrence that the call names, whatever its status. */
export async function withOccurrence(key: Key, sent: Sent, context: EventContext): Promise<EventContext> {
  const { app, actor } = key
  const occurrenceStart = readOccurrenceStart(sent, context, app.clock.now())
  if (!occurrenceStart) return context
  const ids = { calendarId: undefined, eventId: context.event.id, occurrenceStart }
  try {
    return { ...context, occurrence: await getOccurrence(app, actor, ids) }
  } catch (error) {
    if (error instanceof ServiceError && error.detail.param === param) return context
    throw error
  }
}

/** The times of what a call changes: the event, one occurrence, or the series that begins there. */
export function changedFrom({ event, series, occurrence }: EventContext, start: Date | undefined, scope?: 'following') {
  const whole = recurringOf(event, series)
  if (!start) return whole
  const lengthMs = whole.endTime.getTime() - whole.startTime.getTime()
  const following = { ...whole, startTime: start, endTime: new Date(start.getTime() + lengthMs) }
  if (scope) return following
  const single = { recurrenceRule: null, recurrenceTimezone: null, recurrenceExdates: [], recurrenceRdates: [] }
  return { ...(occurrence ? recurringOf(occurrence) : following), ...single }
}

/** The occurrences that the series puts on a local day. */
const startingOn = ({ event, series }: Series, zone: string, day: number): OccurrenceTimes[] => {
  const [fromMs, toMs] = [windowStart(zone, day * dayMs), windowStart(zone, (day + 1) * dayMs)]
  return occurrencesStartingWithin(recurringOf(event, series), series?.edited ?? [], { fromMs, toMs }, maxOffered)
}

export const comingOf = ({ event, series }: Series, now: Date): OccurrenceTimes[] =>
  nextOccurrences(recurringOf(event, series), series?.edited ?? [], now, maxOffered)

/** As an answer lists it. `occurrence_start` names one that has been moved. */
export const shownOccurrence = ({ originalMs, startMs }: OccurrenceTimes, zone: string, now: Date) => ({
  ...occurrenceWarning(startMs, zone, now),
  ...(originalMs !== startMs && { occurrence_start: offsetTime(originalMs, zone) }),
})

const suggestionOf = ({ event }: Series, times: OccurrenceTimes, zones: EventZones, now: Date): Suggestion => ({
  arguments: { occurrence_start: offsetTime(times.originalMs, zones.zone) },
  when: whenOf({ ...times, allDay: event.allDay }, zones, now),
})

/** The next occurrences; an event that happens once has no start to name. */
function otherStarts(context: Series, zones: EventZones, now: Date): Suggestion[] {
  if (context.event.recurrenceRule === null)
    return [{ arguments: { occurrence_start: null }, note: 'It happens once.' }]
  return comingOf(context, now).map((one) => suggestionOf(context, one, zones, now))
}

/** A date names no occurrence of a timed series. */
function dateAlone(context: Series, day: number, zones: EventZones, now: Date): ToolRefusal {
  const ofDay = startingOn(context, zones.zone, day).map((one) => suggestionOf(context, one, zones, now))
  return new ToolRefusal('occurrence_start: a date alone names no occurrence; give its start.', {
    param,
    code: 'invalid_time_format',
    suggestions: ofDay.length > 0 ? ofDay : otherStarts(context, zones, now),
  })
}

type Asked = { context: Series; start: Date; zones: EventZones; now: Date }

/** The twin's refusal of a start that does not exist, with those that do. */
export function withStarts(error: unknown, { context, start, zones, now }: Asked): unknown {
  if (!(error instanceof ServiceError) || error.detail.param !== param) return error
  const { type, message, detail } = error
  const local = message.replace(isoTime(start), momentWords(start.getTime(), zones.zone))
  return new ToolRefusal(local.replace(' Lists with expand=true show its occurrences.', ''), {
    ...{ type, param, code: detail.code },
    suggestions: otherStarts(context, zones, now),
  })
}

export const noOccurrence = (context: Series, zones: EventZones, now: Date): ToolRefusal =>
  new ToolRefusal('occurrence_start: no occurrence of this event starts then.', {
    ...{ type: 'not_found', noun: 'occurrence', param, suggestions: otherStarts(context, zones, now) },
    nextStep: 'Take the occurrence_start of an occurrence in list_events.',
  })

/** A call that cancels in a series must say which part. */
export function seriesScope(context: Series, zones: EventZones, now: Date): ToolRefusal {
  return new ToolRefusal(
    'This is a series: give occurrence_start for one occurrence, or whole_series=true. To move one occurrence, change it with update_event, or cancel it and create an event.',
    {
      param,
      code: 'series_scope',
      suggestions: otherStarts(context, zones, now),
      nextStep: 'Cancel one occurrence by its occurrence_start, as a suggestion has it, or all with whole_series=true.',
    },
  )
}

export const scopeAlone = (context: Series, zones: EventZones, now: Date): ToolRefusal =>
  new ToolRefusal('scope: needs occurrence_start, the first occurrence that it means.', {
    param: 'scope',
    suggestions: otherStarts(context, zones, now),
  })

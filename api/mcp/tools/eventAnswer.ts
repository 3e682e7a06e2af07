// The common parts of the answers of event tools.
import { ServiceError } from '../../../src/errors.ts'
import { TimeTaken } from '../../../src/events/conflict.ts'
import type { EventInstanceRecord, EventRecord } from '../../../src/events/present.ts'
import { getEventInFull, type SeriesDetails } from '../../../src/events/read.ts'
import type { Extras } from '../../../src/events/written.ts'
import { fullEvent } from '../language/briefEvents.ts'
import { clockOf } from '../language/clock.ts'
import { type EventZones, eventZones } from '../language/eventTimes.ts'
import type { Key } from '../language/names.ts'
import type { Warning } from '../language/times.ts'
import type { ToolCall } from '../language/tool.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { recurringOf, type TargetEvent, timeTaken } from './eventRefusals.ts'
import { overlapWarnings, shiftWarnings } from './eventWarnings.ts'

/** Stored with an answer: the calendar, and the findings before the event was written. */
export type CalendarContext = { calendar: { id: string; timezone: string }; warnings: Warning[] }

/** The same for an existing event, as it was before the change. `occurrence`: the one that the call names, if there is one. */
export type EventContext = CalendarContext & {
  event: EventRecord
  series?: SeriesDetails
  occurrence?: EventInstanceRecord
}

/** Throws `not_found`, also for an event that is not on the given calendar. */
export async function eventContext(
  { app, actor }: Pick<ToolCall<unknown>, 'app' | 'actor'>,
  { event_id, calendar_id }: { event_id: string; calendar_id?: string | undefined },
): Promise<EventContext> {
  const { timezone, ...found } = await getEventInFull(app, actor, calendar_id, event_id).catch(async (error) => {
    throw calendar_id === undefined ? error : await elsewhere({ app, actor }, event_id, error)
  })
  return { ...found, calendar: { id: found.event.calendarId, timezone }, warnings: [] }
}

/** The refusal of an event that is not on the given calendar. */
async function elsewhere({ app, actor }: Key, eventId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.detail.noun !== 'event') return error
  try {
    await getEventInFull(app, actor, undefined, eventId)
  } catch {
    return error
  }
  return new ToolRefusal('The event is not on this calendar.', {
    ...{ type: 'not_found', noun: 'event', code: error.detail.code },
    suggestions: [{ arguments: { calendar_id: null }, note: 'On whichever calendar it is.' }],
    nextStep: 'Leave out calendar_id, or find the event of this calendar with list_events.',
  })
}

type Written = { body: EventInstanceRecord; extras?: unknown; context: CalendarContext; call: ToolCall }

/** An event that was made or changed, and its warnings. */
export function writtenEvent({ body, extras, context: { calendar, warnings: before }, call }: Written) {
  const { overlaps } = (extras ?? {}) as Extras
  const now = call.app.clock.now()
  const zones = eventZones(call.arguments.timezone as string | undefined, calendar.timezone)
  const warnings = [
    ...before,
    ...overlapWarnings(overlaps, zones, now),
    ...(body.recurringEventId === undefined ? shiftWarnings(recurringOf(body), zones, now) : []),
  ]
  return { ...clockOf({ zone: zones.zone, now }), event: shownEvent(body, zones, now), warnings }
}

export const shownEvent = (event: EventInstanceRecord, zones: EventZones, now: Date) =>
  fullEvent(event, { ...zones, now })

/** Shows a refusal for a taken time to a model. */
export async function refusingOverlaps<T>(input: TargetEvent, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw error instanceof TimeTaken ? timeTaken(error, input) : error
  }
}

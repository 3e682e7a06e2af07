// What the answers of the tools of events have in common.
import { TimeTaken } from '../../src/events/clash.ts'
import type { EventRecord } from '../../src/events/present.ts'
import { getEventAndZone } from '../../src/events/read.ts'
import { timeTaken, type WantedEvent } from './eventRefusals.ts'
import { fullEvent } from './events.ts'
import type { EventZones } from './eventTimes.ts'
import type { Warning } from './times.ts'
import type { ToolCall } from './tool.ts'

/** Stored with an answer: the calendar, and what was found before the event was written. */
export type CalendarContext = { calendar: { id: string; timezone: string }; warnings: Warning[] }

/** The same of an event that there is already, as it was before. */
export type EventContext = CalendarContext & { event: EventRecord }

/** Throws `not_found`, also for an event that is not on the calendar that is named beside it. */
export async function eventContext(
  { app, actor }: Pick<ToolCall<unknown>, 'app' | 'actor'>,
  { event_id, calendar_id }: { event_id: string; calendar_id?: string | undefined },
): Promise<EventContext> {
  const { event, timezone } = await getEventAndZone(app, actor, calendar_id, event_id)
  return { event, calendar: { id: event.calendarId, timezone }, warnings: [] }
}

export const shownEvent = (event: EventRecord, zones: EventZones, now: Date) => fullEvent(event, { ...zones, now })

/** Shows a refusal for a taken time to a model. */
export async function refusingClashes<T>(wanted: WantedEvent, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw error instanceof TimeTaken ? timeTaken(error, wanted) : error
  }
}

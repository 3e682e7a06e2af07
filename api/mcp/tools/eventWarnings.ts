// Warnings about an event that was written in spite of them. A model should pass them on to people.
import { areOutsideHours } from '../../../src/availability/outsideHours.ts'
import type { Overlaps } from '../../../src/events/conflict.ts'
import { acceptedSeries, firstShift } from '../../../src/events/seriesTimes.ts'
import { spansOf } from '../../../src/events/spans.ts'
import { decodeId } from '../../../src/shapes/ids.ts'
import type { Recurring } from '../../../src/timers/series.ts'
import type { EventZones } from '../language/eventTimes.ts'
import type { Warning } from '../language/times.ts'
import type { ToolCall } from '../language/tool.ts'
import { occurrenceWarning, presentOverlaps } from './eventRefusals.ts'

type Written = { calendarId: string; event: Recurring & { allDay: boolean } }

/** Read before the event is written, and stored with the answer. Whole days have no hours. */
export async function hoursWarnings(
  { app, actor }: Pick<ToolCall<unknown>, 'app' | 'actor'>,
  { calendarId, event }: Written,
): Promise<Warning[]> {
  const uuid = decodeId('cal', calendarId)
  const isPlain = event.recurrenceRule === null || acceptedSeries(event) !== undefined
  if (!uuid || event.allDay || !isPlain) return []
  const spans = spansOf(event, 'overlap')
  const calendar = { orgId: actor.orgId, calendarId: uuid }
  return spans.length > 0 && (await areOutsideHours(app, calendar, spans))
    ? [{ code: 'outside_working_hours', message: 'It lies outside the working hours of the calendar.' }]
    : []
}

/** A series repeats in UTC, or by the clock of its own zone. */
export function shiftWarnings(event: Recurring, { zone }: EventZones, now: Date): Warning[] {
  const shiftMs = firstShift(event, zone)
  if (shiftMs === undefined) return []
  const occurrence = occurrenceWarning(shiftMs, zone, now)
  const message = `Its local hour changes with the clocks, first at ${occurrence.when}: the series repeats in ${event.recurrenceTimezone ?? 'UTC'}.`
  return [{ code: 'series_shifts', message, occurrence }]
}

export function overlapWarnings(overlaps: Overlaps | undefined, zones: EventZones, now: Date): Warning[] {
  if (!overlaps) return []
  const message = `It overlaps ${overlaps.total} event${overlaps.total === 1 ? '' : 's'}.`
  return [{ code: 'overlaps', message, conflicts: presentOverlaps(overlaps, zones, now) }]
}

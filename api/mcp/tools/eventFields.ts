// The arguments that the tools of events share; their types and bounds are those of the twin.
import { z } from 'zod'
import { createEventBody } from '../../../src/events/schema.ts'
import { zone } from '../../../src/shapes/fields.ts'

export const createFields = createEventBody.in.shape

/** A time as a tool takes it: an instant, a local time or a date. */
export const time = z.string()

export const timezone = zone.optional()

/** Accepted next to the fields of an event, and compared. */
export const calendarOfEvent = { calendar_id: z.string().optional() }

export const duration = z.int().min(1).max(44_640).optional()

export const choices = {
  weekday: createFields.weekday.meta({ description: 'mon to sun' }),
  on_conflict: z.enum(['refuse', 'allow']).default('refuse'),
  allow_past: z.boolean().default(false),
}

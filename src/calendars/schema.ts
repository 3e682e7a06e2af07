import { z } from 'zod'
import { pageQuery } from '../lists.ts'
import { id, metadata, timestamp, zone } from '../wire.ts'

const name = z.string().min(1).max(255)
const agentStatus = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Free text; idle, working, waiting and error are the named ones.', example: 'working' })

const mostReminders = 5

/** Stored without duplicates, ascending. */
export const reminders = z
  .array(z.int().min(1).max(40_320))
  .max(mostReminders)
  .transform((minutes) => [...new Set(minutes)].sort((a, b) => a - b))
  .nullable()
  .meta({ description: 'Minutes before the start, 5 at most. null inherits, [] means none.', example: [10] })

export const createCalendarBody = z.strictObject({
  name,
  timezone: zone,
  agent_status: agentStatus.default('idle'),
  default_reminders: reminders.optional(),
  metadata: metadata.optional(),
})
export type CreateCalendarBody = z.infer<typeof createCalendarBody>

export const updateCalendarBody = z
  .strictObject({
    name: name.optional(),
    timezone: zone.optional(),
    agent_status: agentStatus.optional(),
    default_reminders: reminders.optional(),
    metadata: metadata.optional().meta({ description: 'Replaces the whole object.' }),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    'give at least one of name, timezone, agent_status, default_reminders, metadata',
  )
export type UpdateCalendarBody = z.infer<typeof updateCalendarBody>

export const calendarListQuery = pageQuery().extend({ include: z.enum(['all']).optional() })
export type CalendarListQuery = z.infer<typeof calendarListQuery>

export const calendarRecord = z
  .object({
    id: id('cal'),
    orgId: id('org'),
    agentId: id('agt').nullable(),
    name: z.string(),
    timezone: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    externalId: z.string().nullable(),
    provider: z.string().nullable(),
    deletedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    agent_status: z.string(),
    default_reminders: z.array(z.int()).nullable(),
    ical_url: z.string(),
  })
  .meta({ id: 'Calendar' })

import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, metadata, searchText, zone } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

const name = z.string().min(1).max(255)
const agentStatus = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Free text. The usual values are idle, working, waiting and error.', example: 'working' })

const maxReminders = 5

/** Stored without duplicates, ascending. */
export const reminders = z
  .array(z.int().min(1).max(40_320))
  .max(maxReminders)
  .transform((minutes) => [...new Set(minutes)].sort((a, b) => a - b))
  .nullable()
  .meta({ description: 'Minutes before the start, at most 5 of them. null inherits, [] means none.', example: [10] })

export const createCalendarBody = z
  .strictObject({
    name,
    timezone: zone,
    agent_status: agentStatus.default('idle'),
    default_reminders: reminders.optional(),
    metadata: metadata.optional(),
  })
  .meta({ example: { name: 'Meetings', timezone: 'Europe/Berlin', default_reminders: [10] } })
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
  .meta({ minProperties: 1, example: { agent_status: 'working', default_reminders: [5, 30] } })
export type UpdateCalendarBody = z.infer<typeof updateCalendarBody>

export const calendarListQuery = pageQuery().extend({
  include: z.enum(['all']).optional().meta({ description: 'Include the calendars of agents.' }),
  query: searchText.optional().meta({ description: 'A part of the name, in upper or lower case.', example: 'meet' }),
})
export type CalendarListQuery = z.infer<typeof calendarListQuery>

export const calendarRecord = z
  .object({
    id: id('cal'),
    orgId: id('org'),
    agentId: id('agt').nullable().meta({ description: 'Null: the calendar belongs to the organization.' }),
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
    ical_url: z.string().meta({ format: 'uri' }),
  })
  .meta({
    id: 'Calendar',
    example: {
      id: exampleId('cal'),
      orgId: exampleId('org'),
      agentId: exampleId('agt'),
      name: 'Meetings',
      timezone: 'Europe/Berlin',
      metadata: {},
      externalId: null,
      provider: null,
      deletedAt: null,
      createdAt: '2026-11-20T08:30:00.000Z',
      updatedAt: '2026-11-20T08:30:00.000Z',
      agent_status: 'idle',
      default_reminders: [10],
      ical_url: 'https://calendar.example.com/ical/Zk8vT2qLm4Xw9Rb6Yc1Nd3Hs7Jf5Pg0A.ics',
    },
  })

export const busyFeedRecord = z.object({ busy_ical_url: z.string().meta({ format: 'uri' }) }).meta({
  id: 'BusyFeed',
  example: { busy_ical_url: 'https://calendar.example.com/ical/Jf5Pg0AZk8vT2qLm4Xw9Rb6Yc1Nd3Hs7.ics' },
})

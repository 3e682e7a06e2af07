// The bodies that P3 takes, with the limits of ours.
import { z } from 'zod'

const dateTime = z.iso.datetime({ offset: true })
const title = z.string().min(1).max(500)
const description = z.string().max(50_000)
const metadata = z.record(z.string(), z.unknown())
const reminders = z.array(z.int().min(1).max(40_320)).max(5)

export const newEvent = z
  .strictObject({
    title,
    start_time: dateTime,
    end_time: dateTime,
    description: description.nullable().default(null),
    all_day: z.boolean().default(false),
    status: z.enum(['confirmed', 'tentative', 'cancelled', 'hold']).default('confirmed'),
    metadata: metadata.default({}),
    reminders: reminders.nullable().default(null),
    hold_expires_at: dateTime.nullable().default(null),
    hold_priority: z.int().min(0).max(100).default(0),
  })
  .refine((event) => Date.parse(event.end_time) > Date.parse(event.start_time), 'must end after it starts')
  .refine((event) => (event.status === 'hold') === (event.hold_expires_at !== null), 'a hold needs hold_expires_at')
export type NewEvent = z.infer<typeof newEvent>

export const eventEdit = z.strictObject({
  title: title.optional(),
  start_time: dateTime.optional(),
  end_time: dateTime.optional(),
  description: description.nullable().optional(),
  all_day: z.boolean().optional(),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).optional(),
  metadata: metadata.optional(),
  reminders: reminders.nullable().optional(),
})

export const newAgent = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.enum(['ai', 'human', 'resource']),
  description: z.string().max(10_000).nullable().default(null),
  metadata: metadata.default({}),
})

export const newCalendar = z.strictObject({
  name: z.string().min(1).max(255),
  timezone: z.string().max(64),
  default_reminders: reminders.default([]),
  metadata: metadata.default({}),
})

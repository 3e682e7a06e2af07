import { z } from 'zod'
import { keepable } from '../icalendar/contentLines.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'

const subscriptionStatuses = ['active', 'error', 'paused'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

const label = z.string().min(1).max(255)
const url = z
  .string()
  .max(2048)
  .meta({ format: 'uri', description: 'HTTPS address of an .ics feed.', example: 'https://example.com/calendar.ics' })

const keep = z
  .array(z.enum(keepable))
  .max(10)
  .transform((kept) => keepable.filter((one) => kept.includes(one)))
  .nullable()
  .optional()
  .meta({
    description:
      'Events keep these besides title, description, times and status. `details`: place, call, visibility, labels, colour and links. `transparency`: those that say so take no time. null and []: nothing.',
    example: ['details', 'transparency'],
  })

export const createSubscriptionBody = z
  .strictObject({ calendar_id: idInput('cal'), url, label: label.optional(), keep })
  .meta({
    example: { calendar_id: exampleId('cal'), url: 'https://example.com/calendar.ics', label: 'Public holidays' },
  })
export type CreateSubscriptionBody = z.infer<typeof createSubscriptionBody>

export const updateSubscriptionBody = z
  .strictObject({ label: label.optional(), url: url.optional(), keep })
  .refine((body) => Object.keys(body).length > 0, 'give at least one of label, url, keep')
  .meta({ minProperties: 1, example: { label: 'Public holidays' } })
export type UpdateSubscriptionBody = z.infer<typeof updateSubscriptionBody>

export const subscriptionListQuery = pageQuery().extend({ status: z.enum(subscriptionStatuses).optional() })
export type SubscriptionListQuery = z.infer<typeof subscriptionListQuery>

export const subscriptionRecord = z
  .object({
    id: id('ics'),
    agent_id: id('agt'),
    calendar_id: id('cal'),
    url: z.string().meta({ example: 'https://example.com/calendar.ics' }),
    label: z.string().nullable().meta({ example: 'Public holidays' }),
    status: z.enum(subscriptionStatuses),
    last_synced_at: timestamp.nullable(),
    last_error: z.string().nullable().meta({
      description:
        'Why the last sync failed, in one line. While the status is `active`: how many parts of the feed could not be read.',
      example: null,
    }),
    created_at: timestamp,
    keep: z
      .array(z.enum(keepable))
      .optional()
      .meta({ description: 'Where set.', example: ['details'] }),
  })
  .meta({ id: 'IcalSubscription' })

export const syncStarted = z.object({ status: z.literal('syncing') })

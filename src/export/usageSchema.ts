import { z } from 'zod'
import { cataloguedLimits, publicPlanIds } from '../plans/plans.ts'
import { timestamp } from '../shapes/datetimes.ts'

const { webhook_deliveries, ...catalogued } = cataloguedLimits

/** The counts of the answer, and their limits in the plan. */
export const meters = { ...catalogued, webhooks: webhook_deliveries }
export type MeterName = keyof typeof meters

const used = z.object({
  used: z.int().meta({ example: 3 }),
  limit: z.int().nullable().meta({ description: 'Null is unlimited.', example: 50 }),
})

export const usageRecord = z
  .object({
    plan: z.enum(publicPlanIds),
    period_start: timestamp,
    period_end: timestamp.meta({ example: '2026-12-31T09:00:00.000Z' }),
    agents: used,
    calendars: used,
    events: used,
    api_calls: used,
    webhooks: used.meta({ description: 'Deliveries.' }),
    availability_queries: used,
    ical_subscriptions: used,
    proposals: used,
    recurring_events: used,
    webhook_endpoints: used,
    booking_pages: used,
    scoped_keys: used.meta({ description: 'Keys of agents.' }),
    holds: used.meta({
      description:
        'Holds that have not ended. They have no limit of their own: each counts as one of `events`. 0 without a paid plan.',
    }),
  })
  .meta({ id: 'Usage' })

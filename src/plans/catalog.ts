// The plans as they are offered: the texts that people read. The limits come from plans.ts.
import { cataloguedLimits, type PlanId, plans, type publicPlanIds } from './plans.ts'
import type { PlanRecord } from './schema.ts'

const limitsOf = (plan: PlanId) => {
  const shown = Object.entries(cataloguedLimits).map(([name, limit]) => [name, plans[plan].limits[limit]])
  return Object.fromEntries(shown) as NonNullable<PlanRecord['limits']>
}

/** The name of a plan for customers: the tiers of agent sign-up are the free plan. */
export const publicPlan = (plan: PlanId): (typeof publicPlanIds)[number] =>
  plan === 'pro' || plan === 'custom' ? plan : 'free'

export const offeredPlans = (contactUrl: string): PlanRecord[] => [
  {
    id: 'free',
    name: 'Free',
    tagline: 'Calendars for your first agents.',
    price: 0,
    currency: 'usd',
    limits: limitsOf('free'),
    display_features: [
      'Agents, calendars and events',
      'Recurring series up to 90 days',
      'Signed webhooks with 4 attempts',
      'iCal feeds and subscriptions',
      'One booking page',
      '3 days of audit log',
    ],
    recommended: false,
  },
  {
    id: 'pro',
    name: 'Pro',
    tagline: 'Scheduling between agents, in production.',
    price: 4_900,
    currency: 'usd',
    limits: limitsOf('pro'),
    display_features: [
      'Everything in Free',
      'Temporal holds and scheduling proposals',
      'Availability across agents',
      'Keys for single agents',
      'Unbounded recurring series',
      'Webhooks with 8 attempts over 21 hours',
      '25 booking pages',
      '90 days of audit log',
    ],
    recommended: true,
  },
  {
    id: 'custom',
    name: 'Custom',
    tagline: 'Your own limits, by agreement.',
    price: null,
    currency: null,
    limits: null,
    display_features: ['Everything in Pro', 'Negotiated limits and rates', 'Audit log for as long as you need it'],
    recommended: false,
    custom_pricing: true,
    contact_url: contactUrl,
  },
]

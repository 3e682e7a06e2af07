// The limits of each plan, as data: every limit reads it here.

export const planIds = ['free', 'pro', 'custom', 'free-agent', 'free-agent-unverified'] as const
export type PlanId = (typeof planIds)[number]

/** The plans an administrator can give; the others are tiers of agent self-signup. */
export const publicPlanIds = ['free', 'pro', 'custom'] as const

export const limitNames = [
  'agents',
  'calendars',
  'events',
  'api_calls',
  'webhooks',
  'webhook_deliveries',
  'availability_queries',
  'ical_subscriptions',
  'proposals',
  'recurring_events',
  'booking_pages',
  'scoped_keys',
  'organization_keys',
  'agents_per_query',
  'query_range_days',
  'audit_retention_days',
  'changes_retention_days',
  'change_waits',
  'calendar_connections',
  'members',
] as const
export type LimitName = (typeof limitNames)[number]

/** Null is unlimited, everywhere. */
export type Limit = number | null

export type Limits = Readonly<Record<LimitName, Limit>>

type Plan = {
  limits: Limits
  /** Null: no limit was agreed. */
  requestsPerSecond: number | null
  /** Seconds from each failed webhook attempt to the next. There is one attempt more than waits. */
  retryScheduleSeconds: readonly number[]
  isPaid: boolean
}

const minute = 60
const hour = 60 * minute

const free: Plan = {
  limits: {
    agents: 3,
    calendars: 10,
    events: 2_500,
    api_calls: 50_000,
    webhooks: 3,
    webhook_deliveries: 5_000,
    availability_queries: 10_000,
    ical_subscriptions: 5,
    proposals: 0,
    recurring_events: 5,
    booking_pages: 1,
    scoped_keys: 0,
    organization_keys: 2,
    agents_per_query: 5,
    query_range_days: 30,
    audit_retention_days: 3,
    changes_retention_days: 3,
    change_waits: 50,
    calendar_connections: 2,
    members: 3,
  },
  requestsPerSecond: 10,
  retryScheduleSeconds: [minute, 5 * minute, 30 * minute],
  isPaid: false,
}

const pro: Plan = {
  limits: {
    agents: 50,
    calendars: 250,
    events: 125_000,
    api_calls: 1_000_000,
    webhooks: 25,
    webhook_deliveries: 250_000,
    availability_queries: 1_000_000,
    ical_subscriptions: 100,
    proposals: null,
    recurring_events: 250,
    booking_pages: 25,
    scoped_keys: 50,
    organization_keys: 20,
    agents_per_query: 20,
    query_range_days: 90,
    audit_retention_days: 90,
    changes_retention_days: 30,
    change_waits: 1_000,
    calendar_connections: 50,
    members: 25,
  },
  requestsPerSecond: 50,
  retryScheduleSeconds: [minute, 5 * minute, 30 * minute, hour, 2 * hour, 6 * hour, 12 * hour],
  isPaid: true,
}

const unlimited = Object.fromEntries(limitNames.map((name) => [name, null])) as Record<LimitName, null>

export const plans: Readonly<Record<PlanId, Plan>> = {
  free,
  pro,
  custom: { ...pro, limits: unlimited, requestsPerSecond: null },
  'free-agent': free,
  'free-agent-unverified': {
    ...free,
    limits: {
      ...free.limits,
      agents: 1,
      calendars: 1,
      events: 10,
      api_calls: 1_000,
      availability_queries: 50,
      webhook_deliveries: 25,
      webhooks: 1,
      ical_subscriptions: 1,
      calendar_connections: 0,
      members: 1,
      organization_keys: 1,
    },
  },
}

/** The shortest wait after a failed delivery attempt, over all plans. */
export const shortestRetryMs = 1000 * Math.min(...planIds.flatMap((plan) => plans[plan].retryScheduleSeconds))

/** The agreement with an organization of a custom plan, as its row stores it. */
export type AgreedLimits = Partial<Record<LimitName, Limit>>

/** The caps in force: a custom plan's are those agreed with the organization. */
export const limitsOf = (plan: PlanId, agreed: AgreedLimits): Limits =>
  plan === 'custom' ? { ...unlimited, ...agreed } : plans[plan].limits

export const isPaid = (plan: PlanId): boolean => plans[plan].isPaid

export const features = [
  'scheduling_proposals',
  'scoped_keys',
  'cross_agent_availability',
  'temporal_holds',
  'unbounded_recurrence',
] as const
export type Feature = (typeof features)[number]

/** The names under which limits are shown: those of `GET /v1/usage`, except for deliveries. */
export const cataloguedLimits = {
  agents: 'agents',
  calendars: 'calendars',
  events: 'events',
  api_calls: 'api_calls',
  webhook_deliveries: 'webhook_deliveries',
  availability_queries: 'availability_queries',
  ical_subscriptions: 'ical_subscriptions',
  proposals: 'proposals',
  recurring_events: 'recurring_events',
  webhook_endpoints: 'webhooks',
  booking_pages: 'booking_pages',
  scoped_keys: 'scoped_keys',
} as const

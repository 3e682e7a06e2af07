// The use of an organization's plan: exact, and including this request.
import type { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import { activeAgents } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { existingPageCount } from '../bookingPages/pages.ts'
import { existingCalendars } from '../calendars/calendars.ts'
import { activeSeriesCount, liveHoldCount } from '../events/counts.ts'
import { liveSubscriptions } from '../imports/paused.ts'
import { agentKeyCount } from '../keys/count.ts'
import { publicPlan } from '../plans/catalog.ts'
import { isPaid } from '../plans/plans.ts'
import type { Budget } from '../quotas/budget.ts'
import { usedNow } from '../quotas/spending.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { askedBy, own } from '../stores/ownership.ts'
import { webhookCount } from '../webhooks/subscriptions.ts'
import { counters } from './usageCounters.ts'
import { type MeterName, meters, type usageRecord } from './usageSchema.ts'

type Spender = Pick<Actor, 'orgId' | 'plan' | 'limits' | 'period'>

export async function usageOf(app: App, actor: Spender): Promise<z.infer<typeof usageRecord>> {
  const [resources, spent] = await Promise.all([countResources(app, actor), spentBudgets(app, actor)])
  const used: Record<MeterName, number> = { ...resources, ...spent }
  const metered = (name: MeterName) => ({ used: used[name], limit: actor.limits[meters[name]] ?? null })
  return {
    plan: publicPlan(actor.plan),
    period_start: isoTime(actor.period.start),
    period_end: isoTime(actor.period.end),
    agents: metered('agents'),
    calendars: metered('calendars'),
    events: metered('events'),
    api_calls: metered('api_calls'),
    webhooks: metered('webhooks'),
    availability_queries: metered('availability_queries'),
    ical_subscriptions: metered('ical_subscriptions'),
    proposals: metered('proposals'),
    recurring_events: metered('recurring_events'),
    webhook_endpoints: metered('webhook_endpoints'),
    booking_pages: metered('booking_pages'),
    scoped_keys: metered('scoped_keys'),
    holds: { used: resources.holds, limit: isPaid(actor.plan) ? null : 0 },
  }
}

type CountRow = Record<
  | 'agents'
  | 'calendars'
  | 'icalSubscriptions'
  | 'recurringEvents'
  | 'webhookEndpoints'
  | 'bookingPages'
  | 'scopedKeys'
  | 'holds',
  number
>

async function countResources({ sql, clock }: App, { orgId }: Spender) {
  const now = clock.now()
  const [row] = await own<CountRow>(sql, orgId)`
    select ${askedBy(sql, orgId)},
      (${activeAgents(sql, orgId)})::integer as agents,
      (${existingCalendars(sql, orgId)})::integer as calendars,
      (${liveSubscriptions(sql, orgId)})::integer as ical_subscriptions,
      (${activeSeriesCount(sql, orgId, now)})::integer as recurring_events,
      (${webhookCount(sql, orgId)})::integer as webhook_endpoints,
      (${existingPageCount(sql, orgId)})::integer as booking_pages,
      (${agentKeyCount(sql, orgId)})::integer as scoped_keys,
      (${liveHoldCount(sql, orgId, now)})::integer as holds`
  const { agents, calendars, holds, ...capped } = row!
  return {
    agents,
    calendars,
    holds,
    ical_subscriptions: capped.icalSubscriptions,
    recurring_events: capped.recurringEvents,
    webhook_endpoints: capped.webhookEndpoints,
    booking_pages: capped.bookingPages,
    scoped_keys: capped.scopedKeys,
  }
}

async function spentBudgets(app: App, { orgId, period }: Spender) {
  const used = (budget: Budget) => usedNow(app, counters, { orgId, budget, period })
  const [events, api_calls, webhooks, availability_queries, proposals] = await Promise.all([
    used('events'),
    used('api_calls'),
    used('webhook_deliveries'),
    used('availability_queries'),
    used('proposals'),
  ])
  return { events, api_calls, webhooks, availability_queries, proposals }
}

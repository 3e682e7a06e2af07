// What an organization used of its plan, to the unit and as of this request, which counts as well.
import type { z } from 'zod'
import type { Actor } from '../actor.ts'
import { livingAgents } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { livingCalendars } from '../calendars/calendars.ts'
import { activeSeries } from '../events/createSeries.ts'
import { liveSubscriptions } from '../ical/subscriptions.ts'
import { askedBy, own } from '../ownership.ts'
import { publicPlan } from '../plans/catalog.ts'
import type { PlanId } from '../plans/plans.ts'
import { usedNow } from '../quotas/budgets.ts'
import { present } from '../wire.ts'
import { type MeterName, meters, type usageRecord } from './schema.ts'

export async function usageOf(app: App, actor: Actor): Promise<z.infer<typeof usageRecord>> {
  const [living, spent] = await Promise.all([livingThings(app, actor), spentBudgets(app, actor)])
  const used: Record<MeterName, number> = { ...living, ...spent }
  const metered = (name: MeterName) => ({ used: used[name], limit: actor.limits[meters[name]] ?? null })
  return {
    plan: publicPlan(actor.plan as PlanId),
    period_start: present(actor.periodStart),
    period_end: present(actor.periodEnd),
    agents: metered('agents'),
    calendars: metered('calendars'),
    events: metered('events'),
    api_calls: metered('api_calls'),
    webhooks: metered('webhooks'),
    availability_queries: metered('availability_queries'),
    ical_subscriptions: metered('ical_subscriptions'),
    proposals: metered('proposals'),
    recurring_events: metered('recurring_events'),
  }
}

async function livingThings({ sql, clock }: App, { orgId }: Actor) {
  const [row] = await own<{ agents: number; calendars: number; icalSubscriptions: number; recurringEvents: number }>(
    sql,
    orgId,
  )`
    select ${askedBy(sql, orgId)}, (${livingAgents(sql, orgId)})::integer as agents, (${livingCalendars(sql, orgId)})::integer as calendars,
      (${liveSubscriptions(sql, orgId)})::integer as ical_subscriptions,
      (${activeSeries(sql, orgId, clock.now())})::integer as recurring_events`
  const { agents, calendars, icalSubscriptions, recurringEvents } = row!
  return { agents, calendars, ical_subscriptions: icalSubscriptions, recurring_events: recurringEvents }
}

async function spentBudgets(app: App, { orgId, periodStart }: Actor) {
  const [events, api_calls, webhooks, availability_queries, proposals] = await Promise.all(
    (['events', 'api_calls', 'webhook_deliveries', 'availability_queries', 'proposals'] as const).map((budget) =>
      usedNow(app, orgId, budget, periodStart),
    ),
  )
  return {
    events: events!,
    api_calls: api_calls!,
    webhooks: webhooks!,
    availability_queries: availability_queries!,
    proposals: proposals!,
  }
}

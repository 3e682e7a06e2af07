// The monthly delivery budget, taken by the first attempt of each delivery.
import type { App } from '../app.ts'
import { limitsOf, type PlanId } from '../plans/plans.ts'
import { takeBudget } from '../quotas/budgets.ts'
import { periodAt } from '../quotas/period.ts'
import type { ClaimedRow } from './queries.ts'

/** False: over the budget, the delivery is recorded as failed without an attempt. */
export async function chargeDelivery(app: App, row: ClaimedRow): Promise<boolean> {
  const limit = limitsOf(row.plan as PlanId, row.limits).webhook_deliveries
  if (limit === null) return true
  return takeBudget(app, row.orgId, 'webhook_deliveries', periodAt(row.orgCreatedAt, app.clock.now()), limit)
}

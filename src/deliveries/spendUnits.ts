// The monthly budget of deliveries. The first attempt of each delivery spends one unit.
import type { App } from '../app.ts'
import { periodAt } from '../plans/period.ts'
import { type Limit, limitsOf } from '../plans/plans.ts'
import type { Use } from '../quotas/budget.ts'
import { takeUnits } from '../quotas/spending.ts'
import { countSpentUnits } from '../webhooks/count.ts'
import type { ClaimedRow } from './attempts.ts'

const monthlyLimit = (row: ClaimedRow): Limit => limitsOf(row.plan, row.limits).webhook_deliveries

/** Whether this attempt spends a unit: only a delivery's first one does, and only under a plan with a limit. */
export const spendsUnit = (row: ClaimedRow): boolean => row.attempts === 1 && monthlyLimit(row) !== null

/**
 * In the order of `rows`, which are of one organization: the budget of each that has spent a unit. Undefined: the budget is used
 * up; the delivery is recorded as failed without being posted.
 */
export async function spendUnits(app: App, rows: readonly ClaimedRow[]): Promise<(Use | undefined)[]> {
  const first = rows[0]!
  const period = periodAt(first.orgCreatedAt, app.clock.now())
  const use = { orgId: first.orgId, budget: 'webhook_deliveries', period } as const
  const units = await takeUnits(app, { ...use, limit: monthlyLimit(first), counter: countSpentUnits }, rows.length)
  return rows.map((_, nth) => (nth < units ? use : undefined))
}

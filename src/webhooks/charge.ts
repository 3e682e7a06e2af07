// The monthly budget of deliveries. The first attempt of each delivery spends one unit.
import type { App } from '../app.ts'
import { periodAt } from '../plans/period.ts'
import { type Limit, limitsOf } from '../plans/plans.ts'
import { takeUnits } from '../quotas/spending.ts'
import type { ClaimedRow } from './attempts.ts'
import { countCharged } from './count.ts'

const monthlyLimit = (row: ClaimedRow): Limit => limitsOf(row.plan, row.limits).webhook_deliveries

/** Whether this attempt spends a unit: only a delivery's first one does, and only under a plan with a limit. */
export const isToBeCharged = (row: ClaimedRow): boolean => row.attempts === 1 && monthlyLimit(row) !== null

/** In the order of `rows`. False: the budget is used up; the delivery is recorded as failed without being posted. */
export async function chargeDeliveries(app: App, rows: readonly ClaimedRow[]): Promise<boolean[]> {
  const left = new Map<string, number>()
  for (const [orgId, group] of Map.groupBy(rows, (row) => row.orgId)) {
    const [first] = group
    const period = periodAt(first!.orgCreatedAt, app.clock.now())
    const allowance = {
      orgId,
      budget: 'webhook_deliveries',
      period,
      limit: monthlyLimit(first!),
      counter: countCharged,
    } as const
    left.set(orgId, await takeUnits(app, allowance, group.length))
  }
  return rows.map(({ orgId }) => {
    const units = left.get(orgId)!
    left.set(orgId, units - 1)
    return units > 0
  })
}

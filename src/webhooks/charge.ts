// The monthly delivery budget, taken by the first attempt of each delivery.
import type { App } from '../app.ts'
import { periodAt } from '../plans/period.ts'
import { type Limit, limitsOf } from '../plans/plans.ts'
import { takeUnits } from '../quotas/spending.ts'
import { countCharged } from './count.ts'
import type { ClaimedRow } from './queries.ts'

const monthlyLimit = (row: ClaimedRow): Limit => limitsOf(row.plan, row.limits).webhook_deliveries

/** Whether this attempt takes a unit: a later one of a delivery costs nothing. */
export const isToBeCharged = (row: ClaimedRow): boolean => row.attempts === 1 && monthlyLimit(row) !== null

/** In the order of `rows`. False: over the budget, the delivery is recorded as failed without an attempt. */
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

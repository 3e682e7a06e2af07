// The monthly delivery budget, taken by the first attempt of each delivery.
import type { App } from '../app.ts'
import { periodAt } from '../plans/period.ts'
import { type Limit, limitsOf } from '../plans/plans.ts'
import { takeUnits } from '../quotas/spending.ts'
import type { ClaimedRow } from './attempts.ts'

const monthlyLimit = (row: ClaimedRow): Limit => limitsOf(row.plan, row.limits).webhook_deliveries

/** Whether this attempt takes a unit: a later one of a delivery costs nothing. */
export const isToBeCharged = (row: ClaimedRow): boolean => row.attempts === 1 && monthlyLimit(row) !== null

/** In the order of `rows`. False: over the budget, the delivery is recorded as failed without an attempt. */
export async function chargeDeliveries(app: App, rows: readonly ClaimedRow[]): Promise<boolean[]> {
  const left = new Map<string, number>()
  for (const [orgId, group] of Map.groupBy(rows, (row) => row.orgId)) {
    const [first] = group
    const period = periodAt(first!.orgCreatedAt, app.clock.now())
    const units = await takeUnits(app, orgId, 'webhook_deliveries', period, monthlyLimit(first!), group.length)
    left.set(orgId, units)
  }
  return rows.map(({ orgId }) => {
    const units = left.get(orgId)!
    left.set(orgId, units - 1)
    return units > 0
  })
}

// An organization as the administrator sees it: with the limits that are in force, and how much of them is used.
import type { App } from '../app.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { periodAt } from '../plans/period.ts'
import { limitsOf, plans } from '../plans/plans.ts'
import { usageOf } from './usage.ts'

export async function organizationDetail(app: App, id: string) {
  const row = await requireOrganization(app, id)
  const limits = limitsOf(row.plan, row.limits)
  const period = periodAt(row.createdAt, app.clock.now())
  return {
    org: presentOrganization(row),
    limits,
    rate_limit_per_second: row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond,
    usage: await usageOf(app, { orgId: row.id, plan: row.plan, limits, period }),
  }
}

// How much of their monthly budgets the organizations have used, and how many organizations each plan has. Upkeep reads all
// organizations from time to time and writes a few rows, which every worker shows.
import type { App } from '../app.ts'
import { periodAt, periodMs } from '../plans/period.ts'
import { limitsOf, planIds } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Budget, isWrittenBack } from './budget.ts'
import { gateHashOf } from './gateHash.ts'
import { lastMeasurements, type OrganizationUse, organizationsAfter } from './queries.ts'
import { setMeasurements } from './writes.ts'

export const measuredBudgets = [
  'api_calls',
  'events',
  'availability_queries',
  'webhook_deliveries',
  'proposals',
] as const

/** Shares of a budget; an organization counts for each share that it has reached. */
export const useSteps = [0, 0.25, 0.5, 0.8, 0.9, 1] as const

const blockSize = 1_000

export async function measureQuotas(app: App): Promise<void> {
  const plans = new Map<string, number>(planIds.map((plan) => [plan, 0]))
  const uses = new Map<string, number>(
    measuredBudgets.flatMap((budget) => useSteps.map((step) => [`${budget} ${step}`, 0] as const)),
  )
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  let last: Uuid | null = null
  for (;;) {
    const block: OrganizationUse[] = await organizationsAfter(app.sql, last, periodMs, blockSize)
    const shares = await Promise.all(block.map((organization) => sharesOf(app, organization)))
    for (const { plan } of block) count(plans, plan)
    for (const [budget, share] of shares.flat()) {
      for (const step of useSteps) if (share >= step) count(uses, `${budget} ${step}`)
    }
    last = block.at(-1)?.id ?? null
    if (block.length < blockSize) break
  }
  await setMeasurements(app.sql, app.clock.now(), [
    ...[...plans].map(([plan, value]) => ({ name: 'organizations', labels: { plan }, value })),
    ...[...uses].map(([key, value]) => {
      const [budget, atLeast] = key.split(' ')
      return { name: 'quotaOrganizations', labels: { budget, at_least: atLeast }, value }
    }),
  ])
}

/** Redis has the counters of budgets that are not written back; a counter that has expired was not used lately. */
async function sharesOf(app: App, organization: OrganizationUse): Promise<(readonly [Budget, number])[]> {
  const limits = limitsOf(organization.plan, organization.limits)
  const period = periodAt(organization.createdAt, app.clock.now())
  const limited = measuredBudgets.filter((budget) => (limits[budget] ?? 0) > 0)
  return Promise.all(
    limited.map(async (budget) => {
      const used = isWrittenBack(budget)
        ? organization.used?.[budget]
        : await gateHashOf(app)
            .used({ orgId: organization.id, budget, period })
            .catch(() => null)
      return [budget, Number(used ?? 0) / limits[budget]!] as const
    }),
  )
}

/** Sets the gauges to the last measurement. */
export async function showQuotas({ sql, metrics }: App): Promise<void> {
  for (const { name, labels, value } of await lastMeasurements(sql)) {
    if (name === 'organizations') metrics.organizations.set(labels as { plan: string }, value)
    if (name === 'quotaOrganizations')
      metrics.quotaOrganizations.set(labels as { budget: string; at_least: string }, value)
  }
}

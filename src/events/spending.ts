// The monthly budget of events.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Counter } from '../quotas/budget.ts'
import { giveBudget, isLeft, takeBudget } from '../quotas/spending.ts'

/** Imported events cost nothing. A removed event keeps its row, and never gives its unit back. */
export const countEvents: Counter = {
  rows: (sql, made) => sql`from events where source = 'internal' and ${made}`,
}

/**
 * Takes one of the month's events for `work`, and gives it back if none was written: `work` returns undefined, or throws. A
 * dry run takes none.
 * `no_quota`: none was left, and `work` was not called.
 */
export async function withEventBudget<T>(
  app: App,
  { orgId, limits, period, request: { dryRun } }: Actor,
  work: () => Promise<T | undefined>,
): Promise<T | undefined | 'no_quota'> {
  const allowance = { orgId, budget: 'events', period, limit: limits.events, counter: countEvents } as const
  if (dryRun) {
    if (!(await isLeft(app, allowance))) return 'no_quota'
    dryRun.spends.events = 1
    return work()
  }
  if (!(await takeBudget(app, allowance))) return 'no_quota'
  let written: T | undefined
  try {
    written = await work()
    return written
  } finally {
    if (written === undefined) await giveBudget(app, allowance)
  }
}

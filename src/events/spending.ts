// The monthly budget of events.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { quotaExceeded } from '../errors.ts'
import { secondsLeft } from '../plans/period.ts'
import type { Counter } from '../quotas/budget.ts'
import { giveBudget, isLeft, takeBudget, takeUnits } from '../quotas/spending.ts'

/** Imported events cost nothing. A removed event keeps its row, and never gives its unit back. */
export const countEvents: Counter = {
  rows: (sql, made) => sql`from events where source = 'internal' and series_id is null and ${made}`,
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

/**
 * For a request that makes up to `max` events, of which the gate has taken one: takes the others before `work`, which returns how
 * many it made, and gives back those that it did not. Throws `quota_exceeded` if there are too few; then it keeps none.
 */
export async function withEventsUpTo<T extends { made: number }>(
  app: App,
  actor: Actor,
  max: number,
  work: () => Promise<T>,
): Promise<T> {
  const { orgId, limits, period, request } = actor
  const allowance = { orgId, budget: 'events', period, limit: limits.events, counter: countEvents } as const
  const others = max - 1
  const tooFew = () => quotaExceeded('events a month', limits.events ?? 0, secondsLeft(period, app.clock.now()))
  if (request.dryRun) {
    if (!(await isLeft(app, allowance, max))) throw tooFew()
    return work()
  }
  const taken = others === 0 ? 0 : await takeUnits(app, allowance, others)
  let made = 0
  try {
    if (taken < others) throw tooFew()
    const done = await work()
    made = done.made
    return done
  } finally {
    const unused = made === 0 ? taken : max - made
    if (unused > 0) await giveBudget(app, allowance, unused)
  }
}

// Monthly budgets. Redis counts; what Postgres can count is counted again when Redis forgot, the rest is written back.
import type { App } from '../app.ts'
import { type Period, periodMs } from './period.ts'
import { countedBudget, usedCounter } from './queries.ts'

/** `counted`: from its own table. `written`: from the counters that each process writes back. */
const sources = {
  api_calls: 'written',
  availability_queries: 'written',
  events: 'counted',
  webhook_deliveries: 'counted',
  proposals: 'counted',
} as const
export type Budget = keyof typeof sources

export const isWrittenBack = (budget: Budget): boolean => sources[budget] === 'written'

export const counterKey = (app: App, orgId: string, budget: Budget, periodStart: Date): string =>
  `${app.config.redisPrefix}:{${orgId}}:${budget}:${periodStart.getTime()}`

/** What Postgres knows was used; what was spent in the last seconds before Redis was lost may be missing. */
export async function usedSoFar(app: App, orgId: string, budget: Budget, periodStart: Date): Promise<number> {
  const [row] =
    sources[budget] === 'counted'
      ? await countedBudget(app.sql, orgId, periodStart, budget)
      : await usedCounter(app.sql, orgId, periodStart, budget)
  return Number(row?.used ?? 0)
}

/**
 * Takes one unit of a budget outside the gate; false when it is exhausted. Without Redis Postgres' count decides, which
 * lags behind by what is under way.
 */
export async function takeBudget(
  app: App,
  orgId: string,
  budget: Budget,
  period: Period,
  limit: number,
): Promise<boolean> {
  const key = counterKey(app, orgId, budget, period.start)
  try {
    const used = await app.redis.incr(key)
    if (used > 1) {
      if (used > limit) await app.redis.decr(key)
      return used <= limit
    }
    // The counter was not there: count what Postgres knows, this unit included.
    const counted = await usedSoFar(app, orgId, budget, period.start)
    await app.redis.set(key, counted, 'PX', periodMs)
    return counted <= limit
  } catch {
    return (await usedSoFar(app, orgId, budget, period.start)) <= limit
  }
}

/** Gives one unit back that was taken for something that did not happen. */
export async function giveBudget(app: App, orgId: string, budget: Budget, period: Period): Promise<void> {
  await app.redis.decr(counterKey(app, orgId, budget, period.start)).catch(() => undefined)
}

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

/** Postgres counts a delivery when its attempt is claimed, before its unit is taken; everything else after. */
const countedBeforehand = (budget: Budget): number => (budget === 'webhook_deliveries' ? 1 : 0)

const takeScript = `
local used = tonumber(redis.call('get', KEYS[1]))
if not used then return 'unknown' end
if used >= tonumber(ARGV[1]) then return 'exhausted' end
redis.call('incr', KEYS[1])
return 'taken'
`

const takeTries = 3

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
  const usedByOthers = async () => (await usedSoFar(app, orgId, budget, period.start)) - countedBeforehand(budget)
  try {
    for (let tries = 0; tries < takeTries; tries++) {
      const answer = await app.redis.eval(takeScript, 1, key, limit)
      if (answer !== 'unknown') return answer === 'taken'
      await app.redis.set(key, Math.max(0, await usedByOthers()), 'PX', periodMs, 'NX')
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a budget is taken without redis')
  }
  return (await usedByOthers()) < limit
}

/** A counter that was forgotten meanwhile is counted anew, without this unit. */
const giveScript = `
if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end
`

/** Gives one unit back that was taken for something that did not happen. */
export async function giveBudget(app: App, orgId: string, budget: Budget, period: Period): Promise<void> {
  if (app.redis.status !== 'ready') return
  await app.redis.eval(giveScript, 1, counterKey(app, orgId, budget, period.start)).catch(() => undefined)
}

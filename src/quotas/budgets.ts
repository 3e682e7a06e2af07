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

// KEYS: counter. ARGV: units wanted, limit. Returns the units taken; -1 when the counter is not there.
const takeScript = `
local used = tonumber(redis.call('get', KEYS[1]))
if not used then return -1 end
local taken = math.min(tonumber(ARGV[1]), math.max(0, tonumber(ARGV[2]) - used))
if taken > 0 then redis.call('incrby', KEYS[1], taken) end
return taken
`

const takeTries = 3

/**
 * Takes up to `units` of a budget outside the gate; returns how many there were. Without Redis Postgres' count decides,
 * which lags behind by what is under way.
 */
export async function takeUnits(
  app: App,
  orgId: string,
  budget: Budget,
  period: Period,
  limit: number,
  units: number,
): Promise<number> {
  const key = counterKey(app, orgId, budget, period.start)
  try {
    for (let tries = 0; tries < takeTries; tries++) {
      const taken = (await app.redis.eval(takeScript, 1, key, units, limit)) as number
      if (taken >= 0) return taken
      await app.redis.set(key, await usedSoFar(app, orgId, budget, period.start), 'PX', periodMs, 'NX')
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a budget is taken without redis')
  }
  return Math.min(units, Math.max(0, limit - (await usedSoFar(app, orgId, budget, period.start))))
}

/** One unit; false when the budget is exhausted. */
export const takeBudget = async (
  app: App,
  orgId: string,
  budget: Budget,
  period: Period,
  limit: number,
): Promise<boolean> => (await takeUnits(app, orgId, budget, period, limit, 1)) === 1

/** A counter that was forgotten meanwhile is counted anew, without this unit. */
const giveScript = `
if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end
`

/** Gives one unit back that was taken for something that did not happen. */
export async function giveBudget(app: App, orgId: string, budget: Budget, period: Period): Promise<void> {
  if (app.redis.status !== 'ready') return
  await app.redis.eval(giveScript, 1, counterKey(app, orgId, budget, period.start)).catch(() => undefined)
}

// Spending monthly budgets. Redis counts; what Postgres can count is counted again when Redis forgot, the rest is written back.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Period, periodMs } from '../plans/period.ts'
import type { Limit } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Budget, counterKey, isWrittenBack } from './budget.ts'
import { ledgerOf } from './ledger.ts'
import { countedBudget } from './queries.ts'

/** What Postgres and this process know was used; what other processes have yet to write back is missing. */
export async function usedSoFar(app: App, orgId: Uuid, budget: Budget, periodStart: Date): Promise<number> {
  if (isWrittenBack(budget)) return ledgerOf(app).total(orgId, periodStart, budget)
  const [row] = await countedBudget(app.sql, orgId, periodStart, budget)
  return Number(row?.used ?? 0)
}

/** What was used, to the unit: of what is only written back later Redis knows more than Postgres. */
export async function usedNow(app: App, orgId: Uuid, budget: Budget, periodStart: Date): Promise<number> {
  if (isWrittenBack(budget) && app.redis.status === 'ready') {
    const counted = await app.redis.get(counterKey(app, orgId, budget, periodStart)).catch(() => null)
    if (counted !== null) return Number(counted)
  }
  return usedSoFar(app, orgId, budget, periodStart)
}

// KEYS: counter. ARGV: units wanted, limit ('': none). Returns the units taken; -1 when the counter is not there.
const takeScript = `
local used = tonumber(redis.call('get', KEYS[1]))
if not used then return -1 end
local taken, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
if limit then taken = math.min(taken, math.max(0, limit - used)) end
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
  orgId: Uuid,
  budget: Budget,
  period: Period,
  limit: Limit,
  units: number,
): Promise<number> {
  const key = counterKey(app, orgId, budget, period.start)
  try {
    for (let tries = 0; tries < takeTries; tries++) {
      const taken = (await app.redis.eval(takeScript, 1, key, units, limit ?? '')) as number
      if (taken >= 0) return taken
      await app.redis.set(key, await usedSoFar(app, orgId, budget, period.start), 'PX', periodMs, 'NX')
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a budget is taken without redis')
  }
  if (limit === null) return units
  return Math.min(units, Math.max(0, limit - (await usedSoFar(app, orgId, budget, period.start))))
}

/** One unit, counted without a limit as well; false when the budget is exhausted. */
export const takeBudget = async (
  app: App,
  orgId: Uuid,
  budget: Budget,
  period: Period,
  limit: Limit,
): Promise<boolean> => (await takeUnits(app, orgId, budget, period, limit, 1)) === 1

/** A counter that was forgotten meanwhile is counted anew, without this unit. */
const giveScript = `
if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end
`

/** Gives one unit back that was taken for something that did not happen. */
export async function giveBudget(app: App, orgId: Uuid, budget: Budget, period: Period): Promise<void> {
  if (app.redis.status !== 'ready') return
  await app.redis.eval(giveScript, 1, counterKey(app, orgId, budget, period.start)).catch(() => undefined)
}

/**
 * Takes one of the month's events for `work`, and gives it back when none was written: `work` says undefined, or throws.
 * `no_quota`: there was none left, and nothing was begun.
 */
export async function withEventBudget<T>(
  app: App,
  { orgId, limits, period }: Actor,
  work: () => Promise<T | undefined>,
): Promise<T | undefined | 'no_quota'> {
  if (!(await takeBudget(app, orgId, 'events', period, limits.events))) return 'no_quota'
  let written: T | undefined
  try {
    written = await work()
    return written
  } finally {
    if (written === undefined) await giveBudget(app, orgId, 'events', period)
  }
}

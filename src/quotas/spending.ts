// Spending monthly budgets. Redis counts. If Redis has lost a counter, it is counted again from Postgres.
import type { App } from '../app.ts'
import { type Period, periodMs } from '../plans/period.ts'
import type { Limit } from '../plans/plans.ts'
import { type Counter, type Counters, counterKey, isWrittenBack, type Use } from './budget.ts'
import { ledgerOf } from './ledger.ts'
import { countedUse } from './queries.ts'

/** What Postgres and this process know was used; what other processes have not written back yet is missing. */
export async function usedSoFar(app: App, counters: Counters, use: Use): Promise<number> {
  const { orgId, budget, period } = use
  if (isWrittenBack(budget)) return ledgerOf(app).total(orgId, period.start, budget)
  return countUse(app, counters[budget], use)
}

async function countUse({ sql }: App, counter: Counter, { orgId, period }: Use): Promise<number> {
  const [row] = await countedUse(sql, orgId, counter(sql, orgId, period.start))
  return Number(row?.used ?? 0)
}

/** The exact use. For a budget that is written back later, Redis knows more than Postgres. */
export async function usedNow(app: App, counters: Counters, use: Use): Promise<number> {
  if (isWrittenBack(use.budget) && app.redis.status === 'ready') {
    const counted = await app.redis.get(counterKey(app, use)).catch(() => null)
    if (counted !== null) return Number(counted)
  }
  return usedSoFar(app, counters, use)
}

/** A counted budget, and up to where it may be used. */
type Allowance = Use & { period: Period; limit: Limit; counter: Counter }

// KEYS: counter. ARGV: units wanted, limit ('': none). Returns the units taken; -1 if the counter does not exist.
const takeScript = `
local used = tonumber(redis.call('get', KEYS[1]))
if not used then return -1 end
local taken, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
if limit then taken = math.min(taken, math.max(0, limit - used)) end
if taken > 0 then redis.call('incrby', KEYS[1], taken) end
return taken
`

const maxTries = 3

/**
 * Takes up to `units` of a budget outside the gate; returns how many there were. Without Redis the count of Postgres decides,
 * which lacks what is in progress.
 */
export async function takeUnits(app: App, allowance: Allowance, units: number): Promise<number> {
  const { limit, counter } = allowance
  const key = counterKey(app, allowance)
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const taken = (await app.redis.eval(takeScript, 1, key, units, limit ?? '')) as number
      if (taken >= 0) return taken
      await app.redis.set(key, await countUse(app, counter, allowance), 'PX', periodMs, 'NX')
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a budget is taken without redis')
  }
  if (limit === null) return units
  return Math.min(units, Math.max(0, limit - (await countUse(app, counter, allowance))))
}

/** Takes one unit, which is counted without a limit as well; false if the budget is exhausted. */
export const takeBudget = async (app: App, allowance: Allowance): Promise<boolean> =>
  (await takeUnits(app, allowance, 1)) === 1

/** A counter that was lost in the meantime is counted again, without this unit. */
const giveScript = `
if redis.call('exists', KEYS[1]) == 1 then redis.call('decr', KEYS[1]) end
`

/** Gives back one unit that was taken for something that did not happen. */
export async function giveBudget(app: App, use: Use): Promise<void> {
  if (app.redis.status !== 'ready') return
  await app.redis.eval(giveScript, 1, counterKey(app, use)).catch(() => undefined)
}

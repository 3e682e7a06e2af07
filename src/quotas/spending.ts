// Spending monthly budgets. Redis counts. If Redis has lost a counter, it is counted again from Postgres.
import type { App } from '../app.ts'
import type { Period } from '../plans/period.ts'
import type { Limit } from '../plans/plans.ts'
import { type Counter, type Counters, isWrittenBack, type Use } from './budget.ts'
import { gateHashOf } from './gateHash.ts'
import { ledgerOf } from './ledger.ts'
import { countUse } from './rollup.ts'

/** The use that Postgres and this process know of; units that other processes have not written back yet are missing. */
export async function usedSoFar(app: App, counters: Counters, use: Use): Promise<number> {
  const { orgId, budget, period } = use
  if (isWrittenBack(budget)) return ledgerOf(app).total(orgId, period.start, budget)
  return countUse(app, counters[budget], use)
}

/** The exact use. For a budget that is written back later, Redis knows more than Postgres. */
export async function usedNow(app: App, counters: Counters, use: Use): Promise<number> {
  if (isWrittenBack(use.budget) && app.redis.status === 'ready') {
    const counted = await gateHashOf(app)
      .used(use)
      .catch(() => null)
    if (counted !== null) return Number(counted)
  }
  return usedSoFar(app, counters, use)
}

/** A counted budget, and up to where it may be used. */
type Allowance = Use & { period: Period; limit: Limit; counter: Counter }

const maxTries = 3

/**
 * Takes up to `units` of a budget outside the gate; returns the number taken. Without Redis the count of Postgres decides,
 * which lacks units in progress.
 */
export async function takeUnits(app: App, allowance: Allowance, units: number): Promise<number> {
  const { limit, counter } = allowance
  const hash = gateHashOf(app)
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const taken = await hash.take(allowance, units, limit)
      if (taken >= 0) return taken
      await hash.seed(allowance, await countUse(app, counter, allowance))
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

/** Whether there are as many units left. Takes none. */
export async function isLeft(app: App, { limit, counter, ...use }: Allowance, units = 1): Promise<boolean> {
  if (limit === null) return true
  const counted =
    app.redis.status === 'ready'
      ? await gateHashOf(app)
          .used(use)
          .catch(() => null)
      : null
  return Number(counted ?? (await countUse(app, counter, use))) + units <= limit
}

/** Gives back what was taken for something that did not happen. */
export async function giveBudget(app: App, use: Use, units = 1): Promise<void> {
  if (app.redis.status !== 'ready') return
  await gateHashOf(app)
    .give(use, units)
    .catch(() => undefined)
}

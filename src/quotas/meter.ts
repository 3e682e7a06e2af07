// The meter of one API process: Redis decides rate and quotas, in one call for the requests of a turn of the event loop.
import type { App } from '../app.ts'
import type { Period } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Budget, type Counters, isWrittenBack } from './budget.ts'
import { gateHashOf } from './gateHash.ts'
import { ledgerOf } from './ledger.ts'
import { openLocalMeter, type TakenBudget } from './localMeter.ts'
import type { FinalVerdict, Manner, Spender, Verdict } from './spender.ts'
import { giveBudget, isLeft, takeBudget, usedNow, usedSoFar } from './spending.ts'
import { openSpendTogether } from './spendTogether.ts'

export type Meter = {
  spend(spender: Spender, budget: Budget | undefined, manner: Manner): Promise<Verdict>
  /** One unit of a counted budget, for a call that was spent without it. */
  spendBudget(spender: Spender, budget: Budget): Promise<TakenBudget>
  /** One API call more for a request that goes on. False: none is left. */
  spendCall(spender: Spender): Promise<boolean>
  /** Whether `spendBudget` would get its unit. Takes none. */
  hasLeft(spender: Spender, budget: Budget): Promise<boolean>
  /** The same decision from a local bucket and the counts of Postgres. */
  spendWithoutRedis(spender: Spender, budget: Budget | undefined, manner: Manner): Promise<FinalVerdict>
  /** How many API calls were made in the period, without spending one. */
  callsUsed(orgId: Uuid, period: Period): Promise<number>
  /** Gives back a budget unit whose request was refused later. */
  refund(spender: Spender, budget: Budget): void
  /** Writes back the spending since the last time. */
  flush(): Promise<void>
}

const maxTries = 3

export function openMeter(app: App, counters: Counters): Meter {
  const local = openLocalMeter(app, counters)
  const ledger = ledgerOf(app)

  const record = ({ orgId, period }: Spender, budget: Budget, units: number) =>
    ledger.record(orgId, period.start, budget, units)

  const spendInRedis = openSpendTogether(app, (spender, budget, calls, units) => {
    if (calls > 0) record(spender, 'api_calls', calls)
    if (budget && isWrittenBack(budget) && units > 0) record(spender, budget, units)
  })

  function allowanceOf({ orgId, period, limits }: Spender, budget: Budget) {
    if (isWrittenBack(budget)) throw new TypeError(`${budget} is spent with the call`)
    return { orgId, budget, period, limit: limits[budget], counter: counters[budget] }
  }

  return {
    async spend(spender, budget, manner) {
      if (app.redis.status !== 'ready') return { kind: 'no_redis' }
      try {
        const forgetting = local.forgetUncounted(spender.orgId)
        if (forgetting) await forgetting
        for (let tries = 0; tries < maxTries; tries++) {
          const verdict = await spendInRedis(spender, budget, manner)
          if (verdict) return verdict
          await seedCounters(app, counters, spender, budget)
        }
      } catch (error) {
        app.log.debug({ error: (error as Error).message }, 'the gate continues without redis')
      }
      return { kind: 'no_redis' }
    },
    async spendBudget(spender, budget) {
      if (app.redis.status !== 'ready') return local.spendBudget(spender, budget)
      return { isTaken: await takeBudget(app, allowanceOf(spender, budget)) }
    },
    hasLeft: (spender, budget) => isLeft(app, allowanceOf(spender, budget)),
    async spendCall(spender) {
      const { orgId, period, limits } = spender
      const use = { orgId, budget: 'api_calls', period } as const
      const limit = limits.api_calls
      const taken = await gateHashOf(app)
        .take(use, 1, limit)
        .catch(() => -1)
      const isGranted = taken < 0 ? limit === null || (await usedSoFar(app, counters, use)) < limit : taken === 1
      if (isGranted) record(spender, 'api_calls', 1)
      return isGranted
    },
    spendWithoutRedis: local.spend,
    callsUsed: (orgId, period) => usedNow(app, counters, { orgId, budget: 'api_calls', period }),
    refund(spender, budget) {
      if (isWrittenBack(budget)) record(spender, budget, -1)
      void giveBudget(app, { orgId: spender.orgId, budget, period: spender.period })
    },
    flush: () => ledger.flush(),
  }
}

/** Makes the counters of a request in Redis that do not exist, from Postgres. */
async function seedCounters(app: App, counters: Counters, { orgId, period }: Spender, budget: Budget | undefined) {
  for (const name of ['api_calls', budget] as const) {
    if (!name) continue
    const use = { orgId, budget: name, period }
    await gateHashOf(app).seed(use, await usedSoFar(app, counters, use))
  }
}

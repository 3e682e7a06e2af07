// The meter of one API process: one call of Redis per request decides rate and quotas.
import type { App } from '../app.ts'
import { type Period, periodMs } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Budget, type Counters, counterKey, isWrittenBack } from './budget.ts'
import { ledgerOf } from './ledger.ts'
import { openLocalMeter } from './localMeter.ts'
import type { FinalVerdict, Spender, Verdict } from './spender.ts'
import { giveBudget, usedNow, usedSoFar } from './spending.ts'
import { openSpendScript } from './spendScript.ts'

export type Meter = {
  spend(spender: Spender, budget: Budget | undefined): Promise<Verdict>
  /** The same decision from a local bucket and the counts of Postgres. */
  spendWithoutRedis(spender: Spender, budget: Budget | undefined): Promise<FinalVerdict>
  /** How many API calls were made in the period, without spending one. */
  callsUsed(orgId: Uuid, period: Period): Promise<number>
  /** Gives back a budget unit whose request was refused later. */
  refund(spender: Spender, budget: Budget): void
  /** Writes back what was spent since the last time. */
  flush(): Promise<void>
}

const maxTries = 3

export function openMeter(app: App, counters: Counters): Meter {
  const ask = openSpendScript(app)
  const local = openLocalMeter(app, counters)
  const ledger = ledgerOf(app)

  const record = ({ orgId, period }: Spender, budget: Budget, units: number) =>
    ledger.record(orgId, period.start, budget, units)

  /** Undefined if a counter does not exist in Redis. */
  async function spendInRedis(spender: Spender, budget: Budget | undefined): Promise<Verdict | undefined> {
    const { verdict, epoch, callsUsed, waitMs } = await ask(spender, budget)
    if (verdict === 'seed') return undefined
    if (verdict === 'epoch') return { kind: 'stale', epoch }
    if (verdict === 'rate') return { kind: 'rate', waitMs, callsUsed }
    if (verdict === 'calls') return { kind: 'quota', budget: 'api_calls', callsUsed }
    record(spender, 'api_calls', 1)
    if (verdict === 'budget') return { kind: 'quota', budget: budget!, callsUsed }
    if (budget && isWrittenBack(budget)) record(spender, budget, 1)
    return { kind: 'ok', callsUsed }
  }

  return {
    async spend(spender, budget) {
      if (app.redis.status !== 'ready') return { kind: 'no_redis' }
      try {
        await local.forgetUncounted(spender.orgId)
        for (let tries = 0; tries < maxTries; tries++) {
          const verdict = await spendInRedis(spender, budget)
          if (verdict) return verdict
          await seedCounters(app, counters, spender, budget)
        }
      } catch (error) {
        app.log.debug({ error: (error as Error).message }, 'the gate continues without redis')
      }
      return { kind: 'no_redis' }
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
    await app.redis.set(counterKey(app, use), await usedSoFar(app, counters, use), 'PX', periodMs, 'NX')
  }
}

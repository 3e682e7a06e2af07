// The meter of one API process: one Redis call per request decides rate and quotas. Without Redis it decides from a
// local bucket and from Postgres, so that the API keeps answering.
import type { App } from '../app.ts'
import { defineScript } from '../redis.ts'
import { type Budget, counterKey, giveBudget, isWrittenBack, usedSoFar } from './budgets.ts'
import { epochKey } from './epoch.ts'
import { localBuckets } from './local.ts'
import { type Period, periodMs } from './period.ts'
import { addSpent, type Spent } from './queries.ts'
import { spendScript } from './spend.lua.ts'

export type Spender = {
  orgId: string
  keyId: string
  /** What the caller knows of the organization; undefined when it knows nothing yet. */
  epoch: string | undefined
  requestsPerSecond: number | null
  limits: Readonly<Record<string, number | null>>
  period: Period
}

export type FinalVerdict =
  | { kind: 'ok'; callsUsed: number }
  | { kind: 'rate'; waitMs: number; callsUsed: number }
  | { kind: 'quota'; budget: Budget; callsUsed: number }

export type Verdict =
  | FinalVerdict
  /** The caller's knowledge is older than `epoch`: read again and ask again. */
  | { kind: 'stale'; epoch: string }
  | { kind: 'no_redis' }

export type Meter = {
  spend(spender: Spender, budget: Budget | undefined): Promise<Verdict>
  /** The same decision from a local bucket and Postgres' counts. */
  spendWithoutRedis(spender: Spender, budget: Budget | undefined): Promise<FinalVerdict>
  /** Gives back a budget unit whose request was refused further on. */
  refund(spender: Spender, budget: Budget): void
  /** Writes back what was spent since the last time. */
  flush(): Promise<void>
}

const seedTries = 3

export function openMeter(app: App): Meter {
  const script = defineScript(app.redis, 'spend', spendScript)
  const uncounted = new Map<string, Set<string>>()
  const buckets = localBuckets()
  let spent = new Map<string, Spent>()

  const record = (spender: Spender, budget: Budget, used: number) =>
    add({ org_id: spender.orgId, period_start: spender.period.start, metric: budget, used })

  function add(more: Spent) {
    const key = spentKey(more.org_id, more.metric, more.period_start)
    const entry = spent.get(key)
    if (entry) entry.used += more.used
    else spent.set(key, { ...more })
  }

  /** What this process has yet to write back. */
  const pending = ({ orgId, period }: Spender, budget: Budget) =>
    spent.get(spentKey(orgId, budget, period.start))?.used ?? 0

  function recordAll(spender: Spender, budget: Budget | undefined) {
    record(spender, 'api_calls', 1)
    if (budget && isWrittenBack(budget)) record(spender, budget, 1)
  }

  async function seed(spender: Spender, budget: Budget | undefined) {
    for (const name of ['api_calls', budget] as const) {
      if (!name) continue
      const used = (await usedSoFar(app, spender.orgId, name, spender.period.start)) + pending(spender, name)
      await app.redis.set(counterKey(app, spender.orgId, name, spender.period.start), used, 'PX', periodMs, 'NX')
    }
  }

  /** What is spent now Redis will not know: its counters are no good when it comes back. */
  function noteUncounted({ orgId, period }: Spender, budget: Budget | undefined) {
    const keys = uncounted.get(orgId) ?? new Set()
    uncounted.set(orgId, keys.add(counterKey(app, orgId, 'api_calls', period.start)))
    if (budget) keys.add(counterKey(app, orgId, budget, period.start))
  }

  /** So that they are counted anew from Postgres. */
  async function forgetUncounted(orgId: string) {
    const keys = uncounted.get(orgId)
    if (!keys) return
    await app.redis.del(...keys)
    uncounted.delete(orgId)
  }

  async function ask(
    spender: Spender,
    budget: Budget | undefined,
  ): Promise<[verdict: string, epoch: string, callsUsed: number, waitMs: number]> {
    const { orgId, period, limits } = spender
    const keys = [
      epochKey(app, orgId),
      `${app.config.redisPrefix}:{${orgId}}:bucket:${spender.keyId}`,
      counterKey(app, orgId, 'api_calls', period.start),
    ]
    if (budget) keys.push(counterKey(app, orgId, budget, period.start))
    const answer = await script(keys, [
      app.clock.now().getTime(),
      spender.epoch ?? '',
      spender.requestsPerSecond ?? 0,
      limits.api_calls ?? -1,
      (budget && limits[budget]) ?? -1,
    ])
    return answer as [string, string, number, number]
  }

  async function spend(spender: Spender, budget: Budget | undefined): Promise<Verdict> {
    if (app.redis.status !== 'ready') return { kind: 'no_redis' }
    try {
      await forgetUncounted(spender.orgId)
      for (let tries = 1; tries <= seedTries; tries++) {
        const [verdict, epoch, callsUsed, waitMs] = await ask(spender, budget)
        if (verdict === 'epoch') return { kind: 'stale', epoch }
        if (verdict === 'rate') return { kind: 'rate', waitMs, callsUsed }
        if (verdict === 'calls') return { kind: 'quota', budget: 'api_calls', callsUsed }
        if (verdict === 'budget') {
          record(spender, 'api_calls', 1)
          return { kind: 'quota', budget: budget!, callsUsed }
        }
        if (verdict === 'ok') {
          recordAll(spender, budget)
          return { kind: 'ok', callsUsed }
        }
        await seed(spender, budget)
      }
      return { kind: 'no_redis' }
    } catch (error) {
      app.log.debug({ error: (error as Error).message }, 'the gate goes on without redis')
      return { kind: 'no_redis' }
    }
  }

  return {
    spend,
    async spendWithoutRedis(spender, budget) {
      const { orgId, limits, period } = spender
      noteUncounted(spender, budget)
      const callsUsed = (await usedSoFar(app, orgId, 'api_calls', period.start)) + pending(spender, 'api_calls')
      const waitMs = buckets.take(spender.keyId, spender.requestsPerSecond, app.clock.now())
      if (waitMs > 0) return { kind: 'rate', waitMs, callsUsed }
      if (limits.api_calls != null && callsUsed >= limits.api_calls) {
        return { kind: 'quota', budget: 'api_calls', callsUsed }
      }
      const limit = budget && limits[budget]
      if (budget && limit != null) {
        const used = (await usedSoFar(app, orgId, budget, period.start)) + pending(spender, budget)
        if (used >= limit) {
          record(spender, 'api_calls', 1)
          return { kind: 'quota', budget, callsUsed: callsUsed + 1 }
        }
      }
      recordAll(spender, budget)
      return { kind: 'ok', callsUsed: callsUsed + 1 }
    },
    refund(spender, budget) {
      if (isWrittenBack(budget)) record(spender, budget, -1)
      void giveBudget(app, spender.orgId, budget, spender.period)
    },
    async flush() {
      const batch = [...spent.values()].filter((entry) => entry.used > 0)
      // More given back than taken: what was taken is already written, so it waits for the next taking.
      spent = new Map([...spent].filter(([, entry]) => entry.used < 0))
      if (batch.length === 0) return
      try {
        await addSpent(app.sql, batch)
      } catch (error) {
        for (const entry of batch) add(entry)
        throw error
      }
    },
  }
}

const spentKey = (orgId: string, metric: string, periodStart: Date) => `${orgId} ${metric} ${periodStart.getTime()}`

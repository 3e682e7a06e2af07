// The meter of one API process: one Redis call per request decides rate and quotas. Without Redis it decides from a
// local bucket and from Postgres, so that the API keeps answering.
import type { App } from '../app.ts'
import { openTurns } from '../changes/turns.ts'
import { type Period, periodMs } from '../plans/period.ts'
import type { Limits } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { defineScript } from '../stores/redis.ts'
import { type Budget, counterKey, isWrittenBack } from './budget.ts'
import { epochKey } from './epoch.ts'
import { ledgerOf } from './ledger.ts'
import { localBuckets, openReservations } from './local.ts'
import { spendScript } from './spend.lua.ts'
import { giveBudget, usedNow, usedSoFar } from './spending.ts'

export type Spender = {
  orgId: Uuid
  /** Whose requests per second these are: the id of a key, or of the organization for all its sessions together. */
  bucket: string
  /** What the caller knows of the organization: undefined is nothing yet, `read` that it was read for this request. */
  epoch: string | undefined
  requestsPerSecond: number | null
  limits: Limits
  period: Period
}

export type FinalVerdict =
  /** `release`: to be called once the request is answered. */
  | { kind: 'ok'; callsUsed: number; release?: () => void }
  | { kind: 'rate'; waitMs: number; callsUsed: number }
  | { kind: 'quota'; budget: Budget; callsUsed: number }

type Verdict =
  | FinalVerdict
  /** The caller's knowledge is older than `epoch`: read again and ask again. */
  | { kind: 'stale'; epoch: string }
  | { kind: 'no_redis' }

export type Meter = {
  spend(spender: Spender, budget: Budget | undefined): Promise<Verdict>
  /** The same decision from a local bucket and Postgres' counts. */
  spendWithoutRedis(spender: Spender, budget: Budget | undefined): Promise<FinalVerdict>
  /** How many API calls the period has seen so far, without spending one. */
  callsUsed(orgId: Uuid, period: Period): Promise<number>
  /** Gives back a budget unit whose request was refused further on. */
  refund(spender: Spender, budget: Budget): void
  /** Writes back what was spent since the last time. */
  flush(): Promise<void>
}

const seedTries = 3
const inTurn = openTurns()

export function openMeter(app: App): Meter {
  const script = defineScript(app.redis, 'spend', spendScript)
  const uncounted = new Map<string, Set<string>>()
  const buckets = localBuckets()
  const ledger = ledgerOf(app)

  const record = ({ orgId, period }: Spender, budget: Budget, units: number) =>
    ledger.record(orgId, period.start, budget, units)

  function recordAll(spender: Spender, budget: Budget | undefined) {
    record(spender, 'api_calls', 1)
    if (budget && isWrittenBack(budget)) record(spender, budget, 1)
  }

  async function seed(spender: Spender, budget: Budget | undefined) {
    for (const name of ['api_calls', budget] as const) {
      if (!name) continue
      const used = await usedSoFar(app, spender.orgId, name, spender.period.start)
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
  async function forgetUncounted(orgId: Uuid) {
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
      `${app.config.redisPrefix}:{${orgId}}:bucket:${spender.bucket}`,
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

  const held = openReservations()

  /** Requests of one organization come one after the other, so that each sees what the one before it took. */
  async function decideWithoutRedis(spender: Spender, budget: Budget | undefined): Promise<FinalVerdict> {
    const { orgId, limits, period } = spender
    const limit = budget && limits[budget]
    // Asked for before counting: what is stored and answered meanwhile counts twice rather than not at all.
    const underWay = budget ? held.count(orgId, budget) : 0
    const used = budget && limit != null ? (await usedSoFar(app, orgId, budget, period.start)) + underWay : 0
    const callsUsed = await usedSoFar(app, orgId, 'api_calls', period.start)
    const waitMs = buckets.take(spender.bucket, spender.requestsPerSecond, app.clock.now())
    if (waitMs > 0) return { kind: 'rate', waitMs, callsUsed }
    if (limits.api_calls != null && callsUsed >= limits.api_calls) {
      return { kind: 'quota', budget: 'api_calls', callsUsed }
    }
    if (budget && limit != null && used >= limit) {
      record(spender, 'api_calls', 1)
      return { kind: 'quota', budget, callsUsed: callsUsed + 1 }
    }
    recordAll(spender, budget)
    const release = budget && !isWrittenBack(budget) ? held.take(orgId, budget) : undefined
    return { kind: 'ok', callsUsed: callsUsed + 1, release }
  }

  return {
    spend,
    spendWithoutRedis(spender, budget) {
      noteUncounted(spender, budget)
      return inTurn(spender.orgId, () => decideWithoutRedis(spender, budget))
    },
    callsUsed: (orgId, period) => usedNow(app, orgId, 'api_calls', period.start),
    refund(spender, budget) {
      if (isWrittenBack(budget)) record(spender, budget, -1)
      void giveBudget(app, spender.orgId, budget, spender.period)
    },
    flush: () => ledger.flush(),
  }
}

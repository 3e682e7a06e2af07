// The meter without Redis: it decides from a local bucket and from Postgres, so that the API keeps answering.
import type { App } from '../app.ts'
import { openTurns } from '../commit/turns.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Budget, type Counters, isWrittenBack } from './budget.ts'
import { counterField, gateHashOf } from './gateHash.ts'
import { ledgerOf } from './ledger.ts'
import { localBuckets, openReservations } from './localLimits.ts'
import type { FinalVerdict, Manner, Spender } from './spender.ts'
import { usedSoFar } from './spending.ts'

/** `release`: when the request is over, and Postgres counts the unit or it was not needed. */
export type TakenBudget = { isTaken: boolean; release?: (() => void) | undefined }

type LocalMeter = {
  spend(spender: Spender, budget: Budget | undefined, manner: Manner): Promise<FinalVerdict>
  /** One unit for a call that was spent without it. */
  spendBudget(spender: Spender, budget: Budget): Promise<TakenBudget>
  /**
   * Deletes the counters in Redis that lack this process's spending, so that they are counted again from Postgres; undefined
   * without any.
   */
  forgetUncounted(orgId: Uuid): Promise<void> | undefined
}

export function openLocalMeter(app: App, counters: Counters): LocalMeter {
  const inTurn = openTurns()
  const buckets = localBuckets()
  const reservations = openReservations()
  /** By organization: the counters in Redis that lack this process's spending. */
  const uncounted = new Map<Uuid, Set<string>>()

  function noteUncounted({ orgId, period }: Spender, spent: readonly (Budget | undefined)[]) {
    const fields = spent.flatMap((budget) => (budget ? [counterField({ budget, period })] : []))
    if (fields.length > 0) uncounted.set(orgId, new Set([...(uncounted.get(orgId) ?? []), ...fields]))
  }

  /** Undefined without a limit. Reservations are read first: a unit may count twice, but is never missed. */
  async function leftOf({ orgId, limits, period }: Spender, budget: Budget | undefined): Promise<number | undefined> {
    const limit = budget && limits[budget]
    if (limit == null) return undefined
    const reserved = reservations.count(orgId, budget!)
    return limit - (await usedSoFar(app, counters, { orgId, budget: budget!, period })) - reserved
  }

  async function decideSpending(
    spender: Spender,
    budget: Budget | undefined,
    { isFree, isDry }: Manner,
  ): Promise<FinalVerdict> {
    const { orgId, limits, period } = spender
    const left = await leftOf(spender, budget)
    const callsUsed = await usedSoFar(app, counters, { orgId, budget: 'api_calls', period })
    const waitMs = buckets.take(spender.bucket, spender.requestsPerSecond, app.clock.now(), spender.burst)
    if (waitMs > 0) return { kind: 'rate', waitMs, callsUsed }
    if (!isFree) {
      if (limits.api_calls != null && callsUsed >= limits.api_calls) {
        return { kind: 'quota', budget: 'api_calls', callsUsed }
      }
      recordUnit(app, spender, 'api_calls')
    }
    const usedThen = isFree ? callsUsed : callsUsed + 1
    if (budget && left !== undefined && left <= 0) return { kind: 'quota', budget, callsUsed: usedThen }
    return { kind: 'ok', callsUsed: usedThen, ...(!isDry && { release: reserve(orgId, budget, spender) }) }
  }

  function reserve(orgId: Uuid, budget: Budget | undefined, spender: Spender): (() => void) | undefined {
    if (!budget) return undefined
    if (!isWrittenBack(budget)) return reservations.take(orgId, budget)
    recordUnit(app, spender, budget)
    return undefined
  }

  return {
    spend(spender, budget, manner) {
      noteUncounted(spender, [manner.isFree ? undefined : 'api_calls', manner.isDry ? undefined : budget])
      // Requests of one organization follow each other, so that each sees the units that the one before it took.
      return inTurn(spender.orgId, () => decideSpending(spender, budget, manner))
    },
    spendBudget(spender, budget) {
      noteUncounted(spender, ['api_calls', budget])
      return inTurn(spender.orgId, async () => {
        const left = await leftOf(spender, budget)
        const isTaken = left === undefined || left > 0
        return { isTaken, release: isTaken ? reserve(spender.orgId, budget, spender) : undefined }
      })
    },
    forgetUncounted(orgId) {
      const fields = uncounted.get(orgId)
      if (!fields) return undefined
      return gateHashOf(app)
        .forget(orgId, fields)
        .then(() => void uncounted.delete(orgId))
    },
  }
}

const recordUnit = (app: App, { orgId, period }: Spender, budget: Budget) =>
  ledgerOf(app).record(orgId, period.start, budget, 1)

// What this process spent of the budgets that no table counts, until it is written back.
import type { App } from '../app.ts'
import { periodMs } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isUndone } from '../stores/failures.ts'
import type { Budget } from './budget.ts'
import { addSpent, type Spent, usedCounter } from './queries.ts'

type Ledger = {
  /** `units` below zero gives back. */
  record(orgId: Uuid, periodStart: Date, budget: Budget, units: number): void
  /** What Postgres does not know of yet. */
  pending(orgId: Uuid, periodStart: Date, budget: Budget): number
  /** Postgres' count and what is pending, seen while no write is under way: a unit is in one of the two, never in both. */
  total(orgId: Uuid, periodStart: Date, budget: Budget): Promise<number>
  /** Rejects with what Postgres does not take: it is kept. What may have been written is not written again. */
  flush(): Promise<void>
}

export const ledgerOf = (app: App) => app.memory(openLedger)

function openLedger(app: App): Ledger {
  let spent = new Map<string, Spent>()
  let writing: Promise<void> = Promise.resolve()
  let writes = 0

  function add(more: Spent) {
    const key = spentKey(more.org_id, more.metric, more.period_start)
    const entry = spent.get(key)
    if (entry) entry.used += more.used
    else spent.set(key, { ...more })
  }

  const isOver = ({ period_start }: Spent) => period_start.getTime() + periodMs <= app.clock.now().getTime()

  async function write() {
    writes++
    const batch = [...spent.values()].filter((entry) => entry.used > 0)
    // More given back than taken: what was taken is already written, so it waits for the next taking of its period.
    spent = new Map([...spent].filter(([, entry]) => entry.used < 0 && !isOver(entry)))
    if (batch.length === 0) return
    try {
      await addSpent(app.sql, batch)
    } catch (error) {
      if (!isUndone(error)) {
        app.log.warn({ err: error, counters: batch.length }, 'usage may be lost: nobody told whether it was written')
        return
      }
      for (const entry of batch) add(entry)
      throw error
    }
  }

  const pending: Ledger['pending'] = (orgId, periodStart, budget) =>
    spent.get(spentKey(orgId, budget, periodStart))?.used ?? 0

  return {
    record: (orgId, periodStart, budget, units) =>
      add({ org_id: orgId, period_start: periodStart, metric: budget, used: units }),
    pending,
    async total(orgId, periodStart, budget) {
      for (;;) {
        await writing.catch(() => undefined)
        const before = writes
        const [row] = await usedCounter(app.sql, orgId, periodStart, budget)
        if (writes === before) return Number(row?.used ?? 0) + pending(orgId, periodStart, budget)
      }
    },
    flush() {
      writing = writing.catch(() => undefined).then(write)
      return writing
    },
  }
}

const spentKey = (orgId: Uuid, metric: string, periodStart: Date) => `${orgId} ${metric} ${periodStart.getTime()}`

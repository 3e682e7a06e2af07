// The spending of this process from budgets that are not counted from rows, until it is written back.
import type { App } from '../app.ts'
import { periodMs } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
import { isUndone } from '../stores/failures.ts'
import type { Budget } from './budget.ts'
import { usedCounter } from './queries.ts'
import { addSpent, type Spent } from './writes.ts'

type Ledger = {
  /** Negative `units` give back. */
  record(orgId: Uuid, periodStart: Date, budget: Budget, units: number): void
  /** Spending that is not written back yet. */
  pending(orgId: Uuid, periodStart: Date, budget: Budget): number
  /** The sum of Postgres and the pending spending. Read while no write is in progress, so that no unit counts twice. */
  total(orgId: Uuid, periodStart: Date, budget: Budget): Promise<number>
  /** Writes back. Rejects if Postgres refuses, and keeps the units. If the outcome is unknown, they are not written again. */
  flush(): Promise<void>
}

export const ledgerOf = (app: App) => app.memory(openLedger)

function openLedger(app: App): Ledger {
  let spent = new Map<string, Spent>()
  let writing: Promise<void> = Promise.resolve()
  let writes = 0

  function add(more: Spent) {
    const key = spentKey(more.orgId, more.metric, more.periodStart)
    const entry = spent.get(key)
    if (entry) entry.used += more.used
    else spent.set(key, { ...more })
  }

  const isOver = ({ periodStart }: Spent) => periodStart.getTime() + periodMs <= app.clock.now().getTime()

  async function write() {
    writes++
    const batch = [...spent.values()].filter((entry) => entry.used > 0)
    // More was given back than taken since the last write: this waits until more of its period is taken.
    spent = new Map([...spent].filter(([, entry]) => entry.used < 0 && !isOver(entry)))
    if (batch.length === 0) return
    try {
      await addSpent(app.sql, batch)
    } catch (error) {
      if (!isUndone(error)) {
        app.log.warn({ err: error, counters: batch.length }, 'usage may be lost: the outcome of the write is unknown')
        return
      }
      for (const entry of batch) add(entry)
      throw error
    }
  }

  const pending: Ledger['pending'] = (orgId, periodStart, budget) =>
    spent.get(spentKey(orgId, budget, periodStart))?.used ?? 0

  return {
    record: (orgId, periodStart, budget, units) => add({ orgId, periodStart, metric: budget, used: units }),
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

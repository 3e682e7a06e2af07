// What the sweeper and upkeep need to know of deliveries.
import type { App } from '../app.ts'
import { type Wakeup, wakeDelivery } from '../jobs.ts'
import { dueDeliveries, purgeDeliveries } from './queries.ts'

const mostAtOnce = 1_000

export async function deliveryWakeups(
  app: App,
  from: Date | undefined,
  until: Date,
  rescuedAt?: Date,
): Promise<Wakeup[]> {
  const rows = await dueDeliveries(app.sql, from, until, mostAtOnce)
  return rows.map((row) => wakeDelivery(row, rescuedAt))
}

const keptMs = 30 * 24 * 60 * 60 * 1000
const purgeBlock = 2_000

/** Drops records older than 30 days, in short statements. */
export async function purgeOldDeliveries(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  for (;;) {
    const [block] = await purgeDeliveries(app.sql, before, purgeBlock)
    if ((block?.purged ?? 0) < purgeBlock) return
  }
}

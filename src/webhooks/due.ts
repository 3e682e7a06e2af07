// What the sweeper and upkeep need to know of deliveries.
import type { App } from '../app.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { type Coming, comingBy } from '../sweeps/sweeps.ts'
import { type Wakeup, wakeDeliveries, wakeDelivery } from '../wakeups/jobs.ts'
import { deliveriesBetween, dueDeliveries } from './queries.ts'
import { purgeDeliveries } from './writes.ts'

const maxAtOnce = 1_000

export const deliveryWakeups = async (app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]> =>
  wakeDeliveries(await dueDeliveries(app.sql, until, maxAtOnce), rescuedAt)

export const comingDeliveries = (app: App, from: Date, until: Date): Promise<Coming> =>
  comingBy(until, maxAtOnce, async (end, most) =>
    (await deliveriesBetween(app.sql, from, end, most)).map((row) => wakeDelivery(row)),
  )

const keptMs = 30 * 24 * 60 * 60 * 1000
const purgeBlock = 2_000

/** Drops records older than 30 days, in short statements. */
export async function purgeOldDeliveries(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  for (;;) {
    const [block] = await repeatOnDeadlock(() => purgeDeliveries(app.sql, before, purgeBlock))
    if ((block?.purged ?? 0) < purgeBlock) return
  }
}

// The deliveries that are due, and those that are old enough to be removed.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeDeliveries, wakeDelivery } from '../wakeups/jobs.ts'
import { deliveriesBetween, dueDeliveries } from './queries.ts'
import { purgeDeliveries } from './writes.ts'

const maxAtOnce = 1_000

export const deliveriesDue: Source = {
  name: 'deliveries',
  queue: 'deliveries',
  async due(app, until, rescuedAt) {
    return wakeDeliveries(await dueDeliveries(app.sql, until, maxAtOnce), rescuedAt)
  },
  coming(app, from, until) {
    return earliestComing(until, maxAtOnce, async (end, max) =>
      (await deliveriesBetween(app.sql, from, end, max)).map((row) => wakeDelivery(row)),
    )
  },
}

const keptMs = 30 * dayMs
const purgeBlock = 2_000

/** Removes deliveries older than 30 days, in short statements. */
export async function purgeOldDeliveries(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  for (;;) {
    const [block] = await repeatOnDeadlock(() => purgeDeliveries(app.sql, before, purgeBlock))
    if ((block?.purged ?? 0) < purgeBlock) return
  }
}

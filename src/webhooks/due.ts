// The subscriptions with due deliveries, and the deliveries that are old enough to be removed.

import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeLane } from '../wakeups/lanes.ts'
import { dueLanes, lanesBetween } from './queries.ts'
import { purgeDeliveries } from './writes.ts'

const maxAtOnce = 1_000

export const deliveriesDue: Source = {
  name: 'deliveries',
  queue: 'deliveries',
  earliest: (sql) => sql`select min(next_retry_at) from webhook_deliveries where status = 'pending'`,
  async due(app, until, rescuedAt) {
    const lanes = await dueLanes(app.sql, until, maxAtOnce)
    return lanes.map((lane) => wakeLane(lane, lane.dueAt, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await lanesBetween(app.sql, after, end, max)).map((lane) => wakeLane(lane, new Date(lane.second * 1000))),
    )
  },
}

const keptMs = 30 * dayMs

/** Removes deliveries older than 30 days, in short statements. */
export async function purgeOldDeliveries(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  await inBlocks(2_000, async (max) => {
    const [block] = await purgeDeliveries(app.sql, before, max)
    return { count: block?.purged ?? 0 }
  })
}

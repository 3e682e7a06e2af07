// The subscriptions with due deliveries.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeLane } from '../wakeups/lanes.ts'
import { dueLanes, lanesBetween } from './queries.ts'

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

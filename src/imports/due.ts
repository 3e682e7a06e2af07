// The subscriptions that are due to sync.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeSync } from '../wakeups/jobs.ts'
import { dueSubscriptions } from './queries.ts'

const maxAtOnce = 5_000

export const syncsDue: Source = {
  name: 'ical',
  queue: 'ical',
  earliest: (sql) => sql`select min(next_sync_at) from ical_subscriptions`,
  async due(app, until, rescuedAt) {
    return (await dueSubscriptions(app.sql, undefined, until, maxAtOnce)).map((row) => wakeSync(row, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await dueSubscriptions(app.sql, after, end, max)).map((row) => wakeSync(row)),
    )
  },
}

// The subscriptions that are due to sync.
import { sourceOfRows } from '../sweeps/source.ts'
import { wakeSync } from '../wakeups/jobs.ts'
import { dueSubscriptions } from './queries.ts'

export const syncsDue = sourceOfRows({
  name: 'ical',
  queue: 'ical',
  earliest: (sql) => sql`select min(next_sync_at) from ical_subscriptions`,
  max: 5_000,
  find: ({ sql }, ...of) => dueSubscriptions(sql, ...of),
  wake: wakeSync,
})

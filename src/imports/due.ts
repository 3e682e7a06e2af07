// The subscriptions that are due to sync.
import { sourceOfRows } from '../sweeps/source.ts'
import { dueSubscriptions } from './queries.ts'

export const syncsDue = sourceOfRows({
  name: 'ical',
  job: 'sync',
  earliest: (sql) => sql`select min(next_sync_at) from ical_subscriptions`,
  max: 5_000,
  find: ({ sql }, ...of) => dueSubscriptions(sql, ...of),
})

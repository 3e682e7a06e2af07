// The deleted organizations whose rows are still to be removed.
import { sourceOfRows } from '../sweeps/source.ts'
import { wakeErasure } from '../wakeups/jobs.ts'
import { dueErasures } from './queries.ts'

export const erasuresDue = sourceOfRows({
  name: 'erasures',
  queue: 'upkeep',
  earliest: (sql) => sql`select min(next_run_at) from erasures`,
  max: 100,
  find: ({ sql }, ...of) => dueErasures(sql, ...of),
  wake: ({ orgId, nextRunAt }, rescuedAt) => wakeErasure(orgId, nextRunAt, rescuedAt),
})

// The deleted organizations whose rows are still to be removed.
import { sourceOfRows } from '../sweeps/source.ts'
import { dueErasures } from './queries.ts'

export const erasuresDue = sourceOfRows({
  name: 'erasures',
  job: 'erase',
  earliest: (sql) => sql`select min(next_run_at) from erasures`,
  max: 100,
  find: ({ sql }, ...of) => dueErasures(sql, ...of),
})

// The destinations that have something due: copies to write, events to go through, or an end.
import { sourceOfRows } from '../sweeps/source.ts'
import { dueDestinations } from './leaseQueries.ts'

export const publicationsDue = sourceOfRows({
  name: 'publications',
  job: 'publish',
  /** At the earliest: what its provider holds back is due later. */
  earliest: (sql) => sql`
    select least(
      (select min(next_attempt_at) from publications), (select min(next_step_at) from external_destinations))`,
  max: 2_000,
  find: ({ sql }, ...of) => dueDestinations(sql, ...of),
})

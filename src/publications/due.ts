// The destinations that have something due: copies to write, events to go through, or an end.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakePublish } from '../wakeups/jobs.ts'
import { dueDestinations } from './laneQueries.ts'

const maxAtOnce = 2_000

export const publicationsDue: Source = {
  name: 'publications',
  queue: 'publishing',
  /** At the earliest: what its provider holds back is due later. */
  earliest: (sql) => sql`
    select least(
      (select min(next_attempt_at) from publications), (select min(next_step_at) from external_destinations))`,
  async due(app, until) {
    return (await dueDestinations(app.sql, undefined, until, maxAtOnce)).map((row) => wakePublish(row, row.dueAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await dueDestinations(app.sql, after, end, max)).map((row) => wakePublish(row, row.dueAt)),
    )
  },
}

// The destinations that have something due: copies to write, events to go through, or an end.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakePublish } from '../wakeups/jobs.ts'
import { dueDestinations } from './laneQueries.ts'

const maxAtOnce = 2_000

export const publicationsDue: Source = {
  name: 'publications',
  queue: 'publishing',
  async due(app, until) {
    return (await dueDestinations(app.sql, undefined, until, maxAtOnce)).map((row) => wakePublish(row, row.dueAt))
  },
  coming(app, from, until) {
    return earliestComing(until, maxAtOnce, async (end, max) =>
      (await dueDestinations(app.sql, from, end, max)).map((row) => wakePublish(row, row.dueAt)),
    )
  },
}

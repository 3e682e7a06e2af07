// The connections that are due to be read, and those that need their human.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeAttention, wakeRead } from '../wakeups/jobs.ts'
import { dueAttention, dueReads } from './readQueries.ts'

const maxAtOnce = 5_000

export const readsDue: Source = {
  name: 'connections',
  queue: 'connections',
  async due(app, until, rescuedAt) {
    return (await dueReads(app.sql, undefined, until, maxAtOnce)).map((row) => wakeRead(row, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(until, maxAtOnce, async (end, max) =>
      (await dueReads(app.sql, from, end, max)).map((row) => wakeRead(row)),
    )
  },
}

export const attentionDue: Source = {
  name: 'connection_attention',
  queue: 'connections',
  async due(app, until, rescuedAt) {
    return (await dueAttention(app.sql, undefined, until, maxAtOnce)).map((row) => wakeAttention(row, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(until, maxAtOnce, async (end, max) =>
      (await dueAttention(app.sql, from, end, max)).map((row) => wakeAttention(row)),
    )
  },
}

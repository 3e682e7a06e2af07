// The deleted organizations whose rows are still to be removed.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeErasure } from '../wakeups/jobs.ts'
import { dueErasures } from './queries.ts'

const maxAtOnce = 100

export const erasuresDue: Source = {
  name: 'erasures',
  queue: 'upkeep',
  earliest: (sql) => sql`select min(next_run_at) from erasures`,
  async due(app, until, rescuedAt) {
    const rows = await dueErasures(app.sql, undefined, until, maxAtOnce)
    return rows.map((row) => wakeErasure(row.orgId, row.nextRunAt, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await dueErasures(app.sql, after, end, max)).map((row) => wakeErasure(row.orgId, row.nextRunAt)),
    )
  },
}

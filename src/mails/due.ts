// The mails that are due.
import { earliestComing, type Source } from '../sweeps/source.ts'
import { wakeMail } from '../wakeups/jobs.ts'
import { dueMails } from './queries.ts'

const maxAtOnce = 500

export const mailsDue: Source = {
  name: 'mails',
  queue: 'mail',
  earliest: (sql) => sql`select min(next_attempt_at) from mails`,
  async due(app, until, rescuedAt) {
    return (await dueMails(app.sql, undefined, until, maxAtOnce)).map((row) => wakeMail(row, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await dueMails(app.sql, after, end, max)).map((row) => wakeMail(row)),
    )
  },
}

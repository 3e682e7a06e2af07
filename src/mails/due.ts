// The mails that are due.
import { sourceOfRows } from '../sweeps/source.ts'
import { dueMails } from './queries.ts'

export const mailsDue = sourceOfRows({
  name: 'mails',
  job: 'mail',
  earliest: (sql) => sql`select min(next_attempt_at) from mails`,
  max: 500,
  find: ({ sql }, ...of) => dueMails(sql, ...of),
})

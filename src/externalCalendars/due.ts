// The connections that are due to be read, those that need their human, those whose channels are due, and the due revocations.

import { dueRevocations } from '../connections/revocationWrites.ts'
import { sourceOfRows } from '../sweeps/source.ts'
import { dueReads, dueReauthorizationReminders, dueWatches } from './readQueries.ts'

const max = 5_000

export const readsDue = sourceOfRows({
  name: 'connections',
  job: 'read',
  earliest: (sql) => sql`select min(next_read_at) from calendar_connections`,
  max,
  find: ({ sql }, ...of) => dueReads(sql, ...of),
})

export const remindersDue = sourceOfRows({
  name: 'connection_attention',
  job: 'attend',
  earliest: (sql) => sql`select min(attention_at) from calendar_connections`,
  max,
  find: ({ sql }, ...of) => dueReauthorizationReminders(sql, ...of),
})

export const watchesDue = sourceOfRows({
  name: 'connection_channels',
  job: 'watch',
  earliest: (sql) => sql`select min(next_watch_at) from calendar_connections where status = 'active'`,
  max,
  find: ({ sql }, ...of) => dueWatches(sql, ...of),
})

export const revocationsDue = sourceOfRows({
  name: 'connection_revocations',
  job: 'revoke',
  earliest: (sql) => sql`select min(next_run_at) from connection_revocations`,
  max,
  find: ({ sql }, ...of) => dueRevocations(sql, ...of),
})

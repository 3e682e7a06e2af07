// The connections that are due to be read, those that need their human, those whose channels are due, and what is to be revoked.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { earliestComing, type Source } from '../sweeps/source.ts'
import { type PoolName, type Wakeup, wakeAttention, wakeRead, wakeRevoke, wakeWatch } from '../wakeups/jobs.ts'
import { dueAttention, dueReads, dueWatches } from './readQueries.ts'
import { dueRevocations } from './revocationWrites.ts'

const maxAtOnce = 5_000

type Row = { orgId: Uuid; id: Uuid; dueAt: Date }
type Find = (app: App, from: Date | undefined, until: Date, max?: number) => PromiseLike<Row[]>

type Wake = (row: Row, rescuedAt?: Date) => Wakeup

const source = (name: string, queue: PoolName, earliest: (sql: Sql) => Fragment, find: Find, wake: Wake): Source => ({
  ...{ name, queue, earliest },
  async due(app, until, rescuedAt) {
    return (await find(app, undefined, until, maxAtOnce)).map((row) => wake(row, rescuedAt))
  },
  coming(app, from, until) {
    return earliestComing(app, from, until, maxAtOnce, async (after, end, max) =>
      (await find(app, after, end, max)).map((row) => wake(row)),
    )
  },
})

export const readsDue = source(
  'connections',
  'connections',
  (sql) => sql`select min(next_read_at) from calendar_connections`,
  ({ sql }, ...of) => dueReads(sql, ...of),
  wakeRead,
)
export const attentionDue = source(
  'connection_attention',
  'connections',
  (sql) => sql`select min(attention_at) from calendar_connections`,
  ({ sql }, ...of) => dueAttention(sql, ...of),
  wakeAttention,
)
export const watchesDue = source(
  'connection_channels',
  'connections',
  (sql) => sql`select min(next_watch_at) from calendar_connections where status = 'active'`,
  ({ sql }, ...of) => dueWatches(sql, ...of),
  wakeWatch,
)
export const revocationsDue = source(
  'connection_revocations',
  'upkeep',
  (sql) => sql`select min(next_run_at) from connection_revocations`,
  ({ sql }, ...of) => dueRevocations(sql, ...of),
  wakeRevoke,
)

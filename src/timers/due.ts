// Which wake-ups the due timers need.
import type { App } from '../app.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { Source } from '../sweeps/source.ts'
import { wakeTimers } from '../wakeups/jobs.ts'
import { type DueTimer, shardCount } from './timers.ts'

export const timersDue: Source = {
  name: 'timers',
  queue: 'timers',
  /** One wake-up per shard that has anything due. */
  async due(app, until, rescuedAt) {
    return (await overdueShards(app, until)).map(({ shard, second }) => wakeTimers(shard, second, rescuedAt))
  },
  /** One wake-up per second and shard: however many timers, there are few of them. */
  async coming(app, from, until) {
    const rows = await secondsBetween(app, from, until)
    return { wakeups: rows.map(({ shard, second }) => wakeTimers(shard, second)), until }
  },
}

type SecondRow = { shard: number; second: number }

const secondsBetween = ({ sql }: App, from: Date, until: Date) => sql<SecondRow[]>`
  select distinct shard, floor(extract(epoch from due_at))::integer as second
  from timers where due_at > ${from} and due_at <= ${until}`

const overdueShards = ({ sql }: App, until: Date) => sql<SecondRow[]>`
  select shard, ${Math.floor(until.getTime() / 1000)}::integer as second from generate_series(0, ${shardCount - 1}) as shard
  where exists (select from timers t where t.shard = shard.shard and t.due_at <= ${until})`

/** What should have fired by now, the longest overdue first, and how much of it there is. */
export async function overdueTimers({ sql }: App, max: number) {
  const [rows, [count]] = await Promise.all([
    sql<OverdueRow[]>`
      select t.* from generate_series(0, ${shardCount - 1}) as shard, lateral (
        select org_id, subject_id, calendar_id, kind, offset_minutes, due_at,
          extract(epoch from app_now() - due_at)::float8 as overdue_seconds
        from timers where timers.shard = shard.shard and due_at <= app_now() order by due_at limit ${max}) t
      order by t.due_at limit ${max}`,
    sql<{ total: number }[]>`select count(*)::integer as total from timers where due_at <= app_now()`,
  ])
  const data = rows.map((row) => ({
    kind: row.kind,
    org_id: encodeId('org', row.orgId),
    calendar_id: encodeId('cal', row.calendarId),
    subject_id: encodeId(row.kind === 'proposal_expiry' ? 'spr' : 'evt', row.subjectId),
    offset_minutes: row.offsetMinutes,
    due_at: isoTime(row.dueAt),
    overdue_seconds: Math.round(row.overdueSeconds * 1000) / 1000,
  }))
  return { data, total: count?.total ?? 0 }
}

type OverdueRow = Pick<DueTimer, 'orgId' | 'subjectId' | 'calendarId' | 'kind' | 'offsetMinutes' | 'dueAt'> & {
  overdueSeconds: number
}

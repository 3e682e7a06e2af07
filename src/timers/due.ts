// Which wake-ups the due timers need.
import type { App } from '../app.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, type Prefix } from '../shapes/ids.ts'
import { type Source, searchedFrom } from '../sweeps/source.ts'
import { wakeSecond } from './ring.ts'
import type { DueTimer, TimerKind } from './timers.ts'

export const timersDue: Source = {
  name: 'timers',
  queue: 'timers',
  earliest: (sql) => sql`select min(due_at) from timers`,
  /** One wake-up, however much is due. */
  async due(app, until, rescuedAt) {
    const [due] = await firstDue(app, until)
    return due ? [wakeSecond(Math.floor(until.getTime() / 1000), rescuedAt)] : []
  },
  /** One wake-up for each second in which anything is due: however many timers, there are few of them. */
  async coming(app, from, until) {
    const rows = await secondsBetween(app, searchedFrom(app, from), until)
    return { wakeups: rows.map(({ second }) => wakeSecond(second)), until }
  },
}

const firstDue = ({ sql }: App, until: Date) => sql<{ dueAt: Date }[]>`
  select due_at from timers where due_at <= ${until} order by due_at limit 1`

/** From second to second, so that a crowded one costs no more than another. */
const secondsBetween = ({ sql }: App, from: Date, until: Date) => sql<{ second: number }[]>`
  with recursive seconds as (
    select date_trunc('second', min(due_at)) as second
    from timers
    where due_at > ${from} and due_at <= ${until}
    union all
    select (
      select date_trunc('second', min(due_at))
      from timers
      where due_at >= seconds.second + interval '1 second' and due_at <= ${until})
    from seconds
    where seconds.second is not null
  )
  select extract(epoch from second)::integer as second
  from seconds
  where second is not null`

/** Overdue timers, the longest overdue first, and their number. */
export async function overdueTimers({ sql }: App, max: number) {
  const [rows, [count]] = await Promise.all([
    sql<OverdueRow[]>`
      select org_id, subject_id, calendar_id, kind, offset_minutes, due_at,
        extract(epoch from app_now() - due_at)::float8 as overdue_seconds
      from timers
      where due_at <= app_now()
      order by due_at
      limit ${max}`,
    sql<{ total: number }[]>`select count(*)::integer as total from timers where due_at <= app_now()`,
  ])
  const data = rows.map((row) => ({
    kind: row.kind,
    org_id: encodeId('org', row.orgId),
    calendar_id: encodeId('cal', row.calendarId),
    subject_id: encodeId(otherSubjects[row.kind] ?? 'evt', row.subjectId),
    offset_minutes: row.offsetMinutes,
    due_at: isoTime(row.dueAt),
    overdue_seconds: Math.round(row.overdueSeconds * 1000) / 1000,
  }))
  return { data, total: count?.total ?? 0 }
}

/** The subject of a timer, if not an event. */
const otherSubjects: Partial<Record<TimerKind, Prefix>> = { proposal_expiry: 'spr', hold_group_expiry: 'hgr' }

type OverdueRow = Pick<DueTimer, 'orgId' | 'subjectId' | 'calendarId' | 'kind' | 'offsetMinutes' | 'dueAt'> & {
  overdueSeconds: number
}

/** The time to the next moment before `until`, by the database's clock; null: none. */
export const nextDue = ({ sql }: App, until: Date) => sql<{ waitMs: number | null }[]>`
  select (extract(epoch from min(due_at) - app_now()) * 1000)::float8 as wait_ms
  from timers
  where due_at > app_now()
    and due_at < ${until}`

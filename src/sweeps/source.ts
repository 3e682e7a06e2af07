// A noun with due rows, as the sweeper sees it. Every such noun exports one value from its due.ts.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { jobs, type PoolName, type RowJob, type Wakeup, wakeup } from '../wakeups/jobs.ts'

export type Source = {
  /** Also the row of `sweeps`, and a label of the metrics. */
  name: string
  queue: PoolName
  /** When its earliest row may be due: a query of one value, which an index answers. Before that nothing is searched for. */
  earliest(sql: Sql): Fragment
  /**
   * Wake-ups for rows that are due by `until`. Of a large backlog only a part: the rest is found when that is done. `rescuedAt`
   * gives them new ids, because the first ones may be stuck with a dead worker.
   */
  due(app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]>
  /** Wake-ups for rows that come due after `from` and up to `until`. While no row is coming, `from` falls behind the clock. */
  coming(app: App, from: Date, until: Date): Promise<Coming>
}

/** All wake-ups up to `until`, which is earlier than asked for if there are too many for one search. */
type Coming = { wakeups: Wakeup[]; until: Date }

type Row = { orgId: Uuid; id: Uuid; dueAt: Date }

type Rows = Pick<Source, 'name' | 'earliest'> & {
  job: RowJob
  /** How many are searched for at once. */
  max: number
  /** Rows that are due by `until`, the earliest first; rows that come due after `from`, if given. All of them without `max`. */
  find(app: App, from: Date | undefined, until: Date, max?: number): PromiseLike<readonly Row[]>
}

/** The source of rows each of which has a wake-up of its own. */
export function sourceOfRows({ name, job, earliest, max, find }: Rows): Source {
  const wake = ({ orgId, id, dueAt }: Row, rescuedAt?: Date) => wakeup(job, { orgId, id }, dueAt, { rescuedAt })
  return {
    ...{ name, queue: jobs[job].queue, earliest },
    async due(app, until, rescuedAt) {
      return (await find(app, undefined, until, max)).map((row) => wake(row, rescuedAt))
    },
    coming(app, from, until) {
      const wakeups = async (...of: [Date, Date, number?]) => (await find(app, ...of)).map((row) => wake(row))
      return earliestComing(app, from, until, max, wakeups)
    },
  }
}

/** Work that the clock alone makes due: the first whole period without a wake-up yet. */
export const firstPeriod = (source: string, periodMs: number) => (sql: Sql) =>
  sql`
  select date_bin(p.period, rung_until, to_timestamp(0)) + p.period
  from sweeps, (select ${periodMs} * interval '1 millisecond' as period) p
  where source = ${source}`

/** The start of a search for rows: overdue rows are another search. */
export const searchedFrom = ({ clock }: App, from: Date): Date =>
  new Date(Math.max(from.getTime(), clock.now().getTime()))

type Find = (from: Date, until: Date, max?: number) => Promise<Wakeup[]>

/**
 * The first `max` wake-ups due after `from` and after now, and by `until`; plus all others due in the same millisecond (the
 * resolution of `Date`), so that the next call can continue after it without missing a row. `find` returns the earliest first; all
 * of them without `max`.
 */
export async function earliestComing(app: App, from: Date, until: Date, max: number, find: Find): Promise<Coming> {
  const after = searchedFrom(app, from)
  const wakeups = await find(after, until, max)
  const last = wakeups[max - 1]
  if (!last) return { wakeups, until }
  const end = new Date(Math.min(last.dueAt.getTime() + 1, until.getTime()))
  return { wakeups: await find(after, end), until: end }
}

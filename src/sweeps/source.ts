// What has due rows, as the sweeper sees it. Every noun with due rows exports one such value from its due.ts.
import type { App } from '../app.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { PoolName, Wakeup } from '../wakeups/jobs.ts'

export type Source = {
  /** Also the row of `sweeps`, and a label of the metrics. */
  name: string
  queue: PoolName
  /**
   * When its earliest row is due, which an index tells: a query of one value. What is due later than a sweep looks need not be
   * searched for. A source without it is always searched.
   */
  earliest?: (sql: Sql) => Fragment
  /**
   * Wake-ups for what is due by `until`. Of a large backlog only a part: the rest is found when that is done. `rescuedAt`
   * gives them new ids, because the first ones may be stuck with a dead worker.
   */
  due(app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]>
  /** Wake-ups for what comes due after `from` and up to `until`. */
  coming(app: App, from: Date, until: Date): Promise<Coming>
}

/** All wake-ups up to `until`, which is earlier than asked for if there are too many for one search. */
type Coming = { wakeups: Wakeup[]; until: Date }

/**
 * The first `max` wake-ups due by `until`, plus all others due in the same millisecond (the resolution of `Date`), so that
 * the next call can continue after it without missing a row. `find` returns the earliest first; all of them without `max`.
 */
export async function earliestComing(
  until: Date,
  max: number,
  find: (until: Date, max?: number) => Promise<Wakeup[]>,
): Promise<Coming> {
  const wakeups = await find(until, max)
  const last = wakeups[max - 1]
  if (!last) return { wakeups, until }
  const end = new Date(Math.min(last.dueAt.getTime() + 1, until.getTime()))
  return { wakeups: await find(end), until: end }
}

// Changes that meet at a lock: one transaction stays open until the others wait for it.
import type { App } from '../app.ts'

type Sql = App['sql']

/** Until this many statements of the test's database wait for a lock. */
export async function untilWaiting(sql: Sql, count: number, isOver = () => false): Promise<void> {
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
    if (isOver()) throw new Error('nothing waits for the open transaction')
  }
}

/** How many deadlocks Postgres has ended in this database. */
export async function deadlocks(sql: Sql): Promise<number> {
  const [row] = await sql<{ deadlocks: number }[]>`
    select pg_stat_get_db_deadlocks(oid)::integer as deadlocks from pg_database where datname = current_database()`
  return row!.deadlocks
}

type Meeting<T> = {
  /** The statement that the open transaction runs. */
  change: (sql: Sql) => Promise<unknown>
  /** How many statements of `work` wait for it; with 0 `work` skips what is locked, and is done before the commit. */
  waiting?: number
  work: () => Promise<T>
  /** The actions during the wait. */
  meanwhile?: () => Promise<unknown>
}

/** Makes `change` in a transaction, starts `work`, and commits when `work` waits for it. Fails if `work` ends without waiting. */
export async function whileOpen<T>(
  sql: Sql,
  { change, waiting = 1, work, meanwhile = async () => {} }: Meeting<T>,
): Promise<T> {
  const open = await sql.reserve()
  try {
    await open`begin`
    await change(open as unknown as Sql)
    let isOver = false
    const outcome = work().finally(() => {
      isOver = true
    })
    await (waiting === 0 ? outcome : untilWaiting(sql, waiting, () => isOver))
    await meanwhile()
    await open`commit`
    return await outcome
  } catch (error) {
    await open`rollback`
    throw error
  } finally {
    open.release()
  }
}

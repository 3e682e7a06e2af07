// How many timers are due, for the gauges. Counts end at `maxCounted` rows.
import type { App } from '../app.ts'

const maxCounted = 10_000

type TimerBacklog = {
  /** Within the next minute. */
  due: number
  overdue: number
  oldestSeconds: number
}

export async function timerBacklog({ sql }: App): Promise<TimerBacklog> {
  const [row] = await sql<[TimerBacklog]>`
    select
      (select count(*)::integer from (
        select from timers where due_at > app_now() and due_at <= app_now() + interval '1 minute' limit ${maxCounted}) soon) as due,
      (select count(*)::integer from (
        select from timers where due_at <= app_now() limit ${maxCounted}) overdue) as overdue,
      coalesce(greatest(0, extract(epoch from app_now() - (select min(due_at) from timers))), 0)::float8 as oldest_seconds`
  return row
}

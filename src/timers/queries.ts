// The engine's reads of timers.
import type { App } from '../app.ts'

/** The time to the next moment before `until`, by the database's clock; null: none. */
export const nextDue = ({ sql }: App, until: Date) => sql<{ waitMs: number | null }[]>`
  select (extract(epoch from min(due_at) - app_now()) * 1000)::float8 as wait_ms
  from timers
  where due_at > app_now()
    and due_at < ${until}`

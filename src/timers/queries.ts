// What the engine reads of the timers itself.
import type { App } from '../app.ts'

/** How far off the next moment before `until` is, by the database's clock; null: there is none. */
export const nextDue = ({ sql }: App, until: Date) => sql<{ waitMs: number | null }[]>`
  select (extract(epoch from min(due_at) - app_now()) * 1000)::float8 as wait_ms
  from timers
  where due_at > app_now()
    and due_at < ${until}`

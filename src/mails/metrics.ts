// How many mails wait to be sent, for the gauges; those of stopped organizations are no backlog. Counting stops at `maxCounted` rows.
import type { App } from '../app.ts'

const maxCounted = 10_000

export async function mailBacklog({ sql }: App): Promise<{ waiting: number; oldestSeconds: number }> {
  const isAwaited = sql`(about is null or not about ? 'isHeld')`
  const [row] = await sql<[{ waiting: number; oldestSeconds: number }]>`
    select (select count(*)::integer from (select from mails where ${isAwaited} limit ${maxCounted}) m) as waiting,
      coalesce(greatest(0, extract(epoch from app_now() - (select min(created_at) from mails where ${isAwaited}))), 0)::float8 as oldest_seconds`
  return row
}

// How many publications there are, and how long the oldest has waited, for the gauges. Counts stop at `maxCounted` per state.
import type { App } from '../app.ts'
import { publicationStates } from './rules.ts'

const maxCounted = 10_000

type Backlog = { queued: number; published: number; skipped: number; failed: number; oldestSeconds: number }

/** A copy that waits for a human, or for its next attempt, is not our fault. */
export async function publicationBacklog({ sql }: App): Promise<Backlog> {
  const counted = (state: string) => sql`
    (select count(*)::integer from (
      select from publications where state = ${state} limit ${maxCounted}) one) as ${sql(state)}`
  const [row] = await sql<[Backlog]>`
    select
      ${publicationStates.map((state) => sql`${counted(state)},`)}
      coalesce(greatest(0, extract(epoch from app_now() - (
        select min(changed_at) from publications
        where state = 'queued' and next_attempt_at <= app_now()))), 0)::float8 as oldest_seconds`
  return row
}

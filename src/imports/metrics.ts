// How many external feeds are imported and how fresh our copies are, for the gauges. Counts stop at `maxCounted` per status.
import type { App } from '../app.ts'

const maxCounted = 10_000

type FeedBacklog = { active: number; error: number; stalestSeconds: number }

/** Failing feeds are left out: their age says nothing about us. A feed that was never imported counts from its creation. */
export async function feedBacklog({ sql }: App): Promise<FeedBacklog> {
  const [row] = await sql<[FeedBacklog]>`
    select
      (select count(*)::integer from (
        select from ical_subscriptions where next_sync_at is not null and status = 'active' limit ${maxCounted}) a) as active,
      (select count(*)::integer from (
        select from ical_subscriptions where next_sync_at is not null and status = 'error' limit ${maxCounted}) e) as error,
      coalesce(greatest(0, extract(epoch from app_now() - least(
        (select min(last_synced_at) from ical_subscriptions where next_sync_at is not null and status = 'active'),
        (select min(created_at) from ical_subscriptions
          where next_sync_at is not null and status = 'active' and last_synced_at is null)))),
        0)::float8 as stalest_seconds`
  return row
}

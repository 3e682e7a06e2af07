import type { Uuid } from '../../src/shapes/ids.ts'
import type { Child } from './child.ts'
import type { World } from './world.ts'

/** Express with one statement on a table beside ours. */
export async function startBare(world: World, orgId: Uuid): Promise<Child<never, never>> {
  const { sql } = world.app
  await sql`
    create table if not exists bench_events (
      org_id uuid not null, id uuid not null, calendar_id uuid not null, title text not null, description text,
      start_time timestamptz not null, end_time timestamptz not null, all_day boolean not null, status text not null,
      metadata jsonb not null, reminders integer[], created_at timestamptz not null, updated_at timestamptz not null,
      primary key (org_id, id))`
  await sql`create index if not exists bench_events_by_start on bench_events (org_id, calendar_id, start_time, id)`
  return world.start('trials/bench/processes/bareExpress.ts', { env: { ORG_UUID: orgId } })
}

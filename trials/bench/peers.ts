// P1 and P2: the work of our workers as a good team would write it with BullMQ and plain rows. Their tables stand
// beside ours, in the same database.
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import type { Child } from './child.ts'
import type { DeliveryJob } from './processes/jobPerDelivery.ts'
import type { TimerJob } from './processes/jobPerTimer.ts'
import type { LagOrder, LagReply } from './processes/lags.ts'
import type { World } from './world.ts'

const addedAtOnce = 1_000
const jobOptions = { removeOnComplete: true }

export type Peers = {
  timers: Queue
  deliveries: Queue
  startP1(inFlight: number): Promise<Child<LagOrder, LagReply>>
  startP2(inFlight: number): Promise<Child<never, never>>
  /** As many events with a delayed job each, due evenly over the second after `startMs`. */
  addTimers(count: number, startMs: number): Promise<void>
  /** As many deliveries with a job each. */
  addDeliveries(count: number, payload: string): Promise<void>
  /** Waits a moment for active workers, and removes all jobs and rows. */
  clear(): Promise<void>
}

/** `urls`: a webhook each, of an organization each. `name`: of its queues. */
export async function openPeers(world: World, name: string, urls: readonly string[]): Promise<Peers> {
  const { sql } = world.app
  await makeTables(world, urls)
  const [timers, deliveries] = [world.openQueue(`${name}-timers`), world.openQueue(`${name}-deliveries`)]
  const start = <Order, Reply>(file: string, queue: Queue, inFlight: number) => {
    const env = { QUEUE: queue.name, DELIVERIES: deliveries.name, IN_FLIGHT: String(inFlight) }
    return world.start<Order, Reply>(`trials/bench/processes/${file}`, { env })
  }
  return {
    timers,
    deliveries,
    startP1: (inFlight) => start<LagOrder, LagReply>('jobPerTimer.ts', timers, inFlight),
    startP2: (inFlight) => start<never, never>('jobPerDelivery.ts', deliveries, inFlight),
    async addTimers(count, startMs) {
      const rows = await sql<{ id: string; startTime: Date }[]>`
        insert into peer_events (id, org_id, calendar_id, title, start_time, end_time, status)
        select uuidv7(), w.org_id, w.org_id, 'Weekly review of the open questions', at, at + interval '1 hour', 'confirmed'
        from (
          select n, ${new Date(startMs)}::timestamptz + (n - 1) * interval '1 second' / ${count}::integer as at
          from generate_series(1, ${count}::integer) as n) as due
        join (select *, row_number() over (order by id) - 1 as turn from peer_webhooks) w on w.turn = due.n % ${urls.length}::integer
        returning id, start_time`
      await sql`analyze peer_events`
      await addInBlocks(rows, (block) =>
        timers.addBulk(
          block.map(({ id, startTime }) => {
            const dueMs = startTime.getTime()
            const opts = { ...jobOptions, delay: Math.max(0, dueMs - Date.now()) }
            return { name: 'due', data: { eventId: id, dueMs } satisfies TimerJob, opts }
          }),
        ),
      )
    },
    async addDeliveries(count, payload) {
      const rows = await sql<{ id: string }[]>`
        insert into peer_deliveries (id, org_id, webhook_id, event_type, payload, status, attempts, created_at)
        select uuidv7(), w.org_id, w.id, 'event.created', ${payload}::text::jsonb, 'pending', 0, now()
        from generate_series(1, ${count}::integer) as n
        join (select *, row_number() over (order by id) - 1 as turn from peer_webhooks) w on w.turn = n % ${urls.length}::integer
        returning id`
      await sql`vacuum analyze peer_deliveries`
      await addInBlocks(rows, (block) =>
        deliveries.addBulk(
          block.map(({ id }) => ({ name: 'deliver', data: { id } satisfies DeliveryJob, opts: jobOptions })),
        ),
      )
    },
    async clear() {
      await Promise.all([timers, deliveries].map(forget))
      await sql`truncate peer_events, peer_deliveries`
    },
  }
}

async function forget(queue: Queue): Promise<void> {
  // A job whose answer has arrived is still to be recorded, unless its process ended before that.
  const until = performance.now() + 2_000
  while (performance.now() < until && (await queue.getActiveCount()) > 0) await pause(20)
  await queue.obliterate({ force: true })
}

async function addInBlocks<T>(rows: readonly T[], add: (block: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += addedAtOnce) await add(rows.slice(from, from + addedAtOnce))
}

async function makeTables({ app: { sql } }: World, urls: readonly string[]): Promise<void> {
  await sql`drop table if exists peer_events, peer_webhooks, peer_deliveries`
  await sql`
    create table peer_events (
      id uuid primary key, org_id uuid not null, calendar_id uuid not null, title text not null,
      start_time timestamptz not null, end_time timestamptz not null, status text not null)`
  await sql`create index peer_events_by_start on peer_events (org_id, calendar_id, start_time)`
  await sql`
    create table peer_webhooks (
      id uuid primary key, org_id uuid not null, url text not null, secret text not null, active boolean not null)`
  await sql`create index peer_webhooks_of on peer_webhooks (org_id)`
  await sql`
    create table peer_deliveries (
      id uuid primary key, org_id uuid not null, webhook_id uuid not null, event_type text not null,
      payload jsonb not null, status text not null, attempts integer not null, last_status integer,
      last_attempt_at timestamptz, created_at timestamptz not null)`
  await sql`create index peer_deliveries_history on peer_deliveries (webhook_id, created_at)`
  await sql`
    insert into peer_webhooks (id, org_id, url, secret, active)
    select uuidv7(), uuidv7(), url, encode(sha256(url::bytea), 'hex'), true from unnest(${urls as never}::text[]) as u (url)`
}

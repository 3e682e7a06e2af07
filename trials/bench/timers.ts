// 10,000 timers that are due within one second and write a delivery each: how long after its moment each is committed,
// against as many delayed jobs of BullMQ with an empty handler.
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { titlePlace } from '../../src/events/present.ts'
import { decodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { shardCount, shardOf } from '../../src/timers/timers.ts'
import { wakeTimers } from '../../src/wakeups/jobs.ts'
import { payloadPlace } from '../../src/webhooks/present.ts'
import type { Organization } from '../world/client.ts'
import { percentile } from '../world/report.ts'
import { interleaved, millis, type Row, rowOf } from './figures.ts'
import type { DueJob, LagOrder, LagReply } from './processes/bareBullmq.ts'
import type { World } from './world.ts'

const rounds = 3
const timerCount = 10_000
const inFlight = 200
/** Long enough to make the timers before they are due. */
const aheadMs = 6_000

type Scene = { organization: Organization; calendarId: string }

export async function benchTimers(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  const calendar = await organization.create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
  await organization.create('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['event.started'] })
  const worker = await world.start('workers/main.ts', { args: ['--pools', 'timers'] })
  const queueName = 'bench-timers'
  const bare = await world.start<LagOrder, LagReply>('trials/bench/processes/bareBullmq.ts', {
    env: { QUEUE: queueName, MODE: 'note', IN_FLIGHT: String(inFlight) },
  })
  const queue = world.openQueue(queueName)
  const figures = await interleaved(rounds, {
    ours: () => ourLag(world, { organization, calendarId: calendar.id }),
    async baseline() {
      await addDelayedJobs(queue, nextRoundMs())
      return percentile((await bare.ask({ jobs: timerCount })).lagsMs, 0.99)
    },
  })
  await Promise.all([worker.stop(), bare.stop()])
  const name = `p99 lag of ${timerCount.toLocaleString('en')} due in one second`
  return [rowOf({ bench: 'timers', name, target: { atMost: 0.25 } }, figures, millis)]
}

async function addDelayedJobs(queue: Queue, startMs: number): Promise<void> {
  const opts = { removeOnComplete: true }
  for (let nth = 0; nth < timerCount; nth += 1_000) {
    const jobs = Array.from({ length: 1_000 }, (_, i) => {
      const dueMs = startMs + ((nth + i) * 1_000) / timerCount
      return { name: 'due', data: { dueMs } satisfies DueJob, opts: { ...opts, delay: dueMs - Date.now() } }
    })
    await queue.addBulk(jobs)
  }
}

const nextRoundMs = () => Math.ceil((Date.now() + aheadMs) / 1_000) * 1_000

async function ourLag(world: World, scene: Scene): Promise<number> {
  const { sql, bell } = world.app
  const startMs = nextRoundMs()
  const dueByEvent = await setTimersOf(world, scene, startMs)
  const wakeups = Array.from({ length: shardCount }, (_, shard) => wakeTimers(shard, startMs / 1_000))
  while (!(await bell.ringNow(wakeups))) await pause(50)
  await pause(startMs - Date.now())
  for (let left = timerCount; left > 0; ) {
    await pause(200)
    const [row] = await sql<{ left: number }[]>`
      select count(*)::integer as left from timers where calendar_id = ${decodeId('cal', scene.calendarId)!}`
    left = row!.left
  }
  return percentile(await lagsOf(world, dueByEvent), 0.99)
}

/**
 * Makes events of one calendar that start within the second, with their timers. Returns when each is due, by its id.
 */
async function setTimersOf({ app }: World, { organization, calendarId }: Scene, startMs: number) {
  const { sql, sealer } = app
  const rows = Array.from({ length: timerCount }, (_, nth) => {
    const id = newId()
    const title = sealer.seal(titlePlace(id), 'Weekly review of the open questions').toString('hex')
    return { id, title, shard: shardOf(id), due_at: new Date(startMs + Math.floor((nth * 1_000) / timerCount)) }
  })
  const ids = [decodeId('org', organization.id)!, decodeId('cal', calendarId)!] as const
  for (let from = 0; from < rows.length; from += 2_000) {
    await sql`
      with new as (
        select * from jsonb_to_recordset(${sql.json(rows.slice(from, from + 2_000) as never)}) as r
          (id uuid, title text, shard smallint, due_at timestamptz)
      ), event as (
        insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
        select ${ids[0]}::uuid, id, ${ids[1]}::uuid, decode(title, 'hex'), due_at, due_at + interval '1 hour',
          'confirmed', '{}', now(), now() from new
      )
      insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation, shard)
      select ${ids[0]}::uuid, id, ${ids[1]}::uuid, 'event_start', due_at, 0, shard from new`
  }
  await sql`vacuum analyze timers, events, webhook_deliveries`
  return new Map(rows.map((row) => [row.id, row.due_at.getTime()]))
}

type DeliveryRow = { changeId: Uuid; position: number; payloadSealed: Buffer; committedAt: Date }

/** How long after its moment each delivery was committed. Removes the deliveries. */
async function lagsOf({ app }: World, dueByEvent: Map<string, number>): Promise<number[]> {
  const { sql, sealer } = app
  const rows = await sql<DeliveryRow[]>`
    select change_id, position, payload_sealed, pg_xact_commit_timestamp(xmin) as committed_at from webhook_deliveries
    where event_type = 'event.started'`
  const lagsMs = rows.flatMap((row) => {
    const payload = JSON.parse(sealer.unseal(payloadPlace(row.changeId, row.position), row.payloadSealed))
    const dueMs = dueByEvent.get(decodeId('evt', payload.event_id)!)
    return dueMs === undefined ? [] : [row.committedAt.getTime() - dueMs]
  })
  if (lagsMs.length !== timerCount) throw new Error(`${lagsMs.length} of ${timerCount} timers wrote a delivery`)
  await sql`delete from webhook_deliveries where event_type = 'event.started'`
  return lagsMs
}

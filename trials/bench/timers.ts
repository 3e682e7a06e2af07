// 10,000 timers that are due within one second and write a delivery each: how long after its moment each is committed,
// and its cost; against as many delayed jobs of BullMQ with an empty handler, and against P1.
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import { callOf, made } from '../world/client.ts'
import { percentile } from '../world/report.ts'
import { type Ahead, openAhead } from './ahead.ts'
import type { Child } from './child.ts'
import { type DueEvents, type DuePlace, openDueEvents } from './dueEvents.ts'
import { interleaved, millis, type Row, rowOf, type Sample } from './figures.ts'
import { openPeers } from './peers.ts'
import type { DueJob } from './processes/bareBullmq.ts'
import type { LagOrder, LagReply } from './processes/lags.ts'
import { each, type World } from './world.ts'

const rounds = 5
const timerCount = 10_000
const inFlight = 200
/** The processor time is read this long before the second begins. */
const restMs = 200
const pageLimit = 100

type Lagging = Child<LagOrder, LagReply>
type Scene = { world: World; place: DuePlace; webhookId: string; events: DueEvents }

export async function benchTimers(world: World): Promise<Row[]> {
  const scene = await setScene(world)
  const worker = await world.start('workers/main.ts', { args: ['--pools', 'timers'] })
  const queue = world.openQueue('bench-timers')
  const env = { QUEUE: queue.name, MODE: 'note', IN_FLIGHT: String(inFlight) }
  const bare = await world.start<LagOrder, LagReply>('trials/bench/processes/bareBullmq.ts', { env })
  const peers = await openPeers(world, 'bench-p1', ['http://127.0.0.1:9/hook'])
  const p1 = await peers.startP1(inFlight)
  const jobs = {
    bare: { worker: bare, ahead: openAhead(0.5), add: (count, startMs) => addDelayedJobs(queue, count, startMs) },
    p1: { worker: p1, ahead: openAhead(0.5), add: peers.addTimers },
  } satisfies Record<string, Jobs>
  const figures = await interleaved(rounds, {
    ours: () => fireOurs(scene, worker.pid),
    bare: () => runJobs(world, jobs.bare),
    p1: () => runJobs(world, jobs.p1).finally(peers.clear),
  })
  await Promise.all([worker.stop(), bare.stop(), p1.stop()])
  await world.app.sql`truncate webhook_deliveries`
  const row = (name: string, target: Row['target'], baseline: Sample[]) =>
    rowOf({ bench: 'timers', name, target }, { ours: figures.ours, baseline }, millis)
  const name = `${timerCount.toLocaleString('en')} due in one second, p99 lag`
  return [
    row(`${name} ÷ bare`, { atMost: 1.2 }, figures.bare),
    row(`${name} ÷ P1`, { of: 'cpu', atMost: 0.22 }, figures.p1),
  ]
}

async function setScene(world: World): Promise<Scene> {
  const organization = await world.makeOrganization()
  const calendar = await organization.create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['event.started'] }
  const { id: webhookId } = await organization.create('/v1/webhooks', webhook)
  const place = { organization, calendarId: calendar.id }
  return { world, place, webhookId, events: openDueEvents(world, [place]) }
}

async function fireOurs(scene: Scene, pid: number): Promise<Sample> {
  const { world, events } = scene
  const { sql } = world.app
  await sql`truncate webhook_deliveries`
  await sql`vacuum analyze timers, events`
  const startMs = await events.make(timerCount)
  await pause(startMs - restMs - Date.now())
  const before = world.cpuMs(pid)
  await pause(startMs + 1_000 - Date.now())
  for (let written = 0; written < timerCount; ) {
    await pause(100)
    const [row] = await sql<{ written: number }[]>`select count(*)::integer as written from webhook_deliveries`
    written = row!.written
  }
  const cpuMs = each(before, world.cpuMs(pid), timerCount)
  return { figure: percentile(await lagsOf(scene, startMs), 0.99), cpuMs }
}

/** How long after its moment each delivery was committed. */
async function lagsOf({ world, place, webhookId }: Scene, startMs: number): Promise<number[]> {
  const { sql } = world.app
  const { organization, calendarId } = place
  const call = callOf(world.baseUrls[0])
  const [begun, committed] = await Promise.all([
    sql<{ id: Uuid; startTime: Date }[]>`
      select id, start_time from events
      where calendar_id = ${decodeId('cal', calendarId)!} and start_time >= ${new Date(startMs)}`,
    sql<{ id: Uuid; at: Date }[]>`select id, pg_xact_commit_timestamp(xmin) as at from webhook_deliveries`,
  ])
  const dueByEvent = new Map(begun.map(({ id, startTime }) => [id, startTime.getTime()]))
  const atById = new Map(committed.map(({ id, at }) => [id, at.getTime()]))
  const lagsMs: number[] = []
  for (let offset = 0; offset < atById.size; offset += pageLimit) {
    const path = `/v1/webhooks/${webhookId}/deliveries?include_payload=true&limit=${pageLimit}&offset=${offset}`
    const { data } = await made(call('GET', path, { key: organization.key }))
    for (const { id, payload } of data) {
      lagsMs.push(atById.get(decodeId('whd', id)!)! - dueByEvent.get(decodeId('evt', payload.event_id)!)!)
    }
  }
  if (lagsMs.length !== begun.length) throw new Error(`${lagsMs.length} of ${begun.length} timers wrote a delivery`)
  return lagsMs
}

type Jobs = {
  worker: Lagging
  ahead: Ahead
  /** Adds this many, due evenly over the second that begins at `startMs`. */
  add(count: number, startMs: number): Promise<void>
}

async function runJobs(world: World, { worker, ahead, add }: Jobs): Promise<Sample> {
  const run = () => worker.ask({ jobs: timerCount })
  const startMs = await ahead(timerCount, (atMs) => add(timerCount, atMs), run)
  await pause(startMs - restMs - Date.now())
  const before = world.cpuMs(worker.pid)
  const { lagsMs } = await run()
  return { figure: percentile(lagsMs, 0.99), cpuMs: each(before, world.cpuMs(worker.pid), timerCount) }
}

async function addDelayedJobs(queue: Queue, count: number, startMs: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const jobs = Array.from({ length: 1_000 }, (_, nth) => {
      const dueMs = startMs + ((from + nth) * 1_000) / count
      return {
        name: 'due',
        data: { dueMs } satisfies DueJob,
        opts: { removeOnComplete: true, delay: dueMs - Date.now() },
      }
    })
    await queue.addBulk(jobs)
  }
}

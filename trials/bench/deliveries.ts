// Deliveries of a worker as a user starts it, against a bare BullMQ worker that posts the same text to the same
// receivers, and against P2. The backlog is there before the process starts; its work while its code is not
// compiled yet is not measured. A subscription has ten in flight, so their number decides how many there are in all.
import type { Queue } from 'bullmq'
import type { Organization } from '../world/client.ts'
import type { Child } from './child.ts'
import { interleaved, perSecond, type Row, rowOf, type Sample } from './figures.ts'
import { openPeers, type Peers } from './peers.ts'
import type { PostJob } from './processes/bareBullmq.ts'
import { openReceivers, type Receivers } from './receivers.ts'
import { each, type World, wireRequest } from './world.ts'

const rounds = 5
/** `warmUp`: not measured. V8 compiles until about 16,000, ours and the baselines. */
const usualCounts = { total: 22_000, warmUp: 16_000 }
/** Enough that no organization reaches its share of the places. */
const organizationCount = 5
const shapes = [
  { subscriptions: 5, inFlight: 50, atLeast: 0.6 },
  { subscriptions: 20, inFlight: 200, atLeast: 0.8 },
]

const body = {
  title: 'Weekly review of the open questions',
  description: 'Decisions, open points, and their owners until the next time.',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
  metadata: { topic: 'review', number: 17 },
}
/** As long as ours. */
const payload = JSON.stringify({
  calendar_id: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd',
  event: { id: 'evt_01k9xr8m3fe8tbc4x9m2v7h5qd', ...body, status: 'confirmed', recurrenceExdates: [], reminders: [] },
  created_by: 'org_01k9xr8m3fe8tbc4x9m2v7h5qd',
})

type Counts = typeof usualCounts
type Scene = { world: World; receivers: Receivers; organizations: Organization[]; paths: string[]; counts: Counts }

export async function benchDeliveries(world: World): Promise<Row[]> {
  const rows: Row[] = []
  for (const shape of shapes) rows.push(...(await benchShape(world, shape)))
  return rows
}

async function benchShape(world: World, { subscriptions, inFlight, atLeast }: (typeof shapes)[number]): Promise<Row[]> {
  const receivers = await openReceivers(world, subscriptions)
  const scene = await setScene(world, receivers)
  const bareQueue = world.openQueue(`bench-bare-${inFlight}`)
  const peers = await openPeers(world, `bench-p2-${inFlight}`, receivers.urls)
  const { ours, bare, p2 } = await interleaved(rounds, {
    ours: () => deliverOurs(scene),
    bare: () => deliverBare(scene, bareQueue, inFlight),
    p2: () => deliverByPeers(scene, peers, inFlight),
  })
  await receivers.stop()
  const name = `${inFlight} in flight`
  return [
    rowOf({ bench: 'deliveries', name: `${name} ÷ bare`, target: { atLeast } }, { ours, baseline: bare }, perSecond),
    rowOf(
      { bench: 'deliveries', name: `${name} ÷ P2`, target: { of: 'cpu', atMost: 0.5 } },
      { ours, baseline: p2 },
      perSecond,
    ),
  ]
}

/** `isDressed`: the webhooks ask for the headers of Standard Webhooks, and name their calendars. */
export async function setScene(
  world: World,
  receivers: Receivers,
  { counts = usualCounts, isDressed = false } = {},
): Promise<Scene> {
  const scene: Scene = { world, receivers, organizations: [], paths: [], counts }
  const options: object[] = []
  while (scene.organizations.length < organizationCount) {
    const organization = await world.makeOrganization()
    const { id } = await organization.create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
    scene.organizations.push(organization)
    scene.paths.push(`/v1/calendars/${id}/events`)
    options.push(isDressed ? { standard: true, calendar_ids: [id] } : {})
  }
  for (const [nth, url] of receivers.urls.entries()) {
    const place = nth % organizationCount
    const webhook = { url, events: ['event.created'], ...options[place] }
    await scene.organizations[place]!.create('/v1/webhooks', webhook)
  }
  return scene
}

export async function deliverOurs(scene: Scene): Promise<Sample> {
  const { world, receivers, organizations, paths } = scene
  const { sql } = world.app
  await sql`truncate webhook_deliveries`
  await receivers.reset()
  const requests = paths.map((path, nth) => wireRequest('POST', path, { key: organizations[nth]!.key, body }))
  const answers = (scene.counts.total * organizationCount) / receivers.urls.length
  await world.load({ port: world.apiPort, connections: 40, requests, status: 201, until: { answers } })
  await sql`vacuum analyze webhook_deliveries`
  return timed(scene, await world.start('workers/main.ts', { args: ['--pools', 'deliveries'] }))
}

async function deliverBare(scene: Scene, queue: Queue, inFlight: number): Promise<Sample> {
  const { world, receivers, counts } = scene
  await receivers.reset()
  for (let from = 0; from < counts.total; from += 500) {
    await queue.addBulk(
      Array.from({ length: 500 }, (_, nth) => ({
        name: 'post',
        data: { url: receivers.urls[nth % receivers.urls.length]!, body: payload } satisfies PostJob,
        opts: { removeOnComplete: true },
      })),
    )
  }
  const env = { QUEUE: queue.name, MODE: 'post', IN_FLIGHT: String(inFlight) }
  return timed(scene, await world.start('trials/bench/processes/bareBullmq.ts', { env }))
}

async function deliverByPeers(scene: Scene, peers: Peers, inFlight: number): Promise<Sample> {
  await peers.clear()
  await scene.receivers.reset()
  await peers.addDeliveries(scene.counts.total, payload)
  return timed(scene, await peers.startP2(inFlight))
}

/** Measures `worker` once it is warm, until everything has arrived. Stops it. */
async function timed({ world, receivers, counts }: Scene, worker: Child<never, never>): Promise<Sample> {
  const { total, warmUp } = counts
  const begun = await receivers.arrived(warmUp)
  const before = world.cpuMs(worker.pid)
  const ended = await receivers.arrived(total)
  const cpuMs = each(before, world.cpuMs(worker.pid), total - warmUp)
  await worker.stop()
  return { figure: (total - warmUp) / ((ended.atMs - begun.atMs) / 1_000), cpuMs }
}

// Webhook deliveries with claim, signature and record, against a bare BullMQ worker that posts the same body to the
// same receiver with undici. There are enough subscriptions and organizations that no cap and no share is reached.
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { decodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { type Wakeup, wakeDelivery } from '../../src/wakeups/jobs.ts'
import { payloadPlace } from '../../src/webhooks/present.ts'
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import type { PostJob } from './processes/bareBullmq.ts'
import type { ReceiverOrder, ReceiverReply } from './processes/receiver.ts'
import type { World } from './world.ts'

const rounds = 4
const total = 6_000
/** Not timed: the process is new, its code is not compiled yet. */
const warmUp = 2_000
const organizationCount = 6
const subscriptionCount = 60
const addedAtOnce = 200
const targets = [
  { inFlight: 50, atLeast: 0.7 },
  { inFlight: 200, atLeast: 0.9 },
]

const queueName = 'bench-deliveries'
const payload = JSON.stringify({
  calendar_id: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd',
  event: {
    id: 'evt_01k9xr8m3fe8tbc4x9m2v7h5qd',
    title: 'Weekly review of the open questions',
    description: 'What is decided, what is not, and who finds out until when.',
    startTime: '2031-03-02T09:00:00.000Z',
    endTime: '2031-03-02T10:00:00.000Z',
    metadata: { topic: 'review', number: 17 },
    status: 'confirmed',
    recurrenceExdates: [],
  },
})

type Webhook = { orgId: Uuid; id: Uuid }
type Scene = { webhooks: Webhook[]; urls: string[]; queue: Queue; receiver: Receiver }
type Receiver = { ask(order: ReceiverOrder): Promise<ReceiverReply> }

export async function benchDeliveries(world: World): Promise<Row[]> {
  const organizations = await Promise.all(Array.from({ length: organizationCount }, () => world.makeOrganization()))
  const receiver = await world.start<ReceiverOrder, ReceiverReply>('trials/bench/processes/receiver.ts')
  const scene: Scene = { webhooks: [], urls: [], queue: world.openQueue(queueName), receiver }
  for (let nth = 0; nth < subscriptionCount; nth++) {
    const url = `http://127.0.0.1:${receiver.ready.port}/hook/${nth}`
    const organization = organizations[nth % organizationCount]!
    const { id } = await organization.create('/v1/webhooks', { url, events: ['event.deleted'] })
    scene.webhooks.push({ orgId: decodeId('org', organization.id)!, id: decodeId('whk', id)! })
    scene.urls.push(url)
  }
  const rows: Row[] = []
  for (const { inFlight, atLeast } of targets) {
    const figures = await interleaved(rounds, {
      ours: () => deliverOurs(world, scene, inFlight),
      baseline: () => deliverBare(world, scene, inFlight),
    })
    rows.push(rowOf({ bench: 'deliveries', name: `${inFlight} in flight`, target: { atLeast } }, figures, perSecond))
  }
  await receiver.stop()
  return rows
}

/** The work is ready before the process starts. */
async function deliverOurs(world: World, { webhooks, receiver }: Scene, inFlight: number): Promise<number> {
  const { bell } = world.app
  await world.app.sql`delete from webhook_deliveries`
  for (let from = 0; from < total; from += addedAtOnce) {
    const wakeups = await addDeliveries(world, webhooks)
    // Adding them again is a no-op; on a busy machine it may take longer than the bell waits.
    while (!(await bell.ringNow(wakeups))) await pause(100)
  }
  await world.app.sql`vacuum analyze webhook_deliveries`
  const measured = receiver.ask({ warmUp, total })
  const pool = await world.start('trials/bench/processes/pool.ts', { env: { IN_FLIGHT: String(inFlight) } })
  const { perSecond } = await measured
  await pool.stop()
  return perSecond
}

async function addDeliveries({ app }: World, webhooks: readonly Webhook[]): Promise<Wakeup[]> {
  const { sql, sealer } = app
  const now = app.clock.now()
  const rows = Array.from({ length: addedAtOnce }, (_, nth) => {
    const changeId = newId()
    const sealed = sealer.seal(payloadPlace(changeId, 0), payload).toString('hex')
    const { orgId, id: subscriptionId } = webhooks[nth % webhooks.length]!
    return { org_id: orgId, id: newId(), subscription_id: subscriptionId, change_id: changeId, sealed }
  })
  await sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, payload_sealed,
      retry_schedule, next_retry_at, created_at)
    select r.org_id, r.id, r.subscription_id, r.change_id, 0, 'event.deleted', decode(r.sealed, 'hex'), '{60}', ${now}, ${now}
    from jsonb_to_recordset(${sql.json(rows)}) as r (org_id uuid, id uuid, subscription_id uuid, change_id uuid, sealed text)`
  return rows.map((row) =>
    wakeDelivery({ orgId: row.org_id, id: row.id, subscriptionId: row.subscription_id, attempts: 0, dueAt: now }),
  )
}

async function deliverBare(world: World, { urls, queue, receiver }: Scene, inFlight: number): Promise<number> {
  for (let from = 0; from < total; from += addedAtOnce) {
    await queue.addBulk(
      Array.from({ length: addedAtOnce }, (_, nth) => ({
        name: 'post',
        data: { url: urls[nth % urls.length]!, body: payload } satisfies PostJob,
        opts: { removeOnComplete: true },
      })),
    )
  }
  const measured = receiver.ask({ warmUp, total })
  const worker = await world.start('trials/bench/processes/bareBullmq.ts', {
    env: { QUEUE: queueName, MODE: 'post', IN_FLIGHT: String(inFlight) },
  })
  const { perSecond } = await measured
  await worker.stop()
  return perSecond
}

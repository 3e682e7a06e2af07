// What slow receivers of others cost: one organization has 25 endpoints that answer after 9 s, or never, and twenty have
// three each. How late a further organization's deliveries come meanwhile, as a part of the one second that they may take.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import { wakeDelivery } from '../../src/wakeups/jobs.ts'
import { millis, percentile, type Row } from './figures.ts'
import type { Organization, World } from './world.ts'

const slowAnswerMs = 9_000
const samples = 200
const sampleEveryMs = 100
const flood = { endpoints: 25, agents: 300 }
const others = { count: 20, endpoints: 3, agents: 20 }
const lineLength = 5_000
/** As late as a delivery may be. */
const mayTakeMs = 1_000

type Receiver = { server: Server; port: number; latenessMs: number[]; agents: Set<string> }

export async function benchFairness(world: World): Promise<Row[]> {
  const receiver = await openReceiver()
  const figures = [
    ['204 after 9 s', await latenessBeside(world, receiver, 'slow', 1)],
    ['204 after 9 s, two workers', await latenessBeside(world, receiver, 'slow', 2)],
    ['never answered', await latenessBeside(world, receiver, 'hang', 1)],
    [`behind ${lineLength.toLocaleString('en')} wake-ups`, await latenessBehindLine(world, receiver)],
  ] as const
  receiver.server.closeAllConnections()
  receiver.server.close()
  return figures.map(([name, figure]) => ({
    bench: 'fairness',
    name: `p99 beside slow receivers: ${name}`,
    ours: millis(figure),
    baseline: millis(mayTakeMs),
    ratios: [figure / mayTakeMs],
    target: { atMost: 1 },
  }))
}

async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = { server: createServer(), port: 0, latenessMs: [], agents: new Set() }
  receiver.server.on('request', async (req: IncomingMessage, res) => {
    const body = (await req.toArray()).join('')
    if (req.url?.startsWith('/hang')) return
    if (req.url?.startsWith('/slow')) await pause(slowAnswerMs)
    else {
      const { agent } = JSON.parse(body)
      receiver.latenessMs.push(Date.now() - Date.parse(agent.createdAt))
      receiver.agents.add(agent.id)
    }
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve))
  receiver.port = (receiver.server.address() as AddressInfo).port
  return receiver
}

/** An organization with so many endpoints of a kind that hear of its agents. */
async function subscribed(world: World, { port }: Receiver, kind: string, count: number): Promise<Organization> {
  const organization = await world.makeOrganization()
  for (let nth = 0; nth < count; nth++) {
    await organization.make('/v1/webhooks', {
      url: `http://127.0.0.1:${port}/${kind}/${nth}`,
      events: ['agent.created'],
    })
  }
  return organization
}

const makeAgents = async (organization: Organization, count: number) => {
  for (let nth = 0; nth < count; nth++) await organization.make('/v1/agents', { name: 'Agent', type: 'ai' })
}

async function latenessBeside(world: World, receiver: Receiver, kind: string, workerCount: number): Promise<number> {
  const victim = await subscribed(world, receiver, 'quick', 1)
  const flooder = await subscribed(world, receiver, kind, flood.endpoints)
  const crowd: Organization[] = []
  for (let nth = 0; nth < others.count; nth++) crowd.push(await subscribed(world, receiver, kind, others.endpoints))
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => world.start('workers/main.ts', { args: ['--pools', 'deliveries'] })),
  )
  await makeAgents(victim, 20)
  await Promise.all([makeAgents(flooder, flood.agents), ...crowd.map((one) => makeAgents(one, others.agents))])
  receiver.latenessMs = []
  receiver.agents.clear()
  for (let sample = 0; sample < samples; sample++) {
    await Promise.all([makeAgents(victim, 1), sample % 2 ? makeAgents(flooder, 1) : undefined, pause(sampleEveryMs)])
  }
  const over = Date.now() + 120_000
  while (receiver.agents.size < samples && Date.now() < over) await pause(100)
  const missing = samples - receiver.agents.size
  const lateness = [...receiver.latenessMs, ...Array(missing).fill(120_000)]
  await Promise.all(workers.map((worker) => worker.stop()))
  await world.app.sql`delete from webhook_deliveries`
  return percentile(lateness, 0.99)
}

/** All of them single ones, as retries are; the work lies ready before the worker starts. Counted from its start on. */
async function latenessBehindLine(world: World, receiver: Receiver): Promise<number> {
  const { sql, bell } = world.app
  const victim = await subscribed(world, receiver, 'quick', 1)
  const flooder = await subscribed(world, receiver, 'slow', flood.endpoints)
  for (let from = 0; from < lineLength; from += flood.endpoints * 10) await makeAgents(flooder, 10)
  await bell.queues.get('deliveries')!.obliterate({ force: true })
  const rows = await sql<{ orgId: Uuid; id: Uuid; subscriptionId: Uuid; attempts: number; dueAt: Date }[]>`
    select org_id, id, subscription_id, attempts, next_retry_at as due_at from webhook_deliveries
    where org_id = ${decodeId('org', flooder.id)!} order by id limit ${lineLength}`
  for (let from = 0; from < rows.length; from += 500) {
    const wakeups = rows.slice(from, from + 500).map((row) => wakeDelivery(row))
    while (!(await bell.ringNow(wakeups))) await pause(50)
  }
  receiver.latenessMs = []
  await makeAgents(victim, 1)
  const worker = await world.start('workers/main.ts', { args: ['--pools', 'deliveries'] })
  const begun = Date.now()
  while (receiver.latenessMs.length === 0) await pause(1)
  const lateness = Date.now() - begun
  await worker.stop()
  await sql`delete from webhook_deliveries`
  return lateness
}

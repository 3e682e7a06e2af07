// The cost of other organizations' slow receivers: one organization has 25 endpoints that answer after 9 s, or never, and twenty
// have three each. Measures how late another organization's deliveries arrive, as a part of the second that they may
// take.
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId, type Uuid } from '../../src/shapes/ids.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { wakeLane } from '../../src/wakeups/lanes.ts'
import type { Organization } from '../world/client.ts'
import { percentile } from '../world/report.ts'
import { millis, type Row } from './figures.ts'
import type { World } from './world.ts'

const slowAnswerMs = 9_000
const samples = 200
const sampleEveryMs = 100
const flood = { endpoints: 25, agents: 300 }
const others = { count: 20, endpoints: 3, agents: 20 }
const lineLength = 5_000
/** How late a delivery may be. */
const mayTakeMs = 1_000

type Arrivals = { receiver: Receiver; latenessMs: number[]; agents: Set<string> }

export async function benchFairness(world: World): Promise<Row[]> {
  const arrivals = await openArrivals()
  const figures = [
    ['204 after 9 s', await latenessBeside(world, arrivals, 'slow', 1)],
    ['204 after 9 s, two workers', await latenessBeside(world, arrivals, 'slow', 2)],
    ['never answered', await latenessBeside(world, arrivals, 'hang', 1)],
    [`behind ${lineLength.toLocaleString('en')} wake-ups`, await latenessBehindLine(world, arrivals)],
  ] as const
  await arrivals.receiver.close()
  return figures.map(([name, figure]) => ({
    bench: 'fairness',
    name: `p99 with slow receivers: ${name}`,
    ours: millis(figure),
    baseline: millis(mayTakeMs),
    ratios: [figure / mayTakeMs],
    target: { atMost: 1 },
  }))
}

/** Answers as the first part of the path says. Notes the delay of deliveries that are answered at once. */
async function openArrivals(): Promise<Arrivals> {
  const arrivals: Arrivals = { receiver: await openReceiver(), latenessMs: [], agents: new Set() }
  const { receiver } = arrivals
  receiver.answer = ({ path, payload: { agent } }) => {
    receiver.received.length = 0
    if (path.startsWith('/hang')) return 'hang'
    if (path.startsWith('/slow')) return pause(slowAnswerMs, 204)
    arrivals.latenessMs.push(Date.now() - Date.parse(agent.createdAt))
    arrivals.agents.add(agent.id)
    return 204
  }
  return arrivals
}

/** Makes an organization with `count` endpoints of this kind, to which its new agents are sent. */
async function subscribe(world: World, { receiver }: Arrivals, kind: string, count: number): Promise<Organization> {
  const organization = await world.makeOrganization()
  for (let nth = 0; nth < count; nth++) {
    await organization.create('/v1/webhooks', {
      url: new URL(`/${kind}/${nth}`, receiver.url).href,
      events: ['agent.created'],
    })
  }
  return organization
}

const makeAgents = async (organization: Organization, count: number) => {
  for (let nth = 0; nth < count; nth++) await organization.create('/v1/agents', { name: 'Agent', type: 'ai' })
}

async function latenessBeside(world: World, arrivals: Arrivals, kind: string, workerCount: number): Promise<number> {
  const victim = await subscribe(world, arrivals, 'quick', 1)
  const flooder = await subscribe(world, arrivals, kind, flood.endpoints)
  const crowd: Organization[] = []
  for (let nth = 0; nth < others.count; nth++) crowd.push(await subscribe(world, arrivals, kind, others.endpoints))
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => world.start('workers/main.ts', { args: ['--pools', 'deliveries'] })),
  )
  await makeAgents(victim, 20)
  await Promise.all([makeAgents(flooder, flood.agents), ...crowd.map((one) => makeAgents(one, others.agents))])
  arrivals.latenessMs = []
  arrivals.agents.clear()
  for (let sample = 0; sample < samples; sample++) {
    await Promise.all([makeAgents(victim, 1), sample % 2 ? makeAgents(flooder, 1) : undefined, pause(sampleEveryMs)])
  }
  const over = Date.now() + 120_000
  while (arrivals.agents.size < samples && Date.now() < over) await pause(100)
  const missing = samples - arrivals.agents.size
  const lateness = [...arrivals.latenessMs, ...Array(missing).fill(120_000)]
  await Promise.all(workers.map((worker) => worker.stop()))
  await world.app.sql`delete from webhook_deliveries`
  return percentile(lateness, 0.99)
}

/** Single wake-ups, like those of retries, that wait before the worker starts. Counted from its start. */
async function latenessBehindLine(world: World, arrivals: Arrivals): Promise<number> {
  const { sql, bell } = world.app
  const victim = await subscribe(world, arrivals, 'quick', 1)
  const flooder = await subscribe(world, arrivals, 'slow', flood.endpoints)
  for (let from = 0; from < lineLength; from += flood.endpoints * 10) await makeAgents(flooder, 10)
  await bell.queues.get('deliveries')!.obliterate({ force: true })
  const lanes = await sql<{ orgId: Uuid; subscriptionId: Uuid }[]>`
    select org_id, id as subscription_id from webhook_subscriptions where org_id = ${decodeId('org', flooder.id)!}`
  // Each of another second, so that none of them is joined with another one.
  const now = Date.now()
  const wakeups = Array.from({ length: lineLength }, (_, nth) =>
    wakeLane(lanes[nth % lanes.length]!, new Date(now - 1000 * nth)),
  )
  for (let from = 0; from < lineLength; from += 500) {
    while (!(await bell.ringNow(wakeups.slice(from, from + 500)))) await pause(50)
  }
  arrivals.latenessMs = []
  await makeAgents(victim, 1)
  const worker = await world.start('workers/main.ts', { args: ['--pools', 'deliveries'] })
  const begun = Date.now()
  while (arrivals.latenessMs.length === 0) await pause(1)
  const lateness = Date.now() - begun
  await worker.stop()
  await sql`delete from webhook_deliveries`
  return lateness
}

// From the moment to the receiver: timers that are due within one second, whose deliveries arrive. One worker process
// as a user starts it, against P1 and P2 together.
import { setTimeout as pause } from 'node:timers/promises'
import { type Ahead, openAhead } from './ahead.ts'
import { type DueEvents, type DuePlace, openDueEvents } from './dueEvents.ts'
import { interleaved, millis, type Row, rowOf, type Sample } from './figures.ts'
import { openPeers, type Peers } from './peers.ts'
import { openReceivers, type Receivers } from './receivers.ts'
import { each, type World } from './world.ts'

const rounds = 5
const timerCount = 4_000
/** Of the round that warms up: V8 compiles until about this many. */
const firstCount = 16_000
/** One subscription each. */
const organizationCount = 20
const inFlight = 200
const restMs = 200
const settleMs = 3_000

type Scene = { world: World; receivers: Receivers; pids: readonly number[] }

export async function benchEndToEnd(world: World): Promise<Row[]> {
  const receivers = await openReceivers(world, organizationCount)
  const events = openDueEvents(world, await makePlaces(world, receivers))
  const worker = await world.start('workers/main.ts')
  const peers = await openPeers(world, 'bench-p1-p2', receivers.urls)
  const teams = [await peers.startP1(inFlight), await peers.startP2(inFlight)]
  const sceneOf = (...workers: { pid: number }[]): Scene => ({ world, receivers, pids: workers.map(({ pid }) => pid) })
  const ahead = openAhead(0.5)
  const figures = await interleaved(rounds, {
    ours: (round) => fireOurs(sceneOf(worker), events, countOf(round)),
    baseline: (round) => fireByPeers(sceneOf(...teams), peers, ahead, countOf(round)),
  })
  await Promise.all([worker.stop(), ...teams.map((team) => team.stop())])
  await receivers.stop()
  const name = `${timerCount.toLocaleString('en')} moments in one second, until all have arrived ÷ P1 + P2`
  return [rowOf({ bench: 'end to end', name, target: { of: 'cpu', atMost: 0.35 } }, figures, millis)]
}

const countOf = (round: number) => (round === 0 ? firstCount : timerCount)

async function makePlaces(world: World, { urls }: Receivers): Promise<DuePlace[]> {
  const places: DuePlace[] = []
  for (const url of urls) {
    const organization = await world.makeOrganization()
    const { id } = await organization.create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
    await organization.create('/v1/webhooks', { url, events: ['event.started'] })
    places.push({ organization, calendarId: id })
  }
  return places
}

async function fireOurs(scene: Scene, events: DueEvents, count: number): Promise<Sample> {
  const { sql } = scene.world.app
  await sql`truncate webhook_deliveries`
  await sql`vacuum analyze timers, events`
  return timed(scene, await events.make(count, scene.receivers.reset), count)
}

async function fireByPeers(scene: Scene, peers: Peers, ahead: Ahead, count: number): Promise<Sample> {
  const { reset } = scene.receivers
  const forget = () => pause(settleMs).then(peers.clear).then(reset)
  await peers.clear()
  await reset()
  return timed(scene, await ahead(count, (atMs) => peers.addTimers(count, atMs), forget), count)
}

/** From the first moment until everything has arrived. */
async function timed({ world, receivers, pids }: Scene, startMs: number, count: number): Promise<Sample> {
  await pause(startMs - restMs - Date.now())
  const before = world.cpuMs(...pids)
  const { atMs } = await receivers.arrived(count)
  return { figure: atMs - startMs, cpuMs: each(before, world.cpuMs(...pids), count) }
}

// POST event through the whole route (gate, validation, ownership, event, timers, one delivery, audit) against bare
// Express with zod and one INSERT: one process each, the same Postgres, as many connections to it. With few connections
// nothing can share a statement or a call.
import { decodeId } from '../../src/shapes/ids.ts'
import { startBare } from './bare.ts'
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const roundMs = 2_500
/** Of the round that warms up: V8 compiles until about 40,000 requests. */
const firstMs = 10_000
const shapes = [
  { connections: 48, atLeast: 0.85 },
  { connections: 4, atLeast: 0.38 },
]
const calendarCount = 40

const body = {
  title: 'Weekly review of the open questions',
  description: 'Decisions, open points, and their owners until the next time.',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
  metadata: { topic: 'review', number: 17 },
}

export async function benchEvents(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  const calendarIds: string[] = []
  for (let nth = 0; nth < calendarCount; nth++) {
    calendarIds.push((await organization.create('/v1/calendars', { name: `Calendar ${nth}`, timezone: 'UTC' })).id)
  }
  await organization.create('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['event.created'] })
  const bare = await startBare(world, decodeId('org', organization.id)!)
  const post = (path: string) => wireRequest('POST', path, { key: organization.key, body })
  const ours = { pid: world.apiPid(), port: world.apiPort, requests: calendarIds.map((id) => post(pathOf(id))) }
  const paths = calendarIds.map((id) => `/calendars/${decodeId('cal', id)}/events`)
  const baseline = { pid: bare.pid, port: bare.ready.port!, requests: paths.map(post) }
  const rows: Row[] = []
  for (const { connections, atLeast } of shapes) {
    const ask = async ({ pid, port, requests }: typeof ours, round: number) => {
      const until = { ms: round === 0 ? firstMs : roundMs }
      const order = { port, connections, requests, status: 201, until }
      const { perSecond: figure, cpuMs } = await world.weighedLoad(pid, order)
      return { figure, cpuMs }
    }
    const figures = await interleaved(rounds, {
      ours: (round) => ask(ours, round),
      baseline: (round) => ask(baseline, round),
    })
    const name = `POST event, whole route, ${connections} connections`
    rows.push(rowOf({ bench: 'events', name, target: { atLeast } }, figures, perSecond))
  }
  await bare.stop()
  return rows
}

const pathOf = (calendarId: string) => `/v1/calendars/${calendarId}/events`

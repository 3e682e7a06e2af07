// POST event with an Idempotency-Key against the same without one, and answers that are sent again against creates.
import { randomUUID } from 'node:crypto'
import { interleaved, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const answers = 6_000
const connections = 48
const calendarCount = 40

const body = {
  title: 'Weekly review of the open questions',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
}

export async function benchAnswers(world: World): Promise<Row[]> {
  const { key, create } = await world.makeOrganization()
  const paths: string[] = []
  for (let nth = 0; nth < calendarCount; nth++) {
    const { id } = await create('/v1/calendars', { name: `Calendar ${nth}`, timezone: 'UTC' })
    paths.push(`/v1/calendars/${id}/events`)
  }
  const post = (path: string, idempotencyKey?: string) =>
    wireRequest('POST', path, {
      key,
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    })
  const ask = async (requests: readonly string[]) => {
    const order = { port: world.apiPort, connections, requests, status: 201, until: { answers } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const plain = paths.map((path) => post(path))
  const fresh = () => Array.from({ length: answers }, (_, nth) => post(paths[nth % paths.length]!, randomUUID()))
  const known = Array.from({ length: 400 }, (_, nth) => post(paths[nth % paths.length]!, `known-${nth}`))
  await ask(known)
  const figures = await interleaved(rounds, {
    plain: () => ask(plain),
    keyed: () => ask(fresh()),
    again: () => ask(known),
  })
  const bench = 'answers'
  return [
    rowOf(
      { bench, name: 'POST event with a key ÷ without', target: { atLeast: 0.8 } },
      { ours: figures.keyed, baseline: figures.plain },
      perSecond,
    ),
    rowOf(
      { bench, name: 'known key ÷ POST event', target: { atLeast: 1.2 } },
      { ours: figures.again, baseline: figures.plain },
      perSecond,
    ),
  ]
}

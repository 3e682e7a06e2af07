// The change feed: the cost of readers for the writers, an empty poll, catching up, and the delay of a waiting reader.
import { setTimeout as pause } from 'node:timers/promises'
import { callOf, made, type Organization } from '../world/client.ts'
import { percentile } from '../world/report.ts'
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const answers = 2_400
const connections = 48
const calendarCount = 40
/** As many as one key may have. */
const readerCount = 5
const polls = 200
const chains = 4
const toldPerRound = 30
/** Until the reader waits. */
const settleMs = 20

const body = {
  title: 'Weekly review of the open questions',
  start_time: '2031-03-02T09:00:00Z',
  end_time: '2031-03-02T10:00:00Z',
}

type Scene = { world: World; key: string; paths: string[]; page: (query: object) => Promise<Page> }
type Page = { data: unknown[]; cursor: string; has_more: boolean }

export async function benchChangeFeed(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  const scene = await setScene(world, organization)
  return [
    await besideReaders(scene),
    await emptyPoll(scene, (await organization.create('/v1/agents', { name: 'Agent', type: 'ai' })).id),
    await catchingUp(scene),
    ...(await untilTold(scene)),
  ]
}

async function setScene(world: World, { key, create }: Organization): Promise<Scene> {
  const paths: string[] = []
  while (paths.length < calendarCount) {
    const { id } = await create('/v1/calendars', { name: `Calendar ${paths.length}`, timezone: 'UTC' })
    paths.push(`/v1/calendars/${id}/events`)
  }
  const call = callOf(world.baseUrls[0])
  const page = (query: object) => made(call('GET', `/v1/changes?${new URLSearchParams({ ...query })}`, { key }))
  return { world, key, paths, page }
}

async function besideReaders({ world, key, paths, page }: Scene): Promise<Row> {
  const requests = paths.map((path) => wireRequest('POST', path, { key, body }))
  const write = async () => {
    const order = { port: world.apiPort, connections, requests, status: 201, until: { answers } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const writeRead = async () => {
    let isOver = false
    const reading = Array.from({ length: readerCount }, async () => {
      let { cursor } = await page({})
      while (!isOver) cursor = (await page({ cursor, wait: 1, limit: 200, payload: 'none' })).cursor
    })
    const sample = await write()
    isOver = true
    await Promise.all(reading)
    return sample
  }
  const figures = await interleaved(rounds, { ours: writeRead, baseline: write })
  const name = `POST event while ${readerCount} readers follow ÷ alone`
  return rowOf({ bench: 'changeFeed', name, target: { atLeast: 0.8 } }, figures, perSecond)
}

async function emptyPoll({ world, key, page }: Scene, agentId: string): Promise<Row> {
  const { cursor } = await page({})
  const ask = (path: string) => async () => {
    const requests = [wireRequest('GET', path, { key })]
    const order = { port: world.apiPort, connections: 1, requests, status: 200, until: { answers: polls } }
    const { p50Ms, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure: p50Ms, cpuMs }
  }
  const figures = await interleaved(rounds, {
    ours: ask(`/v1/changes?cursor=${encodeURIComponent(cursor)}`),
    baseline: ask(`/v1/agents/${agentId}`),
  })
  const name = 'a poll that finds nothing ÷ GET agent'
  return rowOf({ bench: 'changeFeed', name, target: { atMost: 1.5 } }, figures, millis)
}

/** Reads all entries of the writers with several readers at once. */
async function catchingUp({ page }: Scene): Promise<Row> {
  const wanted = 5_000
  const readAll = async () => {
    let count = 0
    for (let cursor = 'oldest', isMore = true; isMore; ) {
      const read = await page({ cursor, limit: 200 })
      count += read.data.length
      cursor = read.cursor
      isMore = read.has_more
    }
    return count
  }
  const ours = async () => {
    const startedMs = performance.now()
    const counts = await Promise.all(Array.from({ length: chains }, readAll))
    return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedMs) / 1_000)
  }
  const figures = await interleaved(rounds, { ours, baseline: () => wanted })
  return rowOf(
    { bench: 'changeFeed', name: 'catching up ÷ 5,000 entries/s', target: { atLeast: 1 } },
    figures,
    perSecond,
  )
}

/** From the answer to the writer to the answer of the reader. */
async function untilTold({ world, key, paths, page }: Scene): Promise<Row[]> {
  const call = callOf(world.baseUrls[0])
  const lags: number[][] = []
  const tellOnce = async () => {
    const { cursor } = await page({})
    const told = page({ cursor, wait: 10 }).then(() => performance.now())
    await pause(settleMs)
    await made(call('POST', paths[0]!, { key, body }))
    const committedMs = performance.now()
    return Math.max(0, (await told) - committedMs)
  }
  while (lags.length <= rounds) {
    const round: number[] = []
    while (round.length < toldPerRound) round.push(await tellOnce())
    lags.push(round)
    process.stdout.write('.')
  }
  const row = (share: number, goalMs: number) => {
    // The first round warms up.
    const ours = lags.slice(1).map((round) => percentile(round, share))
    const name = `from a change to a waiting reader, p${share * 100} ÷ ${goalMs} ms`
    return rowOf(
      { bench: 'changeFeed', name, target: { atMost: 1 } },
      { ours, baseline: ours.map(() => goalMs) },
      millis,
    )
  }
  return [row(0.5, 50), row(0.99, 500)]
}

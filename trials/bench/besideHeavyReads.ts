// `npm run trial -- heavy-reads`: how long the health check and another organization wait while one organization, with
// eight calendars of 49,000 imported events, sends eight large reads at once; and how long without these.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { isoTime } from '../../src/shapes/datetimes.ts'
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { callOf, made } from '../world/client.ts'
import { percentile } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { copyEvents } from './copyEvents.ts'
import { openWorld, type World } from './world.ts'

const parallel = 8
const eventsEach = 49_000
const stepMs = 10 * minuteMs
const seconds = 10
const maxMs = 10 * 60_000
const firstMs = Math.floor(Date.now() / dayMs) * dayMs
const iso = (ms: number) => isoTime(new Date(ms))

type Heavy = { orgId: string; key: string; session: string; calendars: { id: string; feed: string }[] }

const headers = (bearer: string) => ({ authorization: `Bearer ${bearer}` })

async function makeHeavy(world: World): Promise<Heavy> {
  const call = callOf(world.baseUrls[0])
  const { version } = await made(call('GET', '/v1/auth/terms/current'))
  const account = { email: 'heavy@example.com', password: 'correct horse battery', tos_version: version }
  const { token, org } = await made(call('POST', '/v1/auth/signup', { body: account }))
  const { key } = await made(call('POST', '/v1/auth/keys', { key: token, body: {} }))
  const changes = { plan: 'custom', rate_limit_per_second: 1_000_000 }
  await made(call('PATCH', `/v1/admin/orgs/${org.id}`, { key: world.adminToken, body: changes }))
  const orgId = decodeId('org', org.id)!
  const calendars = []
  for (let nth = 0; nth < parallel; nth++) {
    const calendar = { name: `Imported ${nth}`, timezone: 'UTC' }
    const { id, ical_url } = await made(call('POST', '/v1/calendars', { key, body: calendar }))
    calendars.push({ id, feed: `${world.baseUrls[0]}${new URL(ical_url).pathname}` })
    await copyEvents(world, { orgId, calendarId: decodeId('cal', id)!, source: 'external_ical' }, importedEvents())
  }
  await world.app.sql`vacuum analyze events`
  return { orgId, key, session: token, calendars }
}

function* importedEvents() {
  for (let nth = 0; nth < eventsEach; nth++) {
    const startMs = firstMs + nth * stepMs
    yield { id: newId(), title: 'Imported event', startMs, endMs: startMs + 30 * minuteMs }
  }
}

type Read = (nth: number, signal: AbortSignal) => Promise<Response>

const readsOf = (world: World, api: string, { orgId, key, session, calendars }: Heavy): Record<string, Read> => {
  const get = (path: string, signal: AbortSignal, bearer = key) =>
    fetch(path.startsWith('http') ? path : api + path, { headers: headers(bearer), signal })
  const year = `start_after=${iso(firstMs)}&start_before=${iso(firstMs + 365 * dayMs)}`
  const events = `/v1/calendars/${calendars[0]!.id}/events`
  return {
    'expanded lists, offset 40,000': (_, signal) => get(`${events}?expand=true&${year}&limit=200&offset=40000`, signal),
    'plain lists, offset 40,000': (_, signal) => get(`${events}?limit=200&offset=40000`, signal),
    'availability of a year': (nth, signal) => {
      const window = `start=${iso(firstMs + nth)}&end=${iso(firstMs + 364 * dayMs)}`
      return get(`/v1/calendars/${calendars[0]!.id}/availability?${window}`, signal)
    },
    'feeds, each written anew': async (nth, signal) => {
      const { id, feed } = calendars[nth % parallel]!
      await world.app.sql`
        update calendars set revision = revision + 1 where org_id = ${orgId} and id = ${decodeId('cal', id)!}`
      return get(feed, signal)
    },
    exports: (_, signal) => get('/v1/auth/export', signal, session),
  }
}

/** Eight clients send one read after the other until time is up; reads still open then are aborted. */
async function flood(read: Read, untilMs: number) {
  const statuses: Record<string, number> = {}
  const tookMs: number[] = []
  const cut = new AbortController()
  setTimeout(() => cut.abort(), untilMs - performance.now())
  const client = async (nth: number) => {
    for (let round = 0; performance.now() < untilMs; round++) {
      const startedMs = performance.now()
      try {
        const answer = await read(round * parallel + nth, cut.signal)
        await answer.arrayBuffer()
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        tookMs.push(performance.now() - startedMs)
        if (answer.status === 429) await pause(1_000, undefined, { signal: cut.signal })
      } catch {
        if (!cut.signal.aborted) statuses.broken = (statuses.broken ?? 0) + 1
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, (_, nth) => client(nth)))
  return { statuses, p50Ms: percentile(tookMs, 0.5) }
}

/** Asks forty times a second, however long the answers take. */
async function probe(url: string, bearer: string, untilMs: number): Promise<string> {
  const tookMs: number[] = []
  let failed = 0
  const asked: Promise<void>[] = []
  const ask = async () => {
    const startedMs = performance.now()
    const answer = await fetch(url, { headers: headers(bearer) })
    await answer.arrayBuffer()
    tookMs.push(performance.now() - startedMs)
    if (!answer.ok) failed++
  }
  for (; performance.now() < untilMs; await pause(25)) asked.push(ask())
  await Promise.all(asked)
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => `${Math.round(percentile(tookMs, share))}`)
  return `${p50} / ${p99} / ${worst} ms${failed ? `, ${failed} of ${tookMs.length} failed` : ''}`
}

const titles = [
  'Beside',
  'answers',
  'p50 of them',
  '/healthz p50 / p99 / worst',
  'another organization p50 / p99 / worst',
]
const sayRow = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

async function runAll(world: World): Promise<void> {
  const api = world.baseUrls[0]
  const heavy = await makeHeavy(world)
  const other = await world.makeOrganization()
  sayRow(titles)
  sayRow(titles.map(() => '---'))
  const cases: [string, Read | undefined][] = [['nothing', undefined], ...Object.entries(readsOf(world, api, heavy))]
  for (const [name, read] of cases) {
    const untilMs = performance.now() + seconds * 1_000
    const [flooded, health, list] = await Promise.all([
      read && flood(read, untilMs),
      probe(`${api}/healthz`, '', untilMs),
      probe(`${api}/v1/agents`, other.key, untilMs),
    ])
    const answers = flooded ? JSON.stringify(flooded.statuses) : ''
    sayRow([name, answers, flooded ? `${Math.round(flooded.p50Ms)}` : '', health, list])
    await pause(2_000)
  }
}

process.exit(
  await runTrial<World>({
    what: 'Starting Postgres, Redis and an API process',
    stop: listenForStop(),
    maxMs,
    open: openWorld,
    run: runAll,
    isWrong: () => false,
    report: () => undefined,
  }),
)

// `node trials/bench/besideHeavyReads.ts`: how long the health check and another organization wait while one organization,
// with eight calendars of 49,000 imported events, sends eight large reads at once. Alone and beside are measured in one run.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { titlePlace } from '../../src/events/present.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { percentile } from './figures.ts'
import { openWorld, type World } from './world.ts'

const parallel = 8
const eventsEach = 49_000
const stepMs = 10 * 60_000
const seconds = 10
const firstMs = Math.floor(Date.now() / dayMs) * dayMs
const iso = (ms: number) => new Date(ms).toISOString()

type Heavy = { orgId: string; key: string; session: string; calendars: { id: string; feed: string }[] }

const headers = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' })

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
async function json(url: string, bearer: string, method = 'GET', body?: object): Promise<any> {
  const answer = await fetch(url, { method, headers: headers(bearer), ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function makeHeavy(world: World, api: string): Promise<Heavy> {
  const { version } = await json(`${api}/v1/auth/terms/current`, '')
  const account = { email: 'heavy@example.com', password: 'correct horse battery', tos_version: version }
  const { token, org } = await json(`${api}/v1/auth/signup`, '', 'POST', account)
  const { key } = await json(`${api}/v1/auth/keys`, token, 'POST', {})
  const changes = { plan: 'custom', rate_limit_per_second: 1_000_000 }
  await json(`${api}/v1/admin/orgs/${org.id}`, world.env.ADMIN_TOKEN!, 'PATCH', changes)
  const calendars = []
  for (let nth = 0; nth < parallel; nth++) {
    const made = await json(`${api}/v1/calendars`, key, 'POST', { name: `Imported ${nth}`, timezone: 'UTC' })
    calendars.push({ id: made.id, feed: `${api}${new URL(made.ical_url).pathname}` })
    await importEvents(world, decodeId('org', org.id)!, decodeId('cal', made.id)!)
  }
  await world.app.sql`vacuum analyze events`
  return { orgId: decodeId('org', org.id)!, key, session: token, calendars }
}

/** As a feed would leave them. */
async function importEvents({ app }: World, orgId: string, calendarId: string): Promise<void> {
  const { config, sealer } = app
  const sql = postgres(config.databaseUrl, { max: 1 })
  const now = iso(Date.now())
  const copy = await sql`
    copy events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata, created_at,
      updated_at) from stdin`.writable()
  for (let nth = 0; nth < eventsEach; nth++) {
    const id = newId()
    const title = `\\\\x${sealer.seal(titlePlace(id), 'Imported event').toString('hex')}`
    const start = firstMs + nth * stepMs
    const times = [iso(start), iso(start + 1_800_000)]
    const line = [orgId, id, calendarId, title, ...times, 'confirmed', 'external_ical', '{}', now, now].join('\t')
    if (!copy.write(`${line}\n`)) await once(copy, 'drain')
  }
  copy.end()
  await once(copy, 'finish')
  await sql.end()
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

/** Sent one after the other by each of eight clients until time is up; what is open then is cut off. */
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
  return { statuses, p50Ms: tookMs.length ? percentile(tookMs, 0.5) : Number.NaN }
}

/** Forty times a second, whatever the answers before took. */
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

const world = await openWorld()
try {
  const api = `http://127.0.0.1:${world.apiPort}`
  const heavy = await makeHeavy(world, api)
  const other = await world.makeOrganization()
  console.log(
    '| Beside | answers | p50 of them | /healthz p50 / p99 / worst | another organization p50 / p99 / worst |',
  )
  console.log('|---|---|---|---|---|')
  const cases: [string, Read | undefined][] = [['nothing', undefined], ...Object.entries(readsOf(world, api, heavy))]
  for (const [name, read] of cases) {
    const untilMs = performance.now() + seconds * 1_000
    const [flooded, health, list] = await Promise.all([
      read && flood(read, untilMs),
      probe(`${api}/healthz`, '', untilMs),
      probe(`${api}/v1/agents`, other.key, untilMs),
    ])
    const answers = flooded ? JSON.stringify(flooded.statuses) : ''
    console.log(`| ${name} | ${answers} | ${flooded ? Math.round(flooded.p50Ms) : ''} | ${health} | ${list} |`)
    await pause(2_000)
  }
} finally {
  await world.close()
}
process.exit(0)

// `npm run trial -- feed large [entries] [waits]`: the cost of the change feed when it is large. A reader catches up with
// 1,000,000 entries, and with 10,000; 5,000 readers wait in one process, with Redis and without.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { type App, closeApp, openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { cpuMsOf } from '../bench/cpu.ts'
import { memoryMbOf } from '../bench/memory.ts'
import { callOf, made, makeOrganization, type Organization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { percentile, table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { fillFeed } from './fill.ts'
import { type WaitingSocket, waitBySocket } from './sockets.ts'

const entryCount = Number(process.argv[2] ?? 1_000_000)
const waitCount = Number(process.argv[3] ?? 5_000)
/** Each page costs the same, so the first ones are enough. */
const maxRead = 100_000
const waitsPerKey = 5
const teamsPerOrganization = 20
/** Each change reaches five readers. */
const changesTold = 40
const asks = 200
const idleMs = 20_000
/** Between the readers of two keys, as they begin. */
const beginEveryMs = 20
const gatherWithinMs = 60_000
/** A wait ends by itself after this long, and is begun again. */
const waitSeconds = 55

type Site = Installation & Closable & { app: App }
type Page = { data: unknown[]; cursor: string; has_more: boolean }

const figures: [string, string][] = []
const note = (name: string, value: string) => {
  figures.push([name, value])
  console.log(`  ${name}: ${value}`)
}

/** Until everything was measured. */
let isWrong = true

const stop = listenForStop()
process.exit(
  await runTrial<Site>({
    what: `A feed of ${entryCount.toLocaleString('en')} entries, and ${waitCount.toLocaleString('en')} readers that wait`,
    stop,
    maxMs: 45 * 60_000,
    open: () =>
      openAll('feed', async (opened) => {
        const env = { LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }
        const installation = await openInstallation(opened, { workers: 0, durable: true, env })
        const app = openApp(readConfig(installation.env), {
          name: 'trial',
          connections: 5,
          statementDeadlineMs: 120_000,
        })
        opened.onClose(() => closeApp(app))
        return { ...installation, app }
      }),
    async run(site, stopped) {
      await catchUp(site, 10_000)
      stopped.throwIfAborted()
      await catchUp(site, entryCount)
      stopped.throwIfAborted()
      await waitTogether(site, stopped)
    },
    isWrong: () => isWrong,
    report: () => table(['figure', 'value'], figures),
  }),
)

function openOrganization({ baseUrls, adminToken }: Installation): Promise<Organization> {
  return makeOrganization(callOf(baseUrls[0]), adminToken)
}

async function eventOf({ create }: Organization) {
  const calendar = await create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })
  const times = { start_time: '2031-03-02T09:00:00Z', end_time: '2031-03-02T10:00:00Z' }
  const event = await create(`/v1/calendars/${calendar.id}/events`, { title: 'Weekly review', ...times })
  return { calendar, event }
}

function cpuMs(site: Site): number {
  return cpuMsOf([site.apis[0]!.pid(), site.store('postgres').pid, site.store('redis').pid]) ?? 0
}

/** One reader, from a cursor before all of it to its end. */
async function catchUp(site: Site, count: number): Promise<void> {
  const organization = await openOrganization(site)
  const { calendar, event } = await eventOf(organization)
  const page = async (cursor: string): Promise<Page> => {
    const query = new URLSearchParams({ limit: '200', cursor })
    for (;;) {
      const { status, body } = await callOf(site.baseUrls[0])('GET', `/v1/changes?${query}`, { key: organization.key })
      if (status === 200) return body
      if (status !== 503) throw new Error(`${status} ${JSON.stringify(body)}`)
      // A busy machine: asked again.
      late++
    }
  }
  let late = 0
  const { cursor } = await made(callOf(site.baseUrls[0])('GET', '/v1/changes', { key: organization.key }))
  const copied = {
    orgId: decodeId('org', organization.id)!,
    calendarId: decodeId('cal', calendar.id)!,
    resourceId: decodeId('evt', event.id)!,
    payload: { calendar_id: calendar.id, event },
  }
  await fillFeed(site.app, copied, count)
  const [beganMs, cpuBefore] = [performance.now(), cpuMs(site)]
  const pageMs: number[] = []
  let read = 0
  for (let next = cursor, isMore = true; isMore && read < maxRead; ) {
    const askedMs = performance.now()
    const { data, has_more, cursor: following } = await page(next)
    pageMs.push(performance.now() - askedMs)
    read += data.length
    next = following
    isMore = has_more
  }
  const seconds = (performance.now() - beganMs) / 1_000
  const what = `${count.toLocaleString('en')} entries`
  if (read !== Math.min(count, maxRead)) throw new Error(`${what}: ${read} were read`)
  const tenth = Math.ceil(pageMs.length / 10)
  const middleOf = (some: readonly number[]) => `${percentile(some, 0.5).toFixed(1)} ms`
  note(`${what}: a second`, Math.round(read / seconds).toLocaleString('en'))
  note(`${what}: processor time of an entry`, `${(((cpuMs(site) - cpuBefore) / read) * 1_000).toFixed(0)} µs`)
  note(`${what}: first page`, `${pageMs[0]!.toFixed(0)} ms${late > 0 ? `, after ${late} times 503` : ''}`)
  note(
    `${what}: pages of the first tenth, of the last`,
    `${middleOf(pageMs.slice(1, tenth))}, ${middleOf(pageMs.slice(-tenth))}`,
  )
  note(`${what}: memory of the process afterwards`, `${memoryMbOf(site.apis[0]!.pid())} MB`)
}

/** An agent of an organization with a calendar and a key of its own: its changes go to the readers of that key. */
type Team = { organization: Organization; calendarId: string; key: string; cursor: string }

async function openTeam(site: Site, organization: Organization): Promise<Team> {
  const { id: agentId } = await organization.create('/v1/agents', { name: 'Agent', type: 'ai' })
  const calendar = await organization.create(`/v1/agents/${agentId}/calendars`, { name: 'Calendar', timezone: 'UTC' })
  const { key } = await organization.create('/v1/keys', { agent_id: agentId })
  return { organization, calendarId: calendar.id, key, cursor: await cursorOf(site, organization) }
}

async function cursorOf({ baseUrls }: Site, { key }: Organization): Promise<string> {
  return (await made(callOf(baseUrls[0])('GET', '/v1/changes', { key }))).cursor
}

async function waitTogether(site: Site, stopped: AbortSignal): Promise<void> {
  const teams: Team[] = []
  for (let organization: Organization | undefined; teams.length < waitCount / waitsPerKey; ) {
    if (!organization || teams.length % teamsPerOrganization === 0) organization = await openOrganization(site)
    teams.push(await openTeam(site, organization))
  }
  const bystander = await openOrganization(site)
  const { id: bystanderId } = await bystander.create('/v1/agents', { name: 'Agent', type: 'ai' })
  const askOthers = async (when: string) => {
    const times: number[] = []
    while (times.length < asks) {
      const askedMs = performance.now()
      await made(callOf(site.baseUrls[0])('GET', `/v1/agents/${bystanderId}`, { key: bystander.key }))
      times.push(performance.now() - askedMs)
    }
    note(
      `GET agent ${when}, p50, p99`,
      [0.5, 0.99].map((share) => `${percentile(times, share).toFixed(1)} ms`).join(', '),
    )
  }
  const api = site.apis[0]!
  const waitOn = (team: Team) =>
    waitBySocket(api.port, {
      path: `/v1/changes?wait=${waitSeconds}&cursor=${encodeURIComponent(team.cursor)}`,
      key: team.key,
    })

  await askOthers('while nobody waits')
  const memoryBefore = memoryMbOf(api.pid()) ?? Number.NaN
  const waiting = new Map<Team, WaitingSocket[]>()
  let isOver = false
  /** Like clients: a reader with an answer waits again. */
  const keepWaiting = async (team: Team, nth: number, sockets: WaitingSocket[]) => {
    while (!isOver) {
      const waits = await waitOn(team)
      sockets[nth] = waits
      await waits.answeredMs.catch(() => {})
      waits.socket.destroy()
      await pause(50)
    }
  }
  const all: Promise<void>[] = []
  for (const team of teams) {
    const sockets: WaitingSocket[] = []
    waiting.set(team, sockets)
    for (let nth = 0; nth < waitsPerKey; nth++) all.push(keepWaiting(team, nth, sockets))
    await pause(beginEveryMs, undefined, { signal: stopped })
  }
  const until = performance.now() + gatherWithinMs
  while ((await waitsOf(api.metricsPort)) < waitCount && performance.now() < until) await pause(500)
  note('readers that wait', String(await waitsOf(api.metricsPort)))
  note('memory of the process before and with them', `${memoryBefore} MB, ${memoryMbOf(api.pid())} MB`)

  const cpuBefore = cpuMs(site)
  await pause(idleMs, undefined, { signal: stopped })
  note(
    'processor of the service while they wait',
    `${(((cpuMs(site) - cpuBefore) / idleMs) * 100).toFixed(1)} % of a core`,
  )
  await askOthers('while they wait')

  const full = await callOf(site.baseUrls[0])('GET', '/v1/changes?wait=5', { key: bystander.key })
  const isFull = full.status === 503 || (await waitsOf(api.metricsPort)) < waitCount
  note('one more', `${full.status}`)

  await tell('from a change to its waiting readers, p50, p99')
  await site.store('redis').stop('now')
  await pause(3_000)
  await tell('the same without Redis')
  await site.restartStore('redis')
  await pause(3_000)
  await tell('the same with Redis back')
  isWrong = !isFull
  isOver = true
  for (const sockets of waiting.values()) for (const { socket } of sockets) socket.destroy()
  await Promise.allSettled(all)

  async function tell(what: string): Promise<void> {
    const lags: number[] = []
    for (let nth = 0; nth < changesTold; nth++) {
      const team = teams[nth % teams.length]!
      const answers = waiting.get(team)!.map(({ answeredMs }) => answeredMs)
      await team.organization.create(`/v1/calendars/${team.calendarId}/events`, {
        ...{ title: 'Told', start_time: '2031-03-02T09:00:00Z', end_time: '2031-03-02T10:00:00Z' },
      })
      const committedMs = performance.now()
      // Before a reader waits again.
      team.cursor = await cursorOf(site, team.organization)
      for (const answered of await Promise.allSettled(answers)) {
        if (answered.status === 'fulfilled') lags.push(Math.max(0, answered.value - committedMs))
      }
      await pause(200)
    }
    note(what, [0.5, 0.99].map((share) => `${percentile(lags, share).toFixed(0)} ms`).join(', '))
  }
}

async function waitsOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^calendar_feed_waits\S* (\d+)$/m.exec(text)?.[1])
}

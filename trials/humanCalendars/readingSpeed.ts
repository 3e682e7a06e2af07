// Goal 3: how long a change at a provider takes until agents see it.
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../world/report.ts'
import { startSteadily } from '../world/steadily.ts'
import { type Desk, openDesk } from './desk.ts'
import { type Goal, type Size, say, seconds, until } from './goal.ts'
import { atRest, isoOf } from './human.ts'
import { quickly, type Site } from './site.ts'

const perSecond = 20
const forMs = 20_000
const dayMs = 86_400_000
const hourMs = 3_600_000
const asked = 20

type Source = { desk: Desk; agentId: string; remote: string }

export const readingSpeed: Goal = {
  nth: 3,
  what: 'change at the provider, told at once → agents see it, 20/s over 200 calendars',
  goal: 'p50 ≤ 2 s, p99 ≤ 10 s',
  rules: [
    {
      what: 'what is announced while a read is under way makes the calendars due again',
      cuts: [
        {
          file: 'src/externalCalendars/readWrites.ts',
          from: '(notified > ',
          to: ' or wanted_claim',
          instead: '(wanted_claim',
        },
      ],
    },
  ],
  async run(site, size) {
    const sources = await openWatched(site, size)
    const { p50, p99, count, hidden } = await measureReading(site, sources, size)
    return {
      isMet: p50 <= 2_000 && p99 <= 10_000 && hidden === 0,
      figures: `p50 ${seconds(p50)}, p99 ${seconds(p99)} of ${count} changes; ${hidden} hidden from agents`,
    }
  },
}

/** Calendars that were read and have a channel each. */
export async function openWatched(site: Site, size: Size): Promise<Source[]> {
  const sources = await quickly(site, () => openSources(site, size))
  await untilWatched(site, sources.length)
  await atRest(site)
  say(`${sources.length} calendars are watched`)
  return sources
}

export const untilWatched = ({ google: { channels } }: Site, count: number): Promise<number> =>
  until('each calendar has a channel', 300_000, async () => {
    await channels.settled()
    return channels.living.size >= count
  })

let hours = 0

export async function measureReading(site: Site, sources: readonly Source[], size: Size) {
  say(`changing ${size.of(perSecond)} a second for ${seconds(forMs)}`)
  const changed = new Map<number, { at: number; source: Source }>()
  const seen = new Map<number, number>()
  const base = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
  const change = (source: Source) => {
    const startMs = base + hours++ * hourMs
    changed.set(startMs, { at: Date.now(), source })
    site.google.addEvent(source.remote, isoOf(startMs), isoOf(startMs + hourMs / 2))
  }
  let places = 0
  /** The second one comes while the first one is read. */
  const changeTwice = async () => {
    const source = sources[places++ % sources.length]!
    change(source)
    await pause(100)
    change(source)
  }
  const load = startSteadily(size.of(perSecond) / 2, [changeTwice])
  const began = Date.now()
  while (Date.now() - began < forMs || (seen.size < changed.size && Date.now() - began < forMs + 120_000)) {
    if (Date.now() - began >= forMs) await load.stop()
    await look(site, changed, seen)
    await pause(50)
  }
  await load.stop()
  const lags = [...changed].map(([startMs, { at }]) => (seen.get(startMs) ?? Number.POSITIVE_INFINITY) - at)
  const hidden = await hiddenFromAgents([...changed].slice(-asked))
  return { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), count: lags.length, hidden }
}

/** The changes that the copies have. Answers come from what is stored. */
async function look({ sql }: Site, changed: ReadonlyMap<number, unknown>, seen: Map<number, number>): Promise<void> {
  const waited = [...changed.keys()].filter((startMs) => !seen.has(startMs))
  if (waited.length === 0) return
  const rows = await sql<{ start_time: Date }[]>`
    select distinct start_time from external_busy where start_time in ${sql(waited.map(isoOf))}`
  const now = Date.now()
  for (const row of rows) seen.set(row.start_time.getTime(), now)
}

/** How many of the last changes an agent's answer lacks. */
async function hiddenFromAgents(changes: [number, { source: Source }][]): Promise<number> {
  let hidden = 0
  for (const [startMs, { source }] of changes) {
    const query = { start: isoOf(startMs), end: isoOf(startMs + hourMs / 2), duration: '30m' }
    const answer = await source.desk.ask(
      'GET',
      `/v1/agents/${source.agentId}/availability?${new URLSearchParams(query)}`,
    )
    if (answer.slots.length > 0) hidden++
  }
  return hidden
}

/** Fifty humans with four calendars each, in five organizations. */
async function openSources(site: Site, size: Size): Promise<Source[]> {
  const sources: Source[] = []
  for (let nth = 0; nth < 5; nth++) {
    const desk = await openDesk(site)
    for (let human = 0; human < size.of(10); human++) {
      const account = await desk.connect('google', ['availability'], 4)
      const ids = account.calendars.map(({ id }) => id)
      const { agentId } = await desk.makeAgent()
      await desk.select(account, ids)
      await desk.grant(agentId, ids)
      sources.push(...account.calendars.map(({ remote }) => ({ desk, agentId, remote })))
    }
  }
  return sources
}

// Goals 1 and 2: after any fault the provider holds exactly the expected copies, and then nothing more is written.
import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderName } from '../../src/providers/rules.ts'
import { startSteadily } from '../world/steadily.ts'
import { breakThings, disturbAnswers, hasten } from './chaos.ts'
import { type Comparison, compareCopies, copiesOf } from './copies.ts'
import { type Account, openDesk } from './desk.ts'
import { type Goal, say, until } from './goal.ts'
import { quickly, type Site } from './site.ts'
import { tellStory } from './stories.ts'
import { isRead, isWrite } from './traffic.ts'

const eventCount = 1_000
const forMs = 60_000
const maxDrainMs = 600_000
const providers: readonly ProviderName[] = ['google', 'microsoft', 'caldav']

type Published = { account: Account; calendarId: string; wanted: Map<string, number> }

/** Of goal 1, for goal 2. */
const left = new WeakMap<Site, Published[]>()

export const exactCopies: Goal = {
  nth: 1,
  what: '1,000 events made, moved, cancelled, confirmed in 60 s into a calendar of each provider, while everything breaks',
  goal: '0 lost, 0 double, 0 orphaned',
  rules: [
    {
      what: 'the name of a copy follows from its event',
      cuts: [
        {
          file: 'src/copyWriter/key.ts',
          from: "digests('copy', `",
          instead: "digests('copy', Math.random() + `",
        },
      ],
    },
    {
      what: 'an event that changes while its copy is written stays due',
      cuts: [
        {
          file: 'src/copyWriter/leaseWrites.ts',
          from: 'next_attempt_at = case when p.wanted = ',
          to: '} then',
          instead: 'next_attempt_at = case when true then',
        },
      ],
    },
    {
      what: 'a name that was used is used up: the next copy is of another generation',
      cuts: [{ file: 'src/copyWriter/outcome.ts', from: 'generation: generation + 1', instead: 'generation' }],
    },
  ],
  async run(site, size) {
    const count = size.of(eventCount)
    const { desk, places } = await quickly(site, () => openPlaces(site))
    left.set(site, places)
    site.traffic.fate = disturbAnswers
    let isOver = false
    let begun = 0
    const stories: Promise<void>[] = []
    const failures: string[] = []
    const tell = async () => {
      if (begun >= count) return
      const nth = ++begun
      const story = tellStory(site, { desk, ...places[nth % places.length]! }, nth)
      stories.push(story.catch((error) => void failures.push(String(error))))
      await story.catch(() => {})
    }
    const breaking = breakThings(site, () => isOver)
    const load = startSteadily((count / forMs) * 1_000 * 1.05, [tell])
    const hastening = setInterval(() => void hasten(site).catch(() => {}), 1_000)
    try {
      await pause(forMs)
      // On a slow machine it takes longer.
      await until('every story is begun', 240_000, async () => begun >= count)
      await load.stop()
      isOver = true
      const broken = await breaking
      await Promise.all(stories)
      say(`${begun} stories are told; ${broken.killed} workers killed, Redis flushed ${broken.flushed} times; draining`)
      await Promise.all(site.workers.map((worker) => worker.ready()))
      const drainMs = await until('everything is written', maxDrainMs, async () => (await dueCount(site)) === 0, 2_000)
      say(`drained after ${Math.round(drainMs / 1_000)} s`)
      const found = await compareAll(site, places)
      const sum = (part: keyof Comparison) => found.reduce((all, { comparison }) => all + comparison[part].length, 0)
      const counts = (['lost', 'double', 'orphaned', 'outdated'] as const).map((part) => `${sum(part)} ${part}`)
      const wrong = sum('lost') + sum('double') + sum('orphaned') + sum('outdated') + failures.length
      return {
        isMet: wrong === 0 && begun === count,
        figures: `${counts.join(', ')} of ${begun} events; ${broken.killed} kills, ${broken.flushed} flushes, ${broken.restarted} restart; drained in ${Math.round(drainMs / 1_000)} s`,
        notes: [...found.flatMap(notesOf), ...failures.slice(0, 5)],
      }
    } finally {
      isOver = true
      clearInterval(hastening)
    }
  },
}

async function openPlaces(site: Site) {
  const desk = await openDesk(site)
  const places: Published[] = []
  for (const provider of providers) {
    const account = await desk.connect(provider, ['availability', 'publishing'])
    const { id } = account.calendars[0]!
    const { agentId, calendarId } = await desk.makeAgent()
    await desk.select(account, [id])
    await desk.grant(agentId, [id])
    await desk.publish(calendarId, id)
    places.push({ account, calendarId, wanted: new Map() })
  }
  return { desk, places }
}

async function dueCount({ sql }: Site): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from publications where next_attempt_at is not null`
  return row!.count
}

const compareAll = (site: Site, places: readonly Published[]) =>
  Promise.all(
    places.map(async ({ account, wanted }) => ({
      provider: account.provider,
      comparison: compareCopies(wanted, await copiesOf(site, account)),
    })),
  )

const notesOf = ({ provider, comparison }: { provider: string; comparison: Comparison }): string[] =>
  Object.entries(comparison).flatMap(([part, titles]) =>
    titles.length > 0 ? [`${provider}: ${part}: ${titles.slice(0, 5).join(', ')}`] : [],
  )

const hourMs = 3_600_000
const stepMs = 300_000

export const noLoops: Goal = {
  nth: 2,
  what: 'an hour of set clock after 1, messages of providers on',
  goal: '0 writes, reads by period only',
  rules: [
    {
      what: 'nothing is written because a copy has changed',
      cuts: [
        {
          file: 'src/externalCalendars/copy.ts',
          from: "import { commit } from '../commit/commit.ts'\n",
          instead:
            "import { commit } from '../commit/commit.ts'\nimport { effect } from '../commit/effect.ts'\nimport { guard } from '../commit/step.ts'\n",
        },
        {
          file: 'src/externalCalendars/copy.ts',
          from: '    effects: [\n',
          instead: `    effects: [
      effect('raised_again', app.sql\`
        update publications p
        set next_attempt_at = app_now(), content_digest = null
        from (select from \${guard} limit 1) one
        where \${isChanged && read.provider === 'caldav'}::boolean and p.org_id = \${read.orgId} and p.copy = 'there'
          and p.destination_id in (
            select id from external_destinations where org_id = \${read.orgId} and external_calendar_id = \${calendar.id})\`),
`,
        },
      ],
    },
    {
      what: 'a calendar with a channel is read every 15 minutes',
      cuts: [
        { file: 'src/connections/rules.ts', from: 'end.isWatched ? watchedPeriodMs : periodMs', instead: 'periodMs' },
      ],
    },
  ],
  async run(site, size) {
    if (!left.has(site)) {
      const alone = await exactCopies.run(site, { ...size, of: (count) => Math.min(30, size.of(count)) })
      if (!alone.isMet)
        return { isMet: false, figures: `goal 1 was missed: ${alone.figures}`, notes: alone.notes ?? [] }
      site.traffic.fate = () => 'pass'
    }
    await quiet(site)
    const from = site.traffic.asked.length
    const before = await claims(site)
    for (let passedMs = 0; passedMs < hourMs; passedMs += stepMs) {
      await site.clock.advance(site.sql, stepMs)
      await quiet(site)
    }
    const asked = site.traffic.asked.slice(from)
    const writes = asked.filter(isWrite)
    const reads = await claims(site)
    const perProvider = providers.map((provider) => {
      const requests = asked.filter((one) => one.provider === provider && isRead(one)).length
      return { provider, reads: (reads.get(provider) ?? 0) - (before.get(provider) ?? 0), requests }
    })
    // Every 5 min at least 270 s apart, every 15 min 810 s; steps of 5 min cannot read more often than once each.
    const bounds: Record<ProviderName, number> = { google: 6, microsoft: 6, caldav: hourMs / stepMs + 1 }
    const isByPeriod = perProvider.every(({ provider, reads }) => reads > 0 && reads <= bounds[provider])
    return {
      isMet: writes.length === 0 && isByPeriod,
      figures: `${writes.length} writes; reads: ${perProvider.map((one) => `${one.provider} ${one.reads}`).join(', ')}`,
      notes: writes.slice(0, 5).map(({ provider, method, path }) => `${provider}: ${method} ${path}`),
    }
  },
}

/** How often each provider's connection was read. */
async function claims({ sql }: Site): Promise<Map<string, number>> {
  const rows = await sql<{ provider: string; claim: string }[]>`select provider, claim from calendar_connections`
  return new Map(rows.map(({ provider, claim }) => [provider, Number(claim)]))
}

/** Nothing is due, and nothing was asked of a provider for two seconds. */
async function quiet({ sql, traffic }: Site): Promise<void> {
  await until('nothing is due', 120_000, async () => {
    const before = traffic.asked.length
    await pause(2_000)
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from calendar_connections
      where status = 'active' and (next_read_at <= app_now() or claimed_until > app_now())`
    return row!.count === 0 && traffic.asked.length === before
  })
}

// `npm run trial -- feed [seconds]`: writers and readers of one organization for a minute, while processes and connections are
// killed and Redis is flushed. Every reader must have got every change once, whole and in order.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  checkAnswered,
  checkComplete,
  checkRevisions,
  type FeedReader,
  openFeedReader,
} from '../../src/testing/feedReader.ts'
import { callOf, makeOrganization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { askerOf, write } from './writers.ts'

const seconds = Number(process.argv[2] ?? 60)
const writers = 8
const readers = 20
const calendars = 100
const faultEveryMs = 5_000

type Site = Installation & Closable

const figures: [string, string | number][] = []
const broken: string[] = []

const stop = listenForStop()
process.exit(
  await runTrial<Site>({
    what: `${writers} writers and ${readers} readers of one organization for ${seconds} s`,
    stop,
    maxMs: (seconds + 240) * 1_000,
    open: () => openAll('feed', (opened) => openInstallation(opened, { apis: 2 })),
    run,
    isWrong: () => figures.length === 0 || broken.length > 0,
    report: () =>
      [
        table(
          ['figure', 'value'],
          figures.map(([name, value]) => [name, String(value)]),
        ),
        ...broken.slice(0, 20),
      ].join('\n'),
  }),
)

async function run(site: Site, stopped: AbortSignal): Promise<void> {
  const organization = await makeOrganization(callOf(site.baseUrls[0]), site.adminToken)
  const made = await Promise.all(
    Array.from({ length: calendars }, () =>
      organization.create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' }),
    ),
  )
  const world = {
    ...{ baseUrls: site.baseUrls, callOf, key: organization.key },
    calendarIds: made.map(({ id }: { id: string }) => id),
  }
  const ask = askerOf(world, stopped)
  const { cursor } = (await ask({})).body
  const sql = site.connect()
  try {
    const open = await holdTransaction(site)
    let isOver = false
    let isWritten = false
    const delays: number[] = []
    const reading = Array.from({ length: readers }, (_, nth) =>
      read(ask, cursor, filterOf(nth, world.calendarIds), () => isWritten, delays),
    )
    const faults = breakThings(site, sql, () => isOver)
    const writing = Array.from({ length: writers }, () => write(world, () => isOver, stopped))
    await pause(seconds * 1_000, undefined, { signal: stopped })
    isOver = true
    // The readers continue until the last write is answered; they need not report later commits.
    const written = await Promise.all(writing)
    isWritten = true
    const chains = await Promise.all(reading)
    figures.push(['processes, connections and caches broken', await faults])
    await open.end()
    const stored = await sql<Stored[]>`
      select change_id, position, type, calendar_id from changes
      where type like 'event.%' order by seq, change_id, position`
    for (const [nth, chain] of chains.entries()) check(nth, chain, stored, written, world.calendarIds)
    const sorted = delays.toSorted((a, b) => a - b)
    const at = (share: number) => `${sorted[Math.floor(sorted.length * share)] ?? '–'} ms`
    figures.push(['changes', stored.length], ['a second', Math.round(stored.length / seconds)])
    figures.push(['entries read', chains.reduce((sum, { entries }) => sum + entries.length, 0)])
    figures.push(
      ['from a change to a waiting reader, p50', at(0.5)],
      ['p99', at(0.99)],
      ['promises broken', broken.length],
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

type Stored = { change_id: Uuid; position: number; type: string; calendar_id: Uuid }

/** A transaction of another program, with a number: readers must not notice it. */
async function holdTransaction(site: Site) {
  const foreign = site.connect('postgres')
  const over = Promise.withResolvers<void>()
  const numbered = Promise.withResolvers<void>()
  const held = foreign.begin(async (transaction) => {
    await transaction`select pg_current_xact_id()`
    numbered.resolve()
    await over.promise
  })
  await numbered.promise
  return {
    async end() {
      over.resolve()
      await held
      await foreign.end({ timeout: 1 })
    },
  }
}

/** One reader in four reads a few calendars, one in four some types alone. */
function filterOf(nth: number, calendarIds: readonly string[]): Record<string, string> {
  if (nth % 4 === 1) return { calendar_ids: calendarIds.slice(0, 50).join() }
  return nth % 4 === 2 ? { types: 'event.created,event.deleted' } : {}
}

function isFor(nth: number, calendarIds: readonly string[], { type, calendar_id }: Stored): boolean {
  if (nth % 4 === 1) return calendarIds.slice(0, 50).includes(encodeId('cal', calendar_id))
  return nth % 4 !== 2 || type === 'event.created' || type === 'event.deleted'
}

async function read(
  ask: (query: Record<string, string>) => Promise<{ status: number; body: unknown }>,
  cursor: string,
  filter: Record<string, string>,
  isWritten: () => boolean,
  delays: number[],
): Promise<FeedReader> {
  const reader = openFeedReader(ask as (query: Record<string, string>) => Promise<Answer>, cursor, filter)
  while (!isWritten()) {
    const limit = String(1 + Math.floor(Math.random() * 200))
    const askedAt = Date.now()
    const wait: Record<string, string> = Math.random() < 0.5 ? { wait: '2' } : {}
    const { data } = await reader.step({ limit, ...wait })
    const first = data[0] && Date.parse(data[0].at)
    if (wait.wait && first && first > askedAt) delays.push(Date.now() - first)
  }
  await reader.finish()
  return reader
}

/** Returns the number of faults. */
async function breakThings(site: Site, sql: ReturnType<Site['connect']>, isOver: () => boolean): Promise<number> {
  let broke = 0
  for (; !isOver(); broke++) {
    await pause(faultEveryMs)
    if (isOver()) return broke
    if (broke % 3 === 0) await site.apis[(broke / 3) % site.apis.length]!.kill()
    else if (broke % 3 === 1)
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'agent-calendar api%' and random() < 0.5`
    else await flushRedis(site)
  }
  return broke
}

async function flushRedis(site: Site) {
  const { Redis } = await import('ioredis')
  const redis = new Redis(site.store('redis').url)
  await redis.flushall().finally(() => redis.disconnect())
}

function check(
  nth: number,
  { entries }: FeedReader,
  stored: readonly Stored[],
  written: string[][],
  calendarIds: string[],
) {
  const events = entries.filter(({ type }) => type.startsWith('event.'))
  const expected = stored
    .filter((one) => isFor(nth, calendarIds, one))
    .map(({ change_id, position }) => `${encodeId('chg', change_id)}.${position}`)
  const checks = [() => checkComplete(events, expected), () => checkRevisions(events)]
  if (nth % 4 !== 1) checks.push(...written.map((ids) => () => checkAnswered(events, ids)))
  for (const one of checks) {
    try {
      one()
    } catch (error) {
      broken.push(`reader ${nth}: ${(error as Error).message.slice(0, 300)}`)
    }
  }
}

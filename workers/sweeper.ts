// The sweeper: rings for rows that enter the horizon and for overdue ones, even if wake-ups were lost. While Redis is away it runs the
// due work itself, so correctness needs nothing else.
import type { App } from '../src/app.ts'
import { linksDue } from '../src/connections/expireLinks.ts'
import { publicationsDue } from '../src/copyWriter/due.ts'
import { erasuresDue } from '../src/erasure/due.ts'
import { readsDue, remindersDue, revocationsDue, watchesDue } from '../src/externalCalendars/due.ts'
import { syncsDue } from '../src/imports/due.ts'
import { mailsDue } from '../src/mails/due.ts'
import { onLost } from '../src/stores/redis.ts'
import type { Source } from '../src/sweeps/source.ts'
import {
  type Asked,
  endSweep,
  redisIncarnation,
  type Sweep,
  searchedSources,
  takeSweeps,
} from '../src/sweeps/sweeps.ts'
import { timersDue } from '../src/timers/due.ts'
import { type PoolName, poolNames } from '../src/wakeups/jobs.ts'
import { deliveriesDue } from '../src/webhooks/due.ts'
import { replaysDue } from '../src/webhooks/replayWalk.ts'
import { openDirectWork } from './direct.ts'
import type { QueueHandlers } from './handlers.ts'
import { openSweepTrouble } from './sweepTrouble.ts'
import { measurementsDue, purgesDue } from './upkeep.ts'

const periodMs = 2_000
/** While Redis, or one queue's node of a cluster, is away: nothing else rings then. */
const alonePeriodMs = 500
/** As many as Redis takes within the deadline of the bell. */
const maxAtOnce = 500
/** A row that has been due for less than this is probably under way. */
const graceMs = 1_500

export const sources: readonly Source[] = [
  timersDue,
  deliveriesDue,
  mailsDue,
  syncsDue,
  readsDue,
  remindersDue,
  publicationsDue,
  watchesDue,
  revocationsDue,
  linksDue,
  erasuresDue,
  replaysDue,
  measurementsDue,
  purgesDue,
]

type Sweeper = { close(): Promise<void> }

export function openSweeper(app: App, pools: readonly PoolName[], handlers: QueueHandlers): Sweeper {
  const direct = openDirectWork(app, handlers)
  const noteTrouble = openSweepTrouble(app.log)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let running = Promise.resolve()
  // Sources that may have missed a wake-up while Redis was out of reach: once it is back, their whole horizon is rung again.
  const missed = new Set<string>()
  const stopListening = onLost(app.redis, () => {
    for (const { name } of sources) missed.add(name)
  })
  for (const { name } of sources) app.metrics.sweeperRescues.inc({ source: name }, 0)
  for (const outcome of ['done', 'without_redis', 'failed']) app.metrics.sweeperRuns.inc({ outcome }, 0)

  /** `taken` is undefined while Redis, or this queue's node of a cluster, is out of reach. */
  async function sweepSource(source: Source, taken: Taken | undefined): Promise<Rung> {
    // Removed before anything is rung: Redis may be lost again in the meantime.
    const again = missed.delete(source.name)
    let rung: Rung = 'not'
    try {
      if (taken) rung = await ringSource(app, source, taken, again)
    } finally {
      if (rung === 'not' || (rung === 'by another' && again)) missed.add(source.name)
    }
    if (rung === 'not' && pools.includes(source.queue)) direct.start(await source.due(app, app.clock.now()))
    return rung
  }

  /** Returns how long to wait before the next one. A slow or failing source does not delay the others. */
  async function sweep(): Promise<number> {
    const incarnations = await incarnationsOf(app)
    const taken = takeAll(app, incarnations, missed)
    const swept = await Promise.allSettled(
      sources.map((source) => sweepSource(source, incarnations.has(source.queue) ? taken : undefined)),
    )
    const hasFailed = noteTrouble(sources.map(({ name }, nth) => ({ name, result: swept[nth]! })))
    const outcome = hasFailed ? 'failed' : incarnations.size > 0 ? 'done' : 'without_redis'
    app.metrics.sweeperRuns.inc({ outcome })
    if (incarnations.size < poolNames.length) return alonePeriodMs
    if (hasFailed) return periodMs
    return swept.some((result) => result.status === 'fulfilled' && result.value === 'in part') ? 0 : periodMs
  }

  const loop = () => {
    running = sweep().then((waitMs) => {
      if (!closed) timer = setTimeout(loop, waitMs)
    })
  }
  loop()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      stopListening()
      await running
      await direct.close()
    },
  }
}

/** For the queues whose Redis can be reached. */
async function incarnationsOf(app: App): Promise<Map<PoolName, string>> {
  const names = await Promise.all(poolNames.map(async (queue) => [queue, await redisIncarnation(app, queue)] as const))
  return new Map(names.filter((entry): entry is [PoolName, string] => entry[1] !== undefined))
}

/**
 * The result of a source's turn, and where its next one continues:
 * - `whole`: at the horizon of this one;
 * - `in part`: there were too many for one turn; at once, where this one stopped;
 * - `by another`: another process has the turn; wherever that one stops;
 * - `not`: Redis did not take it in time; now.
 */
type Rung = 'whole' | 'in part' | 'by another' | 'not'

/** The part of one sweep that this process does, all from one moment. `own` rejects with the statement that takes the stretches. */
type Taken = { now: Date; horizon: Date; own: Promise<Own> }

/** `searched`: those that may have something to ring for. `stretches`: the part of these that this process has taken. */
type Own = { searched: ReadonlySet<string>; stretches: ReadonlyMap<string, Sweep> }

/** For the sources whose Redis can be reached. `missed` sources are always searched. */
function takeAll(app: App, incarnations: Map<PoolName, string>, missed: ReadonlySet<string>): Taken {
  const now = app.clock.now()
  const horizon = new Date(now.getTime() + app.config.enqueueHorizonMs)
  const reached = sources.flatMap(({ name, queue, earliest }) => {
    const incarnation = incarnations.get(queue)
    return incarnation === undefined ? [] : { source: name, incarnation, earliest }
  })
  return { now, horizon, own: takeOwn(app, reached, new Set(missed), horizon) }
}

async function takeOwn(app: App, reached: readonly Asked[], missed: ReadonlySet<string>, horizon: Date): Promise<Own> {
  // A source that fails does not stop the search of the others.
  const all = () => new Set(reached.map(({ source }) => source))
  const searched = missed.union(await searchedSources(app, reached, horizon).catch(all))
  const swept = reached.filter(({ source }) => searched.has(source))
  return { searched, stretches: await takeSweeps(app, swept, horizon) }
}

/** `again`: ring everything inside the horizon, even if it was rung before. */
async function ringSource(app: App, source: Source, taken: Taken, again: boolean): Promise<Rung> {
  const { now, horizon, own } = taken
  const { searched, stretches } = await own
  if (!searched.has(source.name)) return 'whole'
  const stretch = stretches.get(source.name)
  if (!stretch) return 'by another'
  const coming = await source.coming(app, again ? now : (stretch.from ?? now), horizon)
  const isWhole = coming.until >= horizon
  if (!isWhole) await endSweep(app, source.name, coming.until)
  const overdue = await source.due(app, new Date(now.getTime() - graceMs), now)
  if (overdue.length > 0) app.metrics.sweeperRescues.inc({ source: source.name }, overdue.length)
  const wakeups = [...overdue, ...coming.wakeups]
  for (let at = 0; at < wakeups.length; at += maxAtOnce) {
    if (!(await app.bell.ringNow(wakeups.slice(at, at + maxAtOnce)))) return 'not'
  }
  return isWhole ? 'whole' : 'in part'
}

// The sweeper: rings for rows that enter the horizon and for those that are overdue, whatever was lost. With Redis away it
// does what is due itself, so that it is alone enough for correctness.
import type { App } from '../src/app.ts'
import { comingErasures, erasureWakeups } from '../src/erasure/remains.ts'
import { comingSyncs, syncWakeups } from '../src/imports/syncer.ts'
import { comingMails, mailWakeups } from '../src/mails/send.ts'
import { hourMs } from '../src/shapes/durations.ts'
import { onLost } from '../src/stores/redis.ts'
import { type Coming, endSweep, redisIncarnation, takeSweep } from '../src/sweeps/sweeps.ts'
import { comingTimers, timerWakeups } from '../src/timers/due.ts'
import { measureEveryMs, type PoolName, poolNames, type Wakeup, wakeMeasure, wakeUpkeep } from '../src/wakeups/jobs.ts'
import { comingDeliveries, deliveryWakeups } from '../src/webhooks/due.ts'
import { openDirectWork } from './direct.ts'
import type { DirectHandlers } from './handlers.ts'

const periodMs = 2_000
/** With Redis away, or one queue's node of a cluster, nothing else rings. */
const alonePeriodMs = 500
/** So many are rung within the deadline of the bell. */
const maxAtOnce = 500
/** A row that is due no longer than this is on its way. */
const graceMs = 1_500

type Source = {
  name: string
  queue: PoolName
  /** Wake-ups for what is due by `until`. Of a crowd only some: the next ones are found when those are done. */
  due(app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]>
  /** Wake-ups for what comes due after `from` and up to `until`. */
  coming(app: App, from: Date, until: Date): Promise<Coming>
}

/** How many whole periods there were. */
const periodsUntil = (at: Date, periodMs: number) => Math.floor(at.getTime() / periodMs)

export const sources: readonly Source[] = [
  { name: 'timers', queue: 'timers', due: timerWakeups, coming: comingTimers },
  { name: 'deliveries', queue: 'deliveries', due: deliveryWakeups, coming: comingDeliveries },
  { name: 'mails', queue: 'mail', due: mailWakeups, coming: comingMails },
  { name: 'ical', queue: 'ical', due: syncWakeups, coming: comingSyncs },
  { name: 'erasures', queue: 'upkeep', due: erasureWakeups, coming: comingErasures },
  {
    name: 'measurements',
    queue: 'upkeep',
    due: async () => [],
    async coming(_app, from, until) {
      const first = periodsUntil(from, measureEveryMs) + 1
      const count = periodsUntil(until, measureEveryMs) + 1 - first
      return { wakeups: Array.from({ length: count }, (_, nth) => wakeMeasure(first + nth)), until }
    },
  },
  {
    name: 'upkeep',
    queue: 'upkeep',
    due: async () => [],
    async coming(_app, from, until) {
      const hour = periodsUntil(until, hourMs)
      return { wakeups: from.getTime() < hour * hourMs ? [wakeUpkeep(hour)] : [], until }
    },
  },
]

type Sweeper = { close(): Promise<void> }

export function openSweeper(app: App, pools: readonly PoolName[], handlers: DirectHandlers): Sweeper {
  const direct = openDirectWork(app, handlers)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let running = Promise.resolve()
  // Sources of which something was to be rung, here or by a change, while Redis was out of reach: once it is back, their
  // whole horizon is rung again.
  const missed = new Set<string>()
  const stopListening = onLost(app.redis, () => {
    for (const { name } of sources) missed.add(name)
  })
  for (const { name } of sources) app.metrics.sweeperRescues.inc({ source: name }, 0)
  for (const outcome of ['done', 'without_redis', 'failed']) app.metrics.sweeperRuns.inc({ outcome }, 0)

  /** `incarnation` undefined: Redis, or of a cluster the node of this queue, is out of reach. */
  async function sweepSource(source: Source, incarnation: string | undefined): Promise<Rung> {
    // Taken off before anything is rung: Redis may be lost once more meanwhile.
    const again = missed.delete(source.name)
    let rung: Rung = 'not'
    try {
      if (incarnation) rung = await ringSource(app, source, incarnation, again)
    } finally {
      if (rung === 'not' || (rung === 'by another' && again)) missed.add(source.name)
    }
    if (rung === 'not' && pools.includes(source.queue)) direct.start(await source.due(app, app.clock.now()))
    return rung
  }

  /** Returns how long the next one may wait. A source that is slow or fails keeps none of the others waiting. */
  async function sweep(): Promise<number> {
    const incarnations = await incarnationsOf(app)
    const swept = await Promise.allSettled(sources.map((source) => sweepSource(source, incarnations.get(source.queue))))
    const errors = swept.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
    for (const { message } of errors) app.log.warn({ error: message }, 'a sweep failed, the next one follows')
    const outcome = errors.length > 0 ? 'failed' : incarnations.size > 0 ? 'done' : 'without_redis'
    app.metrics.sweeperRuns.inc({ outcome })
    if (incarnations.size < poolNames.length) return alonePeriodMs
    if (errors.length > 0) return periodMs
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

/** Of the queues that Redis has within reach. */
async function incarnationsOf(app: App): Promise<Map<PoolName, string>> {
  const names = await Promise.all(poolNames.map(async (queue) => [queue, await redisIncarnation(app, queue)] as const))
  return new Map(names.filter((entry): entry is [PoolName, string] => entry[1] !== undefined))
}

/**
 * What became of a source's turn, and from where its next one goes on:
 * - `whole`: from the horizon of this one;
 * - `in part`: of a crowd the first; at once, from where it stopped;
 * - `by another`: another process is at it; from wherever that one comes to;
 * - `not`: Redis did not take it in time; from now.
 */
type Rung = 'whole' | 'in part' | 'by another' | 'not'

/** `again`: everything inside the horizon, whatever was rung before. */
async function ringSource(app: App, source: Source, incarnation: string, again: boolean): Promise<Rung> {
  const now = app.clock.now()
  const horizon = new Date(now.getTime() + app.config.enqueueHorizonMs)
  const stretch = await takeSweep(app, source.name, horizon, incarnation)
  if (!stretch) return 'by another'
  const coming = await source.coming(app, again ? now : (stretch.from ?? now), horizon)
  const isWhole = coming.until >= horizon
  if (!isWhole) await endSweep(app, source.name, coming.until)
  const overdue = await source.due(app, new Date(now.getTime() - graceMs), now)
  if (overdue.length > 0) app.metrics.sweeperRescues.inc({ source: source.name }, rowsOf(overdue))
  const wakeups = [...overdue, ...coming.wakeups]
  for (let at = 0; at < wakeups.length; at += maxAtOnce) {
    if (!(await app.bell.ringNow(wakeups.slice(at, at + maxAtOnce)))) return 'not'
  }
  return isWhole ? 'whole' : 'in part'
}

/** A wake-up of deliveries is for several rows. */
const rowsOf = (wakeups: readonly Wakeup[]): number =>
  wakeups.reduce((sum, wakeup) => {
    const more = wakeup.name === 'deliver' ? [...(wakeup.payload.others ?? []), ...(wakeup.payload.beside ?? [])] : []
    return sum + 1 + more.length
  }, 0)

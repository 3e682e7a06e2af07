// The sweeper: rings for rows that enter the horizon and for those that are overdue, whatever was lost. With Redis away it
// does what is due itself, so that it is alone enough for correctness.
import type { App } from '../src/app.ts'
import { type PoolName, poolNames } from '../src/config.ts'
import { erasureWakeups } from '../src/erasure/remains.ts'
import { syncWakeups } from '../src/ical/syncer.ts'
import { measureEveryMs, type Wakeup, wakeMeasure, wakeUpkeep } from '../src/jobs.ts'
import { mailWakeups } from '../src/mails/send.ts'
import { onLost } from '../src/redis.ts'
import { redisIncarnation, takeSweep } from '../src/sweeps.ts'
import { timerWakeups } from '../src/timers/due.ts'
import { deliveryWakeups } from '../src/webhooks/due.ts'
import { openDirectWork } from './direct.ts'
import type { DirectHandlers } from './handlers.ts'

const periodMs = 2_000
/** With Redis away, or one queue's node of a cluster, nothing else rings. */
const alonePeriodMs = 500
/** So many are rung within the deadline of the bell. */
const mostAtOnce = 500
/** A row that is due no longer than this is on its way. */
const graceMs = 1_500

type Source = {
  name: string
  queue: PoolName
  /** Wake-ups for what is due after `from` (undefined: since ever) and up to `until`. */
  find(app: App, from: Date | undefined, until: Date, rescuedAt?: Date): Promise<Wakeup[]>
}

const hourMs = 3_600_000

export const sources: readonly Source[] = [
  { name: 'timers', queue: 'timers', find: timerWakeups },
  { name: 'deliveries', queue: 'deliveries', find: deliveryWakeups },
  { name: 'mails', queue: 'mail', find: mailWakeups },
  { name: 'ical', queue: 'ical', find: syncWakeups },
  { name: 'erasures', queue: 'upkeep', find: erasureWakeups },
  {
    name: 'measurements',
    queue: 'upkeep',
    find: async (_app, from, until) => {
      const nth = (at: Date) => Math.floor(at.getTime() / measureEveryMs)
      return from ? Array.from({ length: nth(until) - nth(from) }, (_, i) => wakeMeasure(nth(from) + 1 + i)) : []
    },
  },
  {
    name: 'upkeep',
    queue: 'upkeep',
    find: async (_app, from, until) => {
      const hour = Math.floor(until.getTime() / hourMs)
      return from && from.getTime() < hour * hourMs ? [wakeUpkeep(hour)] : []
    },
  },
]

export type Sweeper = { close(): Promise<void> }

export function openSweeper(app: App, pools: readonly PoolName[], handlers: DirectHandlers): Sweeper {
  const direct = openDirectWork(app, handlers)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let running = Promise.resolve()
  // What was to be rung while Redis was out of reach was not: once it is back, the whole horizon is rung again.
  let missed = false
  const stopListening = onLost(app.redis, () => {
    missed = true
  })
  for (const { name } of sources) app.metrics.sweeperRescues.inc({ source: name }, 0)
  for (const outcome of ['done', 'without_redis', 'failed']) app.metrics.sweeperRuns.inc({ outcome }, 0)

  async function doDirectly({ queue, find }: Source): Promise<void> {
    if (pools.includes(queue)) direct.start(await find(app, undefined, app.clock.now()))
  }

  /** Returns how long the next one may wait. */
  async function sweep(): Promise<number> {
    let again = false
    try {
      const incarnations = await incarnationsOf(app)
      const isWhole = incarnations.size === poolNames.length
      again = isWhole && missed
      if (again) missed = false
      for (const source of sources) {
        const incarnation = incarnations.get(source.queue)
        const outcome = incarnation ? await ringSource(app, source, incarnation, again) : 'not rung'
        if (outcome === 'not rung' || (outcome === 'not taken' && again)) missed = true
        // Of a cluster one node may be lost, and with it this queue.
        if (outcome === 'not rung') await doDirectly(source)
      }
      app.metrics.sweeperRuns.inc({ outcome: incarnations.size > 0 ? 'done' : 'without_redis' })
      if (!isWhole) return alonePeriodMs
    } catch (error) {
      missed ||= again
      app.metrics.sweeperRuns.inc({ outcome: 'failed' })
      app.log.warn({ error: (error as Error).message }, 'a sweep failed, the next one follows')
    }
    return periodMs
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

type RingOutcome = 'rung' | 'not rung' | /** Another process is at it. */ 'not taken'

/** `again`: everything inside the horizon, whatever was rung before. */
async function ringSource(app: App, source: Source, incarnation: string, again: boolean): Promise<RingOutcome> {
  const now = app.clock.now()
  const horizon = new Date(now.getTime() + app.config.enqueueHorizonMs)
  const stretch = await takeSweep(app, source.name, horizon, incarnation)
  if (!stretch) return 'not taken'
  const entering = await source.find(app, again ? now : (stretch.from ?? now), horizon)
  const overdue = await source.find(app, undefined, new Date(now.getTime() - graceMs), now)
  if (overdue.length > 0) app.metrics.sweeperRescues.inc({ source: source.name }, overdue.length)
  const wakeups = [...overdue, ...entering]
  for (let at = 0; at < wakeups.length; at += mostAtOnce) {
    if (!(await app.bell.ringNow(wakeups.slice(at, at + mostAtOnce)))) return 'not rung'
  }
  return 'rung'
}

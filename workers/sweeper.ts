// The sweeper: rings for rows that enter the horizon and for those that are overdue, whatever was lost. With Redis away it
// does what is due itself, so that it is alone enough for correctness.
import type { App } from '../src/app.ts'
import type { PoolName } from '../src/config.ts'
import { jobs, type Wakeup, wakeUpkeep } from '../src/jobs.ts'
import { redisIncarnation, takeSweep } from '../src/sweeps.ts'
import { timerWakeups } from '../src/timers/due.ts'
import { deliveryWakeups } from '../src/webhooks/due.ts'
import type { DirectHandlers } from './handlers.ts'

const periodMs = 2_000
/** A row that is due no longer than this is on its way. */
const graceMs = 1_500

type Source = {
  name: string
  queue: PoolName
  /** Wake-ups for what is due after `from` (undefined: since ever) and up to `until`. */
  find(app: App, from: Date | undefined, until: Date, rescuedAt?: Date): Promise<Wakeup[]>
}

const hourMs = 3_600_000

const sources: readonly Source[] = [
  { name: 'timers', queue: 'timers', find: timerWakeups },
  { name: 'deliveries', queue: 'deliveries', find: deliveryWakeups },
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
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let running = Promise.resolve()
  const loop = () => {
    running = sweep(app, pools, handlers).finally(() => {
      if (!closed) timer = setTimeout(loop, periodMs)
    })
  }
  loop()
  return {
    close() {
      closed = true
      clearTimeout(timer)
      return running
    },
  }
}

export async function sweep(app: App, pools: readonly PoolName[], handlers: DirectHandlers): Promise<void> {
  const incarnation = await redisIncarnation(app)
  for (const source of sources) {
    try {
      if (incarnation) await ringSource(app, source, incarnation)
      else if (pools.includes(source.queue)) await workSource(app, source, handlers)
    } catch (error) {
      // One source never stops the others.
      app.log.warn({ source: source.name, error: (error as Error).message }, 'a sweep failed, the next one follows')
    }
  }
}

async function ringSource(app: App, source: Source, incarnation: string) {
  const now = app.clock.now()
  const horizon = new Date(now.getTime() + app.config.enqueueHorizonMs)
  const stretch = await takeSweep(app, source.name, horizon, incarnation)
  if (!stretch) return
  const entering = await source.find(app, stretch.from ?? now, horizon)
  const overdue = await source.find(app, undefined, new Date(now.getTime() - graceMs), now)
  if (overdue.length > 0) app.metrics.sweeperRescues.inc({ source: source.name }, overdue.length)
  await app.bell.ringNow([...entering, ...overdue])
}

/** Redis is away: what is due is done right here. */
async function workSource(app: App, source: Source, handlers: DirectHandlers) {
  const wakeups = await source.find(app, undefined, app.clock.now())
  await Promise.all(
    wakeups.map(async (wakeup) => {
      const run = handlers[jobs[wakeup.name].queue] as Record<string, (payload: unknown) => Promise<void>>
      await run[wakeup.name]!(wakeup.payload)
    }),
  )
}

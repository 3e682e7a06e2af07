// The pools of one worker process: a BullMQ worker each, with the handlers of its queue.
import type { App } from '../src/app.ts'
import { openRedis } from '../src/stores/redis.ts'
import type { PoolName } from '../src/wakeups/jobs.ts'
import { openPool, type Pool } from '../src/wakeups/pool.ts'
import { placeCount } from '../src/webhooks/places.ts'
import type { QueueHandlers } from './handlers.ts'

/**
 * Jobs at once: `loops` consumers of `each`. A BullMQ consumer fetches jobs one by one and begins the first when it has `each`
 * or finds no more: with 400 in a single consumer a backlog would wait for 400 round trips. A job of deliveries ends when none
 * of its deliveries has a place, so as many jobs as places are enough.
 */
const concurrency: Record<PoolName, { loops: number; each: number }> = {
  timers: { loops: 4, each: 4 },
  deliveries: { loops: 10, each: placeCount / 10 },
  // They share one parser: the lease in `src/imports/sync.ts` covers the wait for it.
  ical: { loops: 2, each: 12 },
  mail: { loops: 1, each: 4 },
  // A large erasure takes minutes: the purge and the measurement run beside it.
  upkeep: { loops: 1, each: 3 },
}

/** How many jobs of a queue one process works on at once. */
export const maxAtOnce = (queue: PoolName) => concurrency[queue].loops * concurrency[queue].each

type Pools = { close(): Promise<void> }

/** An attempt of a delivery takes 10 s at most; what follows must fit into the 15 s of a shutdown. */
const closeDeadlineMs = 11_500

export function openPools(app: App, names: readonly PoolName[], handlers: QueueHandlers): Pools {
  const connection = openRedis(app.config.redisUrl, app.log, 'patient')
  const { redisPrefix } = app.config
  const open = <Q extends PoolName>(name: Q): Pool[] =>
    Array.from({ length: concurrency[name].loops }, () =>
      openPool<Q>(
        name,
        { connection, redisPrefix, concurrency: concurrency[name].each, log: app.log, metrics: app.metrics },
        handlers[name],
      ),
    )
  const pools = names.flatMap((name) => open(name))
  return {
    async close() {
      await Promise.all(pools.map((pool) => pool.close(closeDeadlineMs)))
      connection.disconnect()
    },
  }
}

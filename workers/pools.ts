// The pools of one worker process: a BullMQ worker each, with the handlers of its queue.
import type { App } from '../src/app.ts'
import type { PoolName } from '../src/config.ts'
import { openPool, type Pool } from '../src/pool.ts'
import { openRedis } from '../src/redis.ts'
import type { DirectHandlers } from './handlers.ts'

/** Deliveries wait for receivers, not for the processor. */
const concurrency: Record<PoolName, number> = { timers: 8, deliveries: 200, ical: 4, mail: 4, upkeep: 1 }

export type Pools = { close(): Promise<void> }

/** An attempt of a delivery takes 10 s at most; what follows must fit into the 15 s of a shutdown. */
const closeDeadlineMs = 11_500

export function openPools(app: App, names: readonly PoolName[], handlers: DirectHandlers): Pools {
  const connection = openRedis(app.config.redisUrl, app.log, 'patient')
  const open = <Q extends PoolName>(name: Q): Pool =>
    openPool<Q>(
      name,
      { connection, redisPrefix: app.config.redisPrefix, concurrency: concurrency[name], log: app.log },
      handlers[name],
    )
  const pools = names.map((name) => open(name))
  return {
    async close() {
      await Promise.all(pools.map((pool) => pool.close(closeDeadlineMs)))
      connection.disconnect()
    },
  }
}

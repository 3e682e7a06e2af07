// The pools of one worker process: a BullMQ worker each, with the handlers of its queue.
import type { App } from '../src/app.ts'
import type { Deliverer } from '../src/deliveries/deliver.ts'
import { openRelay } from '../src/deliveries/relay.ts'
import { openRedis } from '../src/stores/redis.ts'
import { type PoolName, queues, type Wakeup } from '../src/wakeups/jobs.ts'
import { openPool, type Pool } from '../src/wakeups/pool.ts'
import type { Engines, QueueHandlers } from './handlers.ts'

type Pools = { close(): Promise<void> }

/** An attempt of a delivery takes 10 s at most; the rest must fit into the 15 s of a shutdown. */
const closeDeadlineMs = 11_500

export function openPools(app: App, names: readonly PoolName[], engines: Engines): Pools {
  const connection = openRedis(app.config.redisUrl, app.log, 'patient')
  const { redisPrefix } = app.config
  const handlers: QueueHandlers = engines
  const open = <Q extends PoolName>(name: Q): Pool =>
    openPool<Q>(
      name,
      { connection, redisPrefix, concurrency: queues[name].atOnce, log: app.log, metrics: app.metrics },
      handlers[name],
    )
  const pools = names.map((name) => open(name))
  const engine = names.includes('deliveries') ? openLanes(app, engines.deliveries) : undefined
  return {
    async close() {
      await Promise.all(pools.map((pool) => pool.close(closeDeadlineMs)))
      await engine?.close()
      connection.disconnect()
    },
  }
}

/** The engine of deliveries gets wake-ups from other processes, and from this process itself. */
function openLanes(app: App, deliverer: Deliverer) {
  const relay = openRelay(app, deliverer.owner, deliverer.wake)
  const isForLanes = (wakeup: Wakeup): wakeup is Wakeup & { name: 'deliver' } =>
    wakeup.name === 'deliver' && wakeup.dueAt <= app.clock.now()
  app.bell.offer((wakeups) => {
    if (!deliverer.hasRoom()) return wakeups
    for (const wakeup of wakeups) if (isForLanes(wakeup)) void deliverer.deliver(wakeup.payload)
    return wakeups.filter((wakeup) => !isForLanes(wakeup))
  })
  return {
    async close() {
      const late = new Promise<void>((resolve) => void setTimeout(resolve, closeDeadlineMs).unref())
      await Promise.race([deliverer.close(), late])
      relay.close()
    },
  }
}

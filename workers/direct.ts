// Running due work in this process while Redis is away. The sweeper does not wait for it: a slow receiver must not delay the
// next sweep. How many deliveries run at once is up to their engine.
import type { App } from '../src/app.ts'
import { jobs, type PoolName, queues, type Wakeup } from '../src/wakeups/jobs.ts'
import type { QueueHandlers } from './handlers.ts'

type DirectWork = {
  /** Skips work that already waits or is active. */
  start(wakeups: readonly Wakeup[]): void
  /** Finishes active work and starts nothing new. */
  close(): Promise<void>
}

/** The wake-ups of one queue: those that wait, and the ids of those under way. */
type LocalQueue = { waiting: Map<string, Wakeup>; working: Set<string> }

/** Of each queue as many run at once as in its pool. */
export function openDirectWork({ log }: App, handlers: QueueHandlers): DirectWork {
  const localQueues = new Map<PoolName, LocalQueue>()
  const underWay = new Set<Promise<void>>()
  let isClosed = false

  function work(queue: PoolName, local: LocalQueue) {
    for (const wakeup of local.waiting.values()) {
      if (isClosed || local.working.size >= queues[queue].atOnce) return
      begin(queue, local, wakeup)
    }
  }

  function begin(queue: PoolName, local: LocalQueue, wakeup: Wakeup) {
    local.waiting.delete(wakeup.id)
    local.working.add(wakeup.id)
    const run = handlers[queue] as Record<string, (payload: unknown) => Promise<void>>
    const working = run[wakeup.name]!(wakeup.payload)
      .catch((error: Error) =>
        log.warn({ error: error.message, job: wakeup.name }, 'due work failed, a later sweep tries again'),
      )
      .finally(() => {
        underWay.delete(working)
        local.working.delete(wakeup.id)
        work(queue, local)
      })
    underWay.add(working)
  }

  return {
    start(wakeups) {
      for (const [queue, group] of Map.groupBy(wakeups, ({ name }) => jobs[name].queue)) {
        const local = localQueues.get(queue) ?? { waiting: new Map(), working: new Set() }
        localQueues.set(queue, local)
        for (const wakeup of group) if (!local.working.has(wakeup.id)) local.waiting.set(wakeup.id, wakeup)
        work(queue, local)
      }
    },
    async close() {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}

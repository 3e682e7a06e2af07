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
type Lane = { waiting: Map<string, Wakeup>; working: Set<string> }

/** Of each queue as many run at once as in its pool. */
export function openDirectWork({ log }: App, handlers: QueueHandlers): DirectWork {
  const lanes = new Map<PoolName, Lane>()
  const underWay = new Set<Promise<void>>()
  let isClosed = false

  function work(queue: PoolName, lane: Lane) {
    for (const wakeup of lane.waiting.values()) {
      if (isClosed || lane.working.size >= queues[queue].atOnce) return
      begin(queue, lane, wakeup)
    }
  }

  function begin(queue: PoolName, lane: Lane, wakeup: Wakeup) {
    lane.waiting.delete(wakeup.id)
    lane.working.add(wakeup.id)
    const run = handlers[queue] as Record<string, (payload: unknown) => Promise<void>>
    const working = run[wakeup.name]!(wakeup.payload)
      .catch((error: Error) =>
        log.warn({ error: error.message, job: wakeup.name }, 'due work failed, a later sweep tries again'),
      )
      .finally(() => {
        underWay.delete(working)
        lane.working.delete(wakeup.id)
        work(queue, lane)
      })
    underWay.add(working)
  }

  return {
    start(wakeups) {
      for (const [queue, group] of Map.groupBy(wakeups, ({ name }) => jobs[name].queue)) {
        const lane = lanes.get(queue) ?? { waiting: new Map(), working: new Set() }
        lanes.set(queue, lane)
        for (const wakeup of group) if (!lane.working.has(wakeup.id)) lane.waiting.set(wakeup.id, wakeup)
        work(queue, lane)
      }
    },
    async close() {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}

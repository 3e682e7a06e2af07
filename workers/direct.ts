// Doing what is due right here, while Redis is away. Nobody waits for it: a slow receiver must not hold up the next sweep.
import type { App } from '../src/app.ts'
import { jobs, type Wakeup } from '../src/jobs.ts'
import { mostInFlight } from '../src/webhooks/slots.ts'
import type { DirectHandlers } from './handlers.ts'

export type DirectWork = {
  /** Passes over what waits or is under way already. */
  start(wakeups: readonly Wakeup[]): void
  /** Finishes what is under way and begins nothing more. */
  close(): Promise<void>
}

/** What waits for its turn, and how many are at work. */
type Lane = { waiting: Map<string, Wakeup>; working: Set<string> }

/** Deliveries of one subscription take turns, as many at once as it gets at most; everything else begins at once. */
const laneOf = (wakeup: Wakeup) => (wakeup.name === 'deliver' ? wakeup.payload.subscriptionId : wakeup.id)

export function openDirectWork({ log }: App, handlers: DirectHandlers): DirectWork {
  const lanes = new Map<string, Lane>()
  const underWay = new Set<Promise<void>>()
  let isClosed = false

  function work(name: string, lane: Lane) {
    for (const [id, wakeup] of lane.waiting) {
      if (isClosed || lane.working.size >= mostInFlight) return
      lane.waiting.delete(id)
      lane.working.add(id)
      const run = handlers[jobs[wakeup.name].queue] as Record<string, (payload: unknown) => Promise<void>>
      const working = run[wakeup.name]!(wakeup.payload)
        .catch((error: Error) => log.warn({ error: error.message, job: wakeup.name }, 'not done, a later sweep will'))
        .finally(() => {
          underWay.delete(working)
          lane.working.delete(id)
          if (lane.waiting.size + lane.working.size === 0) lanes.delete(name)
          else work(name, lane)
        })
      underWay.add(working)
    }
  }

  return {
    start(wakeups) {
      for (const wakeup of wakeups) {
        const name = laneOf(wakeup)
        const lane = lanes.get(name) ?? { waiting: new Map(), working: new Set() }
        lanes.set(name, lane)
        if (!lane.working.has(wakeup.id)) lane.waiting.set(wakeup.id, wakeup)
        work(name, lane)
      }
    },
    async close() {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}

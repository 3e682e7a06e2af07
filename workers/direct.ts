// Doing what is due right here, while Redis is away. Nobody waits for it: a slow receiver must not hold up the next sweep.
import type { App } from '../src/app.ts'
import { jobs, type Wakeup } from '../src/jobs.ts'
import type { DirectHandlers } from './handlers.ts'

const mostUnderWay = 2_000

export type DirectWork = {
  /** Passes over what is under way already. */
  start(wakeups: readonly Wakeup[]): void
  finished(): Promise<void>
}

export function openDirectWork({ log }: App, handlers: DirectHandlers): DirectWork {
  const underWay = new Map<string, Promise<void>>()
  return {
    start(wakeups) {
      for (const wakeup of wakeups) {
        if (underWay.has(wakeup.id) || underWay.size >= mostUnderWay) continue
        const run = handlers[jobs[wakeup.name].queue] as Record<string, (payload: unknown) => Promise<void>>
        const work = run[wakeup.name]!(wakeup.payload)
          .catch((error: Error) =>
            log.warn({ error: error.message, job: wakeup.name }, 'not done, the next sweep follows'),
          )
          .finally(() => underWay.delete(wakeup.id))
        underWay.set(wakeup.id, work)
      }
    },
    async finished() {
      await Promise.all(underWay.values())
    },
  }
}

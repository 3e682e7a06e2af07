// Does everything that is due at the set time, and what follows from it, without waiting: what the sweeper finds is done here.
import { openHandlers } from '../../workers/handlers.ts'
import { sources } from '../../workers/sweeper.ts'
import { fireDue } from '../../workers/timers.ts'
import type { App } from '../app.ts'
import { timersDue } from '../timers/due.ts'
import { jobs, type Wakeup } from '../wakeups/jobs.ts'

const maxRounds = 200

export function openDrain(app: App): () => Promise<void> {
  const engines = openHandlers(app)
  const work = ({ name, payload }: Wakeup) => {
    const handlers = engines[jobs[name].queue] as unknown as Record<string, (payload: unknown) => Promise<void>>
    return handlers[name]!(payload)
  }
  return async function drain() {
    for (let round = 0; round < maxRounds; round++) {
      let done = await fireDue(app)
      for (const source of sources.filter((one) => one !== timersDue)) {
        const wakeups = await source.due(app, app.clock.now())
        await Promise.all(wakeups.map(work))
        await engines.deliveries.settle()
        done += wakeups.length
      }
      if (done === 0) return
    }
    throw new Error(`still work to do after ${maxRounds} rounds`)
  }
}

// The queue `timers`: a wake-up names a shard and a second. It fires what is due, block by block, and stays until the
// second is over, so that a moment in the middle of it fires on time.
import type { App } from '../src/app.ts'
import { fireMoments, type MomentTimer } from '../src/events/fire.ts'
import { expireHolds } from '../src/events/holds.ts'
import type { Handlers } from '../src/pool.ts'
import { type DueTimer, dropTimers, dueTimers, nextDueAt, timerKey } from '../src/timers/timers.ts'

const blockSize = 500
/** What a block leaves over is locked by somebody else at this moment; it is tried again this often, then by the sweeper. */
const mostBlocksWithoutProgress = 3

export const timerHandlers = (app: App): Handlers<'timers'> => ({
  async fire({ shard, second }) {
    const until = new Date((second + 1) * 1000)
    for (;;) {
      await fireDue(app, shard)
      const [next] = await nextDueAt(app, shard, until)
      const waitMs = next?.dueAt ? next.dueAt.getTime() - app.clock.now().getTime() : -1
      if (waitMs <= 0 || waitMs > 1_000) return
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  },
})

/** Fires everything of a shard that is due. Returns how many timers it took. */
export async function fireDue(app: App, shard: number): Promise<number> {
  let fired = 0
  for (let idle = 0; idle < mostBlocksWithoutProgress; ) {
    const block = await dueTimers(app, shard, blockSize)
    if (block.length === 0) return fired
    const taken = await fireBlock(app, block)
    idle = taken === 0 ? idle + 1 : 0
    fired += taken
  }
  return fired
}

/** A block that fails is done one by one, so that one bad row stops nobody. */
async function fireBlock(app: App, block: readonly DueTimer[]): Promise<number> {
  const holds = block.filter((timer) => timer.kind === 'hold_expiry')
  const moments = block.filter((timer): timer is MomentTimer => timer.kind in momentKinds)
  const kinds = [
    { timers: holds, run: (timers: readonly DueTimer[]) => expireHolds(app, timers) },
    { timers: moments, run: (timers: readonly DueTimer[]) => fireMoments(app, timers as MomentTimer[]) },
  ]
  let taken = 0
  for (const { timers, run } of kinds) {
    if (timers.length > 0) taken += await runBlock(app, timers, run)
  }
  return taken
}

const momentKinds = { event_start: true, event_end: true, event_reminder: true }

type Run = (timers: readonly DueTimer[]) => Promise<{ fired: DueTimer[]; stale: DueTimer[] }>

async function runBlock(app: App, timers: readonly DueTimer[], run: Run): Promise<number> {
  try {
    const { fired, stale } = await run(timers)
    if (stale.length > 0) await dropTimers(app, stale)
    observe(app, fired)
    return fired.length + stale.length
  } catch (error) {
    if (timers.length === 1) {
      app.log.error({ err: error, timer: timerKey(timers[0]!) }, 'a timer could not be fired')
      return 0
    }
    let taken = 0
    for (const timer of timers) taken += await runBlock(app, [timer], run)
    return taken
  }
}

function observe({ metrics, clock }: App, fired: readonly DueTimer[]) {
  const now = clock.now().getTime()
  for (const { kind, dueAt } of fired) {
    metrics.timersFired.inc({ kind })
    metrics.timerLag.observe({ kind }, (now - dueAt.getTime()) / 1000)
  }
}

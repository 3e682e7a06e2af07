// The queue `timers`: a wake-up names a shard and a second. It fires what is due, block by block, and stays until the
// second is over, so that a moment in the middle of it fires on time.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../src/app.ts'
import { fireMoments, type MomentTimer } from '../src/events/fire.ts'
import { expireHolds } from '../src/events/holds.ts'
import { inSpan } from '../src/observability/tracing.ts'
import { expireProposals } from '../src/proposals/expire.ts'
import {
  type DueTimer,
  dropTimers,
  dueTimers,
  type Fired,
  nextDue,
  timerKey,
  timerKinds,
} from '../src/timers/timers.ts'
import type { Handlers } from '../src/wakeups/pool.ts'

const blockSize = 500
/** What a block leaves over is bad, or locked by somebody else at this moment: it is passed over, and due again for the sweeper. */
const maxLeft = 5_000
/** A second of the database may begin later than ours. */
const longestWaitMs = 2_000
/** In a burst the next block waits this long at least, so that it is one worth a statement. */
const burstWaitMs = 25
/** A block of which nothing could be taken is tried again so often, each time after about a `burstWaitMs`. */
const maxRetries = 20

export function timerHandlers(app: App): Handlers<'timers'> {
  for (const kind of timerKinds) {
    app.metrics.timersFired.inc({ kind }, 0)
    app.metrics.timerLag.zero({ kind })
  }
  return {
    async fire({ shard, second }) {
      const until = new Date((second + 1) * 1000)
      const over = performance.now() + longestWaitMs
      for (;;) {
        // Asked before firing: what comes due in between is fired, what comes due after it is waited for.
        const [next] = await nextDue(app, shard, until)
        const taken = await fireDue(app, shard)
        if (next?.waitMs == null || performance.now() + next.waitMs > over) return
        const waitMs = taken > 0 ? Math.max(next.waitMs, burstWaitMs) : next.waitMs
        await pause(waitMs)
      }
    },
  }
}

/** Fires everything of a shard that is due. Returns how many timers it took. */
export async function fireDue(app: App, shard: number): Promise<number> {
  const left: DueTimer[] = []
  let taken = 0
  let retries = 0
  while (left.length < maxLeft) {
    const block = await dueTimers(app, shard, blockSize, left)
    if (block.length === 0) break
    const { done, later } = await fireBlock(app, block)
    const isHeldUp = done.length === 0 && later.length > 0
    const isGivenUp = isHeldUp && retries++ >= maxRetries
    const settled = new Set([...done, ...(isGivenUp ? [] : later)].map(timerKey))
    left.push(...block.filter((timer) => !settled.has(timerKey(timer))))
    taken += done.length
    // At random, so that shards that are in each other's way do not meet again.
    if (isHeldUp && !isGivenUp) await pause(burstWaitMs * (0.5 + Math.random()))
  }
  return taken
}

/** `later` come up again in a block of this same run. */
type Outcome = { done: DueTimer[]; later: DueTimer[] }

const together = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  later: outcomes.flatMap(({ later }) => later),
})

async function fireBlock(app: App, block: readonly DueTimer[]): Promise<Outcome> {
  const holds = block.filter((timer) => timer.kind === 'hold_expiry')
  const moments = block.filter((timer): timer is MomentTimer => timer.kind in momentKinds)
  const proposals = block.filter((timer) => timer.kind === 'proposal_expiry')
  return together([
    await runBlock(app, holds, (timers) => expireHolds(app, timers)),
    await runBlock(app, moments, (timers) => fireMoments(app, timers as MomentTimer[])),
    await runBlock(app, proposals, (timers) => expireProposals(app, timers)),
  ])
}

const momentKinds = { event_start: true, event_end: true, event_reminder: true }

type Run = (timers: readonly DueTimer[]) => Promise<Fired>

/** A block that fails is halved until the bad rows are alone: they stop nobody else. */
async function runBlock(app: App, timers: readonly DueTimer[], run: Run): Promise<Outcome> {
  if (timers.length === 0) return together([])
  try {
    const span = {
      links: timers.map(({ traceparent }) => traceparent),
      attributes: { 'calendar.timers': timers.length },
    }
    const { fired, stale, later = [] } = await inSpan('fire timers', span, () => run(timers))
    if (stale.length > 0) await dropTimers(app, stale)
    observe(app, fired)
    return { done: [...fired, ...stale], later }
  } catch (error) {
    if (timers.length === 1) {
      app.log.error({ err: error, timer: timerKey(timers[0]!) }, 'a timer could not be fired')
      return together([])
    }
    const middle = timers.length >> 1
    return together([await runBlock(app, timers.slice(0, middle), run), await runBlock(app, timers.slice(middle), run)])
  }
}

function observe({ metrics, clock }: App, fired: readonly DueTimer[]) {
  const now = clock.now().getTime()
  for (const { kind, dueAt } of fired) {
    metrics.timersFired.inc({ kind })
    metrics.timerLag.observe({ kind }, (now - dueAt.getTime()) / 1000)
  }
}

// Fires what is due in a shard, block by block. What a timer of a kind does is its noun's affair: the worker hands in one
// `Fire` for each kind.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { inSpan } from '../observability/tracing.ts'
import { dueTimers, nextDue } from './queries.ts'
import { type DueTimer, type Fired, type TimerKind, timerKey, timerKinds } from './timers.ts'
import { dropTimers } from './writes.ts'

/** Fires a block of due timers of these kinds in one statement. */
type Fire<Kind extends TimerKind = TimerKind> = (
  app: App,
  timers: readonly (DueTimer & { kind: Kind })[],
) => Promise<Fired>

/** Kinds that have the same `Fire` are fired together. */
export type Fires = { readonly [Kind in TimerKind]: Fire<Kind> }

const blockSize = 500
/** A timer that a block leaves over is bad, or is locked at this moment. It is passed over; the sweeper finds it again. */
const maxLeft = 5_000
/** A second of the database may begin later than ours. */
const maxWaitMs = 2_000
/** In a burst the next block waits at least this long, so that it is worth a statement. */
const burstWaitMs = 25
/** How often a block of which nothing could be taken is tried again, each time after about `burstWaitMs`. */
const maxRetries = 20

/** Fires what is due, and stays until the second (of the epoch) is over: a moment in the middle of it fires on time. */
export async function fireSecond(app: App, fires: Fires, shard: number, second: number): Promise<void> {
  const until = new Date((second + 1) * 1000)
  const over = performance.now() + maxWaitMs
  for (;;) {
    // Asked before firing: what comes due in between is fired, what comes due after it is waited for.
    const [next] = await nextDue(app, shard, until)
    const taken = await fireShard(app, fires, shard)
    if (next?.waitMs == null || performance.now() + next.waitMs > over) return
    await pause(taken > 0 ? Math.max(next.waitMs, burstWaitMs) : next.waitMs)
  }
}

/** Fires everything of a shard that is due. Returns how many timers it took. */
export async function fireShard(app: App, fires: Fires, shard: number): Promise<number> {
  const left: DueTimer[] = []
  let taken = 0
  let retries = 0
  while (left.length < maxLeft) {
    const block = await dueTimers(app, shard, blockSize, left)
    if (block.length === 0) break
    const { done, later } = await fireBlock(app, fires, block)
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

const joined = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  later: outcomes.flatMap(({ later }) => later),
})

async function fireBlock(app: App, fires: Fires, block: readonly DueTimer[]): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const [fire, kinds] of Map.groupBy(timerKinds, (kind) => fires[kind] as Fire)) {
    const timers = block.filter(({ kind }) => kinds.includes(kind))
    if (timers.length > 0) outcomes.push(await runFire(app, timers, fire))
  }
  return joined(outcomes)
}

/** A block that fails is halved until the bad rows are alone: they hold up no other timer. */
async function runFire(app: App, timers: readonly DueTimer[], fire: Fire): Promise<Outcome> {
  try {
    const span = {
      links: timers.map(({ traceparent }) => traceparent),
      attributes: { 'calendar.timers': timers.length },
    }
    const { fired, stale, later = [] } = await inSpan('fire timers', span, () => fire(app, timers))
    if (stale.length > 0) await dropTimers(app, stale)
    observe(app, fired)
    return { done: [...fired, ...stale], later }
  } catch (error) {
    if (timers.length === 1) {
      app.log.error({ err: error, timer: timerKey(timers[0]!) }, 'a timer could not be fired')
      return joined([])
    }
    const middle = timers.length >> 1
    return joined([await runFire(app, timers.slice(0, middle), fire), await runFire(app, timers.slice(middle), fire)])
  }
}

function observe({ metrics, clock }: App, fired: readonly DueTimer[]) {
  const now = clock.now().getTime()
  for (const { kind, dueAt } of fired) {
    metrics.timersFired.inc({ kind })
    metrics.timerLag.observe({ kind }, (now - dueAt.getTime()) / 1000)
  }
}

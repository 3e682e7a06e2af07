// One block of due timers: fired kind by kind, and halved where a row is bad.
import type { App } from '../app.ts'
import { inSpan } from '../observability/tracing.ts'
import type { BlockOf } from './dueBlock.ts'
import { type DueTimer, type Fired, type TimerKind, timerKey, timerKinds } from './timers.ts'
import { dropTimers } from './writes.ts'

/** Fires due timers of a block in one statement. */
type Fire<Timer extends DueTimer> = (app: App, timers: readonly Timer[]) => Promise<Fired>

/** What a worker hands in: how due timers are read, with what their nouns need to fire them, and what each kind does. */
export type Firing<Timer extends DueTimer> = {
  read(app: App, asked: BlockOf): PromiseLike<Timer[]>
  /** Kinds that have the same one are fired together. */
  fires: { readonly [Kind in TimerKind]: Fire<Timer & { kind: Kind }> }
}

/** `later` come up again in a block of this same run. What is in neither is passed over. */
type Outcome = { done: DueTimer[]; later: DueTimer[] }

const joined = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  later: outcomes.flatMap(({ later }) => later),
})

export async function fireBlock<Timer extends DueTimer>(
  app: App,
  fires: Firing<Timer>['fires'],
  block: readonly Timer[],
): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const [fire, kinds] of Map.groupBy(timerKinds, (kind) => fires[kind] as Fire<Timer>)) {
    const timers = block.filter(({ kind }) => kinds.includes(kind))
    if (timers.length > 0) outcomes.push(await runFire(app, timers, fire))
  }
  return joined(outcomes)
}

/** A block that fails is halved until the bad rows are alone: they hold up no other timer. */
async function runFire<Timer extends DueTimer>(
  app: App,
  timers: readonly Timer[],
  fire: Fire<Timer>,
): Promise<Outcome> {
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

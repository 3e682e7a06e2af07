// One block of due timers: Postgres fires as many as it can by itself, the rest is read, fired kind by kind, and halved where a
// row is bad.
import type { App } from '../app.ts'
import { inSpan } from '../observability/tracing.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { BlockOf } from './dueBlock.ts'
import { dropTimers } from './takenWrites.ts'
import { type DueTimer, type Fired, type TimerKind, timerKey, timerKinds } from './timers.ts'

/** Fires due timers of a block in one statement. */
type Fire<Timer extends DueTimer> = (app: App, timers: readonly Timer[]) => Promise<Fired>

/** The timers of a kind that an organization had in a block that was fired at once. */
type FiredGroup = { orgId: Uuid; kind: TimerKind; dueAtMs: number[]; traceparents: string[] | null }

export type FiredInSql = {
  groups: FiredGroup[]
  /** How many timers the block has, and how many of them Postgres cannot fire by itself. */
  size: number
  others: number
}

/**
 * The functions that a worker hands in: the part of a block that Postgres fires by itself, the read of due timers with the
 * columns that their nouns need, and the work of each kind.
 */
export type Firing<Timer extends DueTimer> = {
  fireInSql(app: App, asked: BlockOf): Promise<FiredInSql>
  read(app: App, asked: BlockOf): PromiseLike<Timer[]>
  /** Kinds that have the same one are fired together. */
  fires: { readonly [Kind in TimerKind]: Fire<Timer & { kind: Kind }> }
}

export type BlockOutcome = {
  /** How many timers it had, and how many of them are done with. */
  size: number
  fired: number
  /** They come up again in a block of this same run. */
  later: DueTimer[]
  /** They are passed over. */
  bad: DueTimer[]
  /** Somebody holds timers of the block, most likely to fire them: it is to be looked at once more. */
  isOpen: boolean
  /** How many timers each organization had. */
  sizes: ReadonlyMap<Uuid, number>
}

/**
 * Fires the requested block of due timers. A timer that Postgres could have fired but left is read only if it is still there at
 * a second look: as a rule another process is firing it.
 */
export async function fireBlock<Timer extends DueTimer>(
  app: App,
  firing: Firing<Timer>,
  asked: BlockOf,
  isSecondLook: boolean,
): Promise<BlockOutcome> {
  const { groups, size, others } = await fireInSql(app, firing, asked)
  const atOnce = groups.reduce((sum, { dueAtMs }) => sum + dueAtMs.length, 0)
  const isLeft = atOnce < size
  const isRead = isLeft && (others > 0 || isSecondLook)
  const read = isRead ? await firing.read(app, asked) : []
  const { done, later } = await fireRead(app, firing.fires, read)
  const settled = new Set([...done, ...later].map(timerKey))
  const sizes = new Map<Uuid, number>()
  const count = (orgId: Uuid, timers: number) => sizes.set(orgId, (sizes.get(orgId) ?? 0) + timers)
  for (const { orgId, dueAtMs } of groups) count(orgId, dueAtMs.length)
  for (const { orgId } of read) count(orgId, 1)
  return {
    size: atOnce + read.length,
    fired: atOnce + done.length,
    later,
    bad: read.filter((timer) => !settled.has(timerKey(timer))),
    isOpen: isLeft && !isRead,
    sizes,
  }
}

/** The timers of a block that Postgres can fire without reading them. If that fails, everything is left. */
async function fireInSql<Timer extends DueTimer>(app: App, firing: Firing<Timer>, asked: BlockOf): Promise<FiredInSql> {
  try {
    return await inSpan('fire timers', {}, async (span) => {
      const fired = await firing.fireInSql(app, asked)
      const counts = fired.groups.map(({ dueAtMs }) => dueAtMs.length)
      span?.set({ 'calendar.timers': counts.reduce((sum, count) => sum + count, 0) })
      span?.link(fired.groups.flatMap(({ traceparents }) => traceparents ?? []))
      for (const { kind, dueAtMs } of fired.groups) observe(app, kind, dueAtMs)
      return fired
    })
  } catch (error) {
    app.log.warn({ err: error }, 'timers could not be fired together: they are read')
    return { groups: [], size: Number.POSITIVE_INFINITY, others: Number.POSITIVE_INFINITY }
  }
}

/** Rows in neither list are bad. */
type Outcome = { done: DueTimer[]; later: DueTimer[] }

const joined = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  later: outcomes.flatMap(({ later }) => later),
})

async function fireRead<Timer extends DueTimer>(
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
    for (const { kind, dueAt } of fired) observe(app, kind, [dueAt.getTime()])
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

function observe({ metrics, clock }: App, kind: TimerKind, dueAtMs: readonly number[]) {
  const now = clock.now().getTime()
  metrics.timersFired.inc({ kind }, dueAtMs.length)
  for (const ms of dueAtMs) metrics.timerLag.observe({ kind }, (now - ms) / 1000)
}

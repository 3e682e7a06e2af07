// The lanes that this process serves: taking, renewing, giving back. The statements of one process about lanes run one after the
// other, so that giving a lane back never overtakes taking it again.
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { suspendInactive } from '../webhooks/suspension.ts'
import { isIdle, type Lane, newLane, sinceEver } from './lane.ts'
import { giveLanesBack, openClaims, renewLanes, type TakenRow, takeLanes } from './lanes.ts'
import { type Owned, openRemoteLanes } from './remoteLanes.ts'

/** A lane is renewed when its lease is this old. */
const renewAfterMs = 1_500
/** The owner of a lane looks at it this often, whether it was woken or not. */
const lookEveryMs = 1_000
const tickMs = 250
/** Lanes that one process holds or wants; further ones are left to the sweeper. */
const maxLanes = 20_000
const maxAtOnce = 500

type LaneLeases = {
  owner: Uuid
  find(subscriptionId: Uuid): Lane | undefined
  /** Takes it, or passes the wake-up on to its owner. */
  want(key: LaneKey): void
  /** Whether lanes are being taken. */
  isTaking(): boolean
  /** Gives back its lanes and takes no more. Returns the lanes that were woken and not served. */
  close(): Promise<LaneKey[]>
  /** Gives back the lanes that have nothing to do. */
  rest(): Promise<void>
}

type Events = {
  /** The lane may have due deliveries. */
  look(lane: Lane): void
  /** It belongs to another process. */
  lost(lane: Lane): void
  /** Taking has ended for the moment. */
  settled(): void
}

export function openLaneLeases(app: App, events: Events): LaneLeases {
  const owner = newId()
  const lanes = new Map<Uuid, Lane>()
  const requested = new Map<Uuid, LaneKey>()
  const elsewhere = openRemoteLanes(app, want)
  let statements: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isTaking = false
  let isRenewing = false
  let isClosed = false

  const inOrder = <T>(run: () => PromiseLike<T>): Promise<T> => {
    const done = statements.then(run, run)
    statements = done.catch(() => undefined)
    return done
  }

  function want(key: LaneKey) {
    if (isClosed) return
    if (requested.size + lanes.size >= maxLanes) return app.metrics.deliveriesOverShare.inc({ outcome: 'left' })
    requested.set(key.subscriptionId, key)
    timer ??= setInterval(tick, tickMs).unref()
    if (!isTaking) {
      isTaking = true
      setImmediate(takeAll)
    }
  }

  async function takeAll() {
    try {
      while (requested.size > 0 && !isClosed) await takeBlock()
    } catch (error) {
      // The requests stay: the next tick tries again.
      app.log.debug({ error: (error as Error).message }, 'lanes could not be taken')
    }
    isTaking = false
    events.settled()
  }

  async function takeBlock() {
    const block = [...requested.values()].slice(0, maxAtOnce)
    for (const { subscriptionId } of block) requested.delete(subscriptionId)
    const asked = elsewhere.passKnown(block)
    if (asked.length === 0) return
    const nowMs = performance.now()
    const rows = await inOrder(() => takeLanes(app.sql, owner, asked)).catch((error) => {
      for (const key of asked) requested.set(key.subscriptionId, key)
      throw error
    })
    for (const row of rows) if (row.isTaken) add(row, nowMs)
    elsewhere.pass(rows.filter((row): row is TakenRow & Owned => !row.isTaken && row.leaseOwner !== null))
    const inactive = rows.filter(({ isActive }) => !isActive)
    if (inactive.length > 0) await repeatOnDeadlock(() => suspendInactive(app.sql, inactive))
    // Somebody else took it between the two looks of the statement: the next one sees who.
    for (const row of rows) if (row.isActive && !row.isTaken && !row.leaseOwner) want(keyOf(row))
  }

  function add(row: TakenRow, nowMs: number) {
    elsewhere.forget(row.subscriptionId)
    const lane = lanes.get(row.subscriptionId) ?? newLane(row, row.takenAt, nowMs)
    if (!lanes.has(row.subscriptionId)) lane.others = row.openClaims
    if (row.openClaims > 0) app.metrics.deliveryLanesInherited.inc()
    lane.keptAt = nowMs
    lanes.set(row.subscriptionId, lane)
    app.metrics.deliveryLanes.set(lanes.size)
    events.look(lane)
  }

  function drop(lane: Lane) {
    lanes.delete(lane.subscriptionId)
    app.metrics.deliveryLanes.set(lanes.size)
    events.lost(lane)
  }

  function tick() {
    const nowMs = performance.now()
    const all = [...lanes.values()]
    const isDone = (lane: Lane) => isIdle(lane) && lane.lookedAt > lane.wokenAt
    void giveBack(all.filter(isDone))
    const old = all.filter((lane) => !isDone(lane) && nowMs - lane.keptAt >= renewAfterMs)
    if (old.length > 0 && !isRenewing) void renew(old, nowMs)
    void look([...lanes.values()].filter(({ lookedAt }) => nowMs - lookedAt >= lookEveryMs))
    if (requested.size > 0 && !isTaking) {
      isTaking = true
      void takeAll()
    }
    if (lanes.size + requested.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** A lane that cannot be renewed now is served again later, unless another process has taken it by then. */
  async function renew(old: readonly Lane[], nowMs: number) {
    isRenewing = true
    try {
      const kept = await inOrder(() => renewLanes(app.sql, owner, old))
      const ids = new Set(kept.map(({ subscriptionId }) => subscriptionId))
      for (const lane of old) {
        if (lanes.get(lane.subscriptionId) !== lane) continue
        if (ids.has(lane.subscriptionId)) lane.keptAt = nowMs
        else drop(lane)
      }
    } catch (error) {
      app.log.debug({ error: (error as Error).message }, 'lanes could not be renewed')
    }
    isRenewing = false
  }

  async function look(due: readonly Lane[]) {
    const nowMs = performance.now()
    for (const lane of due) Object.assign(lane, { lookedAt: nowMs, since: sinceEver })
    const inherited = due.filter(({ others }) => others > 0)
    for (const lane of due) if (lane.others === 0) events.look(lane)
    if (inherited.length === 0) return
    const rows = await openClaims(app.sql, inherited).then(
      (found) => found,
      () => [],
    )
    const counts = new Map(rows.map((row) => [row.subscriptionId, row.openClaims]))
    for (const lane of inherited) {
      lane.others = counts.get(lane.subscriptionId) ?? lane.others
      events.look(lane)
    }
  }

  /** A lane that cannot be given back is free when its lease ends. */
  async function giveBack(idle: readonly Lane[]) {
    for (const lane of idle) drop(lane)
    if (idle.length === 0) return
    await inOrder(() => giveLanesBack(app.sql, owner, idle)).catch(() => undefined)
  }

  return {
    owner,
    find: (subscriptionId) => lanes.get(subscriptionId),
    want,
    isTaking: () => isTaking || (requested.size > 0 && !isClosed),
    rest: () => giveBack([...lanes.values()].filter(isIdle)),
    async close() {
      isClosed = true
      clearInterval(timer)
      const all = [...lanes.values()]
      await giveBack(all.filter(({ others }) => others === 0))
      return [...requested.values(), ...all.filter(({ isHungry }) => isHungry)].map(keyOf)
    },
  }
}

const keyOf = ({ orgId, subscriptionId }: LaneKey): LaneKey => ({ orgId, subscriptionId })

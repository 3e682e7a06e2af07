// The delivery engine. A subscription is a lane that one process serves: the lane is woken, takes its turn for places, and what
// is due of it is claimed in a block with that of the other lanes, charged, posted, recorded. Each stage is safe to lose: a claim
// that is never recorded comes due again by itself, under the same delivery id.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type LaneKey, lanesOf, type Payload, wakeLanes } from '../wakeups/jobs.ts'
import type { ClaimedRow } from './attempts.ts'
import { chargeDeliveries, isToBeCharged } from './charge.ts'
import { claimTogether } from './claims.ts'
import { openHolding } from './holding.ts'
import { isKept, type Lane, mayClaim } from './lane.ts'
import { leaseMs } from './outcome.ts'
import { openPlaces, placeCount } from './places.ts'
import { type Claim, openAttempts } from './send.ts'

/** Claims of different lanes at once: one that waits for a lock leaves the other. */
const maxClaiming = 2
const retryClaimMs = 250
/** While there is more, the next claim waits for places to become free, so that it is worth a statement. */
const gatherMs = 4
/** A row that another process writes is at most so much older than its commit; a look from the beginning finds older ones. */
const overlapMs = 5_000

export type Deliverer = {
  /** Names this process in the leases of its lanes. */
  owner: Uuid
  /** The handler of the job: it ends when the lanes are woken. */
  deliver(payload: Payload<'deliver'>): Promise<void>
  wake(lanes: readonly LaneKey[]): void
  /** Whether it has the places to serve what this process itself wakes. */
  hasRoom(): boolean
  /** Resolves when all that was woken is done, and gives back its lanes. */
  settle(): Promise<void>
  /** Finishes the attempts under way and begins nothing more; what is left is rung for. */
  close(): Promise<void>
}

export function openDeliverer(app: App, total = placeCount): Deliverer {
  const places = openPlaces<Lane>(app.metrics, total)
  const attempts = openAttempts(app, places, {
    freed: schedule,
    closed: () => {
      isClosing = true
    },
    followed: (lane) => wake([lane]),
  })
  const underWay = new Set<Promise<void>>()
  const onSettled = new Set<() => void>()
  let claiming = 0
  let isScheduled = false
  let isClosing = false

  const holding = openHolding(app, {
    look: markHungry,
    lost: (lane) => places.leave(lane),
    settled: tellSettled,
  })

  function markHungry(lane: Lane) {
    lane.isHungry = true
    if (!lane.isClaiming) places.stand(lane)
    schedule()
  }

  function wake(lanes: readonly LaneKey[]) {
    if (isClosing) return
    for (const key of lanes) {
      const lane = holding.find(key.subscriptionId)
      if (!lane) {
        holding.want(key)
        continue
      }
      lane.wokenAt = performance.now()
      markHungry(lane)
    }
  }

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    setImmediate(takeTurn)
  }

  function takeTurn() {
    isScheduled = false
    if (!isClosing && claiming < maxClaiming) {
      const nowMs = performance.now()
      const granted = places.grant((lane) => mayClaim(lane, nowMs))
      if (granted.size > 0) void claimFor(granted).then(schedule)
    }
    tellSettled()
  }

  /** Whatever wakes a lane during its claim makes it hungry again: the claim may have read before that. */
  async function claimFor(granted: ReadonlyMap<Lane, number>): Promise<void> {
    claiming++
    for (const lane of granted.keys()) Object.assign(lane, { isClaiming: true, isHungry: false })
    const sentAt = performance.now()
    const asks = [...granted].map(([{ orgId, subscriptionId, since }, room]) => ({
      orgId,
      subscriptionId,
      since,
      room,
    }))
    const claimed = await claimTogether(app, holding.owner, asks)
    const claims: Claim[] = []
    for (const [lane, room] of granted) {
      const { rows, hasMore } = claimed.get(lane.subscriptionId)!
      claims.push(...rows.map((row) => ({ row, lane, claimedUntilMs: sentAt + leaseMs })))
      places.giveBack(lane, room - rows.length)
      lane.isClaiming = false
      lane.isHungry ||= hasMore
      lane.since = nextSince(rows, hasMore)
      if (lane.isHungry && holding.find(lane.subscriptionId) === lane) places.stand(lane)
    }
    begin(claims)
    const all = [...claimed.values()]
    if (all.some(({ failed }) => failed)) await pause(retryClaimMs)
    else if (all.some(({ hasMore }) => hasMore)) await pause(gatherMs)
    claiming--
  }

  /** A full block goes on behind its last row. Otherwise there is nothing more but what is being written at this moment. */
  function nextSince(found: readonly ClaimedRow[], hasMore: boolean): Date {
    if (hasMore && found.length > 0) return new Date(Math.max(...found.map(({ dueAt }) => dueAt.getTime())))
    return new Date(app.clock.now().getTime() - overlapMs)
  }

  /** What a lane lost in the meantime is left: its next owner may not have counted it. */
  function begin(claimed: readonly Claim[]) {
    const nowMs = performance.now()
    const isOurs = ({ lane }: Claim) => holding.find(lane.subscriptionId) === lane && isKept(lane, nowMs)
    const claims = claimed.filter(isOurs)
    for (const claim of claimed) if (!isOurs(claim)) places.giveBack(claim.lane, 1)
    const charged = claims.filter(({ row }) => isToBeCharged(row))
    for (const claim of claims) if (!isToBeCharged(claim.row)) follow(attempts.make(claim))
    for (const group of Map.groupBy(charged, ({ row }) => row.orgId).values()) {
      const paid = chargeDeliveries(
        app,
        group.map(({ row }) => row),
      )
      group.forEach((claim, nth) => {
        follow(paid.then((units) => (units[nth] ? attempts.make(claim) : attempts.refuse(claim))))
      })
    }
  }

  function follow(work: Promise<void>) {
    const done = work
      .catch((error) => app.log.error({ err: error }, 'an attempt could not be finished, it will be made again'))
      .then(() => {
        underWay.delete(done)
        tellSettled()
      })
    underWay.add(done)
  }

  const isSettled = () => {
    const isIdle = claiming + underWay.size === 0 && !isScheduled && !holding.isTaking()
    return isIdle && (isClosing || places.waiting() === 0)
  }

  function tellSettled() {
    if (onSettled.size === 0 || !isSettled()) return
    for (const tell of onSettled) tell()
    onSettled.clear()
  }

  async function settled() {
    while (!isSettled()) await new Promise<void>((resolve) => onSettled.add(resolve))
  }

  return {
    owner: holding.owner,
    deliver: async (payload) => wake(lanesOf(payload)),
    wake,
    hasRoom: () => !isClosing && places.free() > total / 3,
    async settle() {
      await settled()
      await holding.rest()
    },
    async close() {
      isClosing = true
      while (claiming + underWay.size > 0) await Promise.allSettled([...underWay, pause(5)])
      const left = await holding.close()
      await app.bell.ringNow(wakeLanes(left, app.clock.now()))
    },
  }
}

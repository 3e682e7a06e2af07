// The delivery engine. A subscription is a lane that one process serves. The lane is woken and takes its turn for places; its
// due deliveries are claimed in a block with those of the other lanes, paid from the budget, posted and recorded. Each stage is
// safe to lose: a claim without a recorded result comes due again, under the same delivery id.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { jobs, type Payload } from '../wakeups/jobs.ts'
import { type LaneKey, lanesOf, wakeLanes } from '../wakeups/lanes.ts'
import type { ClaimedRow } from './attempts.ts'
import { claimTogether } from './claims.ts'
import { openFairShares, placeCount } from './fairShares.ts'
import { isKept, type Lane, mayClaim, sinceEver } from './lane.ts'
import { openLaneLeases } from './leases.ts'
import { openPrefetch } from './prefetch.ts'
import { releaseClaims } from './release.ts'
import { type Claim, isTooLate, openAttempts } from './send.ts'
import { spendsUnit, spendUnits } from './spendUnits.ts'

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
  /** Whether it has the places to serve the wake-ups of its own process. */
  hasRoom(): boolean
  /** Resolves when all that was woken is done, and gives back its lanes. */
  settle(): Promise<void>
  /** Finishes the attempts under way and begins nothing more; wake-ups are sent for the rest. */
  close(): Promise<void>
}

/** The size of a claim for one lane: as many as it has places, and some ahead. */
type Room = { lane: Lane; places: number; ahead: number }

/** The earliest due first, and of one moment the earliest change. */
const byTurn = (a: ClaimedRow, b: ClaimedRow) =>
  a.dueAt.getTime() - b.dueAt.getTime() ||
  (a.changeId < b.changeId ? -1 : a.changeId > b.changeId ? 1 : a.position - b.position)

export function openDeliverer(app: App, total = placeCount): Deliverer {
  const shares = openFairShares<Lane>(app.metrics, total)
  const attempts = openAttempts(app, shares, {
    freed(lane) {
      stock.continueWork(lane)
      schedule()
    },
    closed: stop,
    followed: (lane) => wake([lane]),
    missed: (claim) => release([claim]),
  })
  const stock = openPrefetch(shares, {
    mayBegin: (lane) => isOurs(lane) && mayClaim(lane, performance.now()),
    attempt: (claim) => follow(attempts.make(claim)),
    giveUp: release,
  })
  const underWay = new Set<Promise<void>>()
  const onSettled = new Set<() => void>()
  let claiming = 0
  let isScheduled = false
  let isClosing = false

  const leases = openLaneLeases(app, {
    look: markHungry,
    lost(lane) {
      shares.leave(lane)
      stock.clear(lane)
    },
    settled: notifySettled,
  })

  function markHungry(lane: Lane) {
    lane.isHungry = true
    if (!lane.isClaiming) shares.enqueue(lane)
    schedule()
  }

  function wake(lanes: readonly LaneKey[]) {
    if (isClosing) return
    for (const key of lanes) {
      const lane = leases.find(key.subscriptionId)
      if (!lane) {
        leases.want(key)
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
      const granted = shares.grant((lane) => mayClaim(lane, nowMs))
      for (const lane of stock.low()) if (!granted.has(lane) && mayClaim(lane, nowMs)) granted.set(lane, 0)
      const rooms = roomsOf(granted)
      if (rooms.length > 0) void claimFor(rooms).then(schedule)
    }
    notifySettled()
  }

  /** How much is claimed for each of these lanes, which have so many places. */
  function roomsOf(granted: ReadonlyMap<Lane, number>): Room[] {
    const all = [...granted].map(([lane, places], nth) => ({
      lane,
      places,
      ahead: stock.reserve(lane, granted.size - nth),
    }))
    return all.filter(({ places, ahead }) => places + ahead > 0)
  }

  /** A wake-up during a claim marks the lane for another claim: the claim may have read before it. */
  async function claimFor(rooms: readonly Room[]): Promise<void> {
    claiming++
    for (const { lane } of rooms) {
      shares.leave(lane)
      Object.assign(lane, { isClaiming: true, isHungry: false })
    }
    const sentAt = performance.now()
    const asks = rooms.map(({ lane: { orgId, subscriptionId, since }, places, ahead }) => ({
      orgId,
      subscriptionId,
      since,
      room: places + ahead,
    }))
    const claimed = await claimTogether(app, leases.owner, asks)
    const claims: Claim[] = []
    for (const { lane, places, ahead } of rooms) {
      const { rows, hasMore } = claimed.get(lane.subscriptionId)!
      for (const [nth, row] of rows.toSorted(byTurn).entries()) {
        claims.push({ row, lane, claimedUntilMs: sentAt + jobs.deliver.leaseMs, isAhead: nth >= places })
      }
      shares.giveBack(lane, Math.max(0, places - rows.length))
      stock.giveBack(lane, ahead - Math.max(0, rows.length - places))
      lane.isClaiming = false
      lane.isHungry ||= hasMore
      lane.since = nextSince(rows, hasMore)
      if (lane.isHungry && isOurs(lane)) shares.enqueue(lane)
    }
    begin(claims)
    const all = [...claimed.values()]
    if (all.some(({ failed }) => failed)) await pause(retryClaimMs)
    else if (all.some(({ hasMore }) => hasMore)) await pause(gatherMs)
    claiming--
  }

  /**
   * After a full block the next claim starts behind its last row. After any other block only rows that are being written now
   * are left.
   */
  function nextSince(found: readonly ClaimedRow[], hasMore: boolean): Date {
    if (hasMore && found.length > 0) return new Date(Math.max(...found.map(({ dueAt }) => dueAt.getTime())))
    return new Date(app.clock.now().getTime() - overlapMs)
  }

  const isOurs = (lane: Lane) => leases.find(lane.subscriptionId) === lane

  /** A late claim, or one of a lost lane, is given back: the new owner may not have counted it. */
  function begin(claimed: readonly Claim[]) {
    const nowMs = performance.now()
    const mayBegin = (claim: Claim) => isOurs(claim.lane) && isKept(claim.lane, nowMs) && !isTooLate(claim)
    const claims = claimed.filter(mayBegin)
    const missed = claimed.filter((claim) => !mayBegin(claim))
    for (const claim of missed) giveBack(claim)
    if (missed.length > 0) release(missed)
    const spending = claims.filter(({ row }) => spendsUnit(row))
    for (const claim of claims) if (!spendsUnit(claim.row)) continueWork(claim)
    for (const group of Map.groupBy(spending, ({ row }) => row.orgId).values()) follow(spendFor(group))
  }

  /** A claim whose unit cannot be spent is not attempted: it comes due when its lease ends. */
  async function spendFor(group: readonly Claim[]) {
    const rows = group.map(({ row }) => row)
    const spent = await spendUnits(app, rows).catch((error) => {
      for (const claim of group) giveBack(claim)
      throw error
    })
    for (const [nth, claim] of group.entries()) {
      claim.spent = spent[nth]
      if (claim.spent) {
        continueWork(claim)
        continue
      }
      giveBack(claim)
      follow(attempts.refuse(claim))
    }
  }

  function continueWork(claim: Claim) {
    if (!claim.isAhead) return follow(attempts.make(claim))
    stock.add(claim)
    if (isClosing) stock.clear(claim.lane)
  }

  /** None of them was begun: they are due again at once, here or where their lane is now. Their room is given back already. */
  function release(claims: readonly Claim[]) {
    const tell = () => {
      const lanes = new Set(claims.map(({ lane }) => lane))
      for (const lane of lanes) {
        lane.since = sinceEver
        if (isOurs(lane)) markHungry(lane)
      }
      app.bell.ring(
        wakeLanes(
          [...lanes].filter((lane) => !isOurs(lane)),
          app.clock.now(),
        ),
      )
    }
    follow(releaseClaims(app, claims).finally(tell))
  }

  function giveBack({ lane, isAhead }: Claim) {
    if (isAhead) stock.giveBack(lane, 1)
    else shares.giveBack(lane, 1)
    schedule()
  }

  function stop() {
    isClosing = true
    stock.clearAll()
  }

  function follow(work: Promise<unknown>) {
    const done = work
      .catch((error) => app.log.error({ err: error }, 'an attempt could not be finished, it will be made again'))
      .then(() => {
        underWay.delete(done)
        notifySettled()
      })
    underWay.add(done)
  }

  const isSettled = () => {
    const isIdle = claiming + underWay.size === 0 && stock.isEmpty() && !isScheduled && !leases.isTaking()
    return isIdle && (isClosing || shares.waiting() === 0)
  }

  function notifySettled() {
    if (onSettled.size === 0 || !isSettled()) return
    for (const tell of onSettled) tell()
    onSettled.clear()
  }

  async function settled() {
    while (!isSettled()) await new Promise<void>((resolve) => onSettled.add(resolve))
  }

  return {
    owner: leases.owner,
    deliver: async (payload) => wake(lanesOf(payload)),
    wake,
    hasRoom: () => !isClosing && shares.free() > total / 3,
    async settle() {
      await settled()
      await leases.rest()
    },
    async close() {
      stop()
      while (claiming + underWay.size > 0) await Promise.allSettled([...underWay, pause(5)])
      const left = await leases.close()
      await app.bell.ringNow(wakeLanes(left, app.clock.now()))
    },
  }
}

// The places of one worker: how many attempts it makes at once, and which lanes get them. An organization may have a third as
// many places as are free: a quarter of all when it is alone, fewer the more organizations are busy. So a place is always free
// for the next organization. A lane leaves as many of its organization's places free as it uses itself. Lanes with slow
// receivers, which take seconds, use at most half of all places. Pure state: no I/O, no waiting.
import type { Metrics } from '../observability/metrics.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { maxInFlight } from './attempts.ts'

/** Attempts wait for receivers, not for the processor. */
export const placeCount = 400

/** The maximum of one organization, per free place. */
const shareOfFree = 1 / 3
/** The maximum of all lanes with slow receivers, as a share of all places. */
const slowShare = 1 / 2

/**
 * A lane as its shares see it. `others`: attempts of an earlier owner that may be under way; another module writes this field.
 */
export type Holder = LaneKey & { inUse: number; others: number; isSlow: boolean; isInLine: boolean }

type Party<L> = { orgId: Uuid; inUse: number; line: Set<L> }

export type FairShares<L extends Holder> = {
  /** Puts a lane that may have due deliveries at the end of its organization's line. */
  enqueue(lane: L): void
  /** Takes a lane out of the line. */
  leave(lane: L): void
  /**
   * Gives places to the lanes in line, one by one: the organizations take turns, and the lanes of each. Returns how many each
   * lane got and takes these lanes out of the line; the others stay. Skips lanes for which `mayBegin` is false.
   */
  grant(mayBegin: (lane: L) => boolean): Map<L, number>
  /** Gives one place to a lane that stands in no line, if it may have one. The metrics show it with the next `grant`. */
  take(lane: L): boolean
  /** The metrics show it with the next `grant`. */
  giveBack(lane: L, count: number): void
  /** Whether the receiver's last answer took seconds. */
  setSlow(lane: L, isSlow: boolean): void
  /** How many places are free, and how many lanes wait for one. */
  free(): number
  waiting(): number
}

export function openFairShares<L extends Holder>(metrics: Metrics, total: number): FairShares<L> {
  const parties = new Map<Uuid, Party<L>>()
  /** The organizations with a line, the one that was served last at the end. */
  const inLine = new Set<Party<L>>()
  let free = total
  let slowInUse = 0
  let waiting = 0
  for (const outcome of ['waited', 'left']) metrics.deliveriesOverShare.inc({ outcome }, 0)
  show()

  function show() {
    metrics.deliveryPlaces.set({ state: 'taken' }, total - free)
    metrics.deliveryPlaces.set({ state: 'free' }, free)
    metrics.deliveriesInLine.set(waiting)
  }

  function partyOf({ orgId }: L): Party<L> {
    const party = parties.get(orgId) ?? { orgId, inUse: 0, line: new Set() }
    parties.set(orgId, party)
    return party
  }

  function forgetUnused(party: Party<L>) {
    if (party.line.size === 0) inLine.delete(party)
    if (party.inUse + party.line.size === 0) parties.delete(party.orgId)
  }

  const hasRoom = (party: Party<L>, lane: L): boolean =>
    lane.inUse + lane.others < maxInFlight &&
    party.inUse + lane.inUse < free * shareOfFree &&
    (!lane.isSlow || slowInUse < total * slowShare)

  function countInUse(party: Party<L>, lane: L, change: number) {
    lane.inUse += change
    party.inUse += change
    free -= change
    if (lane.isSlow) slowInUse += change
  }

  /** The next lane of an organization that may have a place; it moves behind the others. */
  function nextOf(party: Party<L>, mayBegin: (lane: L) => boolean): L | undefined {
    for (const lane of party.line) {
      if (!hasRoom(party, lane) || !mayBegin(lane)) continue
      party.line.delete(lane)
      party.line.add(lane)
      return lane
    }
    return undefined
  }

  function leave(lane: L) {
    if (!lane.isInLine) return
    const party = partyOf(lane)
    party.line.delete(lane)
    lane.isInLine = false
    waiting--
    forgetUnused(party)
  }

  return {
    enqueue(lane) {
      if (lane.isInLine) return
      const party = partyOf(lane)
      party.line.add(lane)
      lane.isInLine = true
      waiting++
      inLine.add(party)
    },
    leave,
    grant(mayBegin) {
      const granted = new Map<L, number>()
      let inVain = 0
      // An organization that is added again comes up again at the end of this same loop.
      for (const party of inLine) {
        if (free <= 0 || inVain >= inLine.size) break
        inLine.delete(party)
        inLine.add(party)
        const lane = nextOf(party, mayBegin)
        if (!lane) {
          inVain++
          continue
        }
        inVain = 0
        countInUse(party, lane, 1)
        granted.set(lane, (granted.get(lane) ?? 0) + 1)
      }
      for (const lane of granted.keys()) leave(lane)
      if (waiting > 0 && granted.size > 0) metrics.deliveriesOverShare.inc({ outcome: 'waited' }, waiting)
      show()
      return granted
    },
    take(lane) {
      const party = partyOf(lane)
      const isFree = free > 0 && hasRoom(party, lane)
      if (isFree) countInUse(party, lane, 1)
      else forgetUnused(party)
      return isFree
    },
    giveBack(lane, count) {
      if (count === 0) return
      const party = partyOf(lane)
      countInUse(party, lane, -count)
      forgetUnused(party)
    },
    setSlow(lane, isSlow) {
      if (lane.isSlow === isSlow) return
      lane.isSlow = isSlow
      slowInUse += isSlow ? lane.inUse : -lane.inUse
    },
    free: () => free,
    waiting: () => waiting,
  }
}

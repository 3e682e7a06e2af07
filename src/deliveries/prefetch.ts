// Claims ahead. A receiver that answers at once would mostly wait for the next claim. So its lane claims more than it has
// places, and a claim ahead begins when an attempt ends. It waits only for a moment: after that it is due again as if it had
// never been claimed, and the receiver is no longer treated as fast.

import type { FairShares } from './fairShares.ts'
import type { Lane } from './lane.ts'
import type { Claim } from './send.ts'

/** The claims ahead of one lane, and of all lanes of the process. */
const maxOfLane = 40
const maxOfAll = 400
/** A lane with no more than this claims again. */
const lowOfLane = 20
const patienceMs = 250
/** While Postgres is away nothing can be recorded, and a post may have to be repeated. So little is sent then. */
const maxRecording = 20
const tickMs = 50

type Prefetch = {
  /**
   * The number that may be claimed ahead for `lane`, if so many lanes share the rest. It is reserved for the lane from now on.
   */
  reserve(lane: Lane, lanes: number): number
  /** Of those that were reserved. */
  giveBack(lane: Lane, count: number): void
  /** The lanes that have little left and more to do. */
  low(): Lane[]
  /** It was reserved, and is claimed and paid. */
  add(claim: Claim): void
  /** Begins claims that have a place now. */
  continueWork(lane: Lane): void
  /** Gives back claims that have not begun. */
  clear(lane: Lane): void
  clearAll(): void
  /** Whether nothing is reserved and nothing waits. */
  isEmpty(): boolean
}

type Events = {
  mayBegin(lane: Lane): boolean
  /** It has its place. */
  attempt(claim: Claim): void
  /** They have waited too long. */
  giveUp(claims: readonly Claim[]): void
}

export function openPrefetch(shares: FairShares<Lane>, events: Events): Prefetch {
  /** The waiting claims, the oldest first. */
  const waiting = new Map<Lane, Claim[]>()
  let inAll = 0
  let timer: NodeJS.Timeout | undefined

  function hold(lane: Lane, change: number) {
    lane.ahead += change
    inAll += change
  }

  function continueWork(lane: Lane) {
    const claims = waiting.get(lane) ?? []
    while (claims.length > 0 && lane.recording < maxRecording && events.mayBegin(lane) && shares.take(lane)) {
      hold(lane, -1)
      events.attempt(claims.shift()!)
    }
    if (claims.length === 0) waiting.delete(lane)
  }

  function clear(lane: Lane) {
    const claims = waiting.get(lane)
    if (!claims) return
    waiting.delete(lane)
    hold(lane, -claims.length)
    lane.isQuick = false
    events.giveUp(claims)
  }

  function tick() {
    const before = performance.now() - patienceMs
    for (const [lane, claims] of waiting) {
      continueWork(lane)
      if (claims.length > 0 && claims[0]!.readyAt! < before) clear(lane)
    }
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    reserve(lane, count) {
      const share = Math.floor((maxOfAll - inAll) / count)
      const reserved = lane.isQuick ? Math.min(maxOfLane - lane.ahead, share) : 0
      hold(lane, reserved)
      return reserved
    },
    giveBack: (lane, count) => hold(lane, -count),
    low: () =>
      [...waiting.keys()].filter(
        ({ isQuick, isHungry, isClaiming, ahead }) => isQuick && isHungry && !isClaiming && ahead <= lowOfLane,
      ),
    add(claim) {
      claim.readyAt = performance.now()
      const claims = waiting.get(claim.lane) ?? []
      claims.push(claim)
      waiting.set(claim.lane, claims)
      timer ??= setInterval(tick, tickMs).unref()
      continueWork(claim.lane)
    },
    continueWork,
    clear,
    clearAll: () => [...waiting.keys()].forEach(clear),
    isEmpty: () => inAll === 0,
  }
}

// The places of one worker: how many attempts it makes at once, and who may have them. An organization may hold a third as
// many places as are free: a quarter of all when it is alone, fewer the more organizations are busy. So a place is always free
// for whoever comes next. A subscription leaves free as many of its organization's places as it holds itself.
import type { Metrics } from '../observability/metrics.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { DeliveryKey } from './attempts.ts'

/** Attempts wait for receivers, not for the processor. */
export const placeCount = 400

/** What an organization holds in all, for each place that is free. */
const shareOfFree = 1 / 3
/** How many deliveries of one organization wait in line; more of them stay due, and the sweeper rings for them again. */
export const maxInLine = 5_000

export type Attempt = DeliveryKey & { subscriptionId: Uuid }

/** The deliveries of one organization that hold a place, by subscription, and those that stand in line. */
type Party = { held: number; heldBy: Map<Uuid, number>; inLine: number; lines: Map<Uuid, Map<Uuid, Attempt>> }

export type Places = {
  /**
   * Works on it, and then on whatever may have its place next; resolves when that is done. Resolves at once if the delivery has
   * to stand in line: whoever gives back a place takes it along.
   */
  enter(attempt: Attempt): Promise<void>
  /** Whether the holder of a place may continue with another delivery of the subscription: no one in line may have the place. */
  mayKeep(attempt: Attempt): boolean
  /** Puts it at the end of its subscription's line. */
  stand(attempt: Attempt): void
}

export function openPlaces(metrics: Metrics, total: number, work: (attempt: Attempt) => Promise<void>): Places {
  const parties = new Map<Uuid, Party>()
  let free = total
  metrics.deliveryPlaces.set({ state: 'taken' }, 0)
  metrics.deliveryPlaces.set({ state: 'free' }, total)
  for (const outcome of ['waited', 'left']) metrics.deliveriesOverShare.inc({ outcome }, 0)

  function partyOf({ orgId }: Attempt): Party {
    const party = parties.get(orgId) ?? { held: 0, heldBy: new Map(), inLine: 0, lines: new Map() }
    parties.set(orgId, party)
    return party
  }

  const mayBegin = (party: Party, subscriptionId: Uuid): boolean =>
    party.held + (party.heldBy.get(subscriptionId) ?? 0) < free * shareOfFree

  function hold(attempt: Attempt, change: 1 | -1) {
    const party = partyOf(attempt)
    const bySubscription = (party.heldBy.get(attempt.subscriptionId) ?? 0) + change
    if (bySubscription > 0) party.heldBy.set(attempt.subscriptionId, bySubscription)
    else party.heldBy.delete(attempt.subscriptionId)
    party.held += change
    free -= change
    if (party.held + party.inLine === 0) parties.delete(attempt.orgId)
    metrics.deliveryPlaces.set({ state: 'taken' }, total - free)
    metrics.deliveryPlaces.set({ state: 'free' }, free)
  }

  /** A delivery that is in line already keeps its turn. */
  function stand(attempt: Attempt) {
    const party = partyOf(attempt)
    const line = party.lines.get(attempt.subscriptionId) ?? new Map<Uuid, Attempt>()
    if (line.has(attempt.deliveryId)) return
    const isFull = party.inLine >= maxInLine
    metrics.deliveriesOverShare.inc({ outcome: isFull ? 'left' : 'waited' })
    if (isFull) return
    party.lines.set(attempt.subscriptionId, line.set(attempt.deliveryId, attempt))
    party.inLine++
    metrics.deliveriesInLine.inc()
  }

  /** The organizations take turns, and the subscriptions of each of them. */
  function nextInLine(): Attempt | undefined {
    for (const party of parties.values()) {
      for (const [subscriptionId, line] of party.lines) {
        if (mayBegin(party, subscriptionId)) return line.values().next().value
      }
    }
    return undefined
  }

  /** Gives the next in line a place. Its subscription and its organization move behind the others. */
  function holdNext(): Attempt | undefined {
    const next = nextInLine()
    if (!next) return undefined
    const party = partyOf(next)
    const line = party.lines.get(next.subscriptionId)!
    line.delete(next.deliveryId)
    party.lines.delete(next.subscriptionId)
    if (line.size > 0) party.lines.set(next.subscriptionId, line)
    party.inLine--
    metrics.deliveriesInLine.dec()
    parties.delete(next.orgId)
    parties.set(next.orgId, party)
    hold(next, 1)
    return next
  }

  async function occupy(attempt: Attempt): Promise<void> {
    const along = new Set<Promise<void>>()
    let current: Attempt | undefined = attempt
    while (current) {
      await work(current).finally(() => hold(current!, -1))
      current = holdNext()
      for (let other = current && holdNext(); other; other = holdNext()) {
        const occupied = occupy(other).finally(() => along.delete(occupied))
        along.add(occupied)
      }
    }
    await Promise.all(along)
  }

  return {
    async enter(attempt) {
      const party = partyOf(attempt)
      if (party.lines.has(attempt.subscriptionId) || !mayBegin(party, attempt.subscriptionId)) {
        stand(attempt)
        return
      }
      hold(attempt, 1)
      await occupy(attempt)
    },
    mayKeep(attempt) {
      hold(attempt, -1)
      const mayKeep = mayBegin(partyOf(attempt), attempt.subscriptionId) && nextInLine() === undefined
      hold(attempt, 1)
      return mayKeep
    },
    stand,
  }
}

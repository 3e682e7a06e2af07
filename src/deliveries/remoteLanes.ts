// Lanes of other processes: forwards their wake-ups, and takes a lane at the end of its lease if the owner is silent.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { forwardWakeup } from './relay.ts'

const maxKnown = 20_000

/** A lane with the process that has it, for at least so long unless it is given back. */
export type Owned = LaneKey & { leaseOwner: Uuid; leasedForMs: number }

type RemoteLanes = {
  /** Passes the wake-ups on to the owners, and remembers these until their leases end. */
  pass(owned: readonly Owned[]): void
  /** Passes on the wake-ups of lanes whose owner is known, and returns the others. */
  passKnown(keys: readonly LaneKey[]): LaneKey[]
  forget(subscriptionId: Uuid): void
}

/** `isSilent`: it did not hear the last wake-up, so the lane is asked for when the lease is over. */
type Owner = { leaseOwner: Uuid; untilMs: number; isSilent: boolean }

/** `want` asks Postgres for a lane. */
export function openRemoteLanes(app: App, want: (key: LaneKey) => void): RemoteLanes {
  const known = new Map<Uuid, Owner>()

  function tell(owned: readonly Owned[], unheard: (key: Owned) => void) {
    for (const [owner, group] of Map.groupBy(owned, ({ leaseOwner }) => leaseOwner)) {
      void forwardWakeup(app, owner, group).then((isHeard) => {
        if (!isHeard) for (const one of group) unheard(one)
      })
    }
  }

  function ask({ orgId, subscriptionId }: LaneKey) {
    known.delete(subscriptionId)
    want({ orgId, subscriptionId })
  }

  function askLater(owned: Owned) {
    const owner = known.get(owned.subscriptionId)
    if (!owner || owner.isSilent) return
    owner.isSilent = true
    setTimeout(ask, owned.leasedForMs + 1, owned).unref()
  }

  return {
    pass(owned) {
      const nowMs = performance.now()
      if (known.size > maxKnown) known.clear()
      for (const { subscriptionId, leaseOwner, leasedForMs } of owned) {
        known.set(subscriptionId, { leaseOwner, untilMs: nowMs + leasedForMs, isSilent: false })
      }
      tell(owned, askLater)
    },
    passKnown(keys) {
      const nowMs = performance.now()
      const toTell: Owned[] = []
      const unknown: LaneKey[] = []
      for (const key of keys) {
        const owner = known.get(key.subscriptionId)
        if (!owner || owner.untilMs <= nowMs) unknown.push(key)
        else if (!owner.isSilent) toTell.push({ ...key, leaseOwner: owner.leaseOwner, leasedForMs: 0 })
      }
      // It may have ended after it gave the lane back.
      tell(toTell, ask)
      return unknown
    },
    forget: (subscriptionId) => void known.delete(subscriptionId),
  }
}

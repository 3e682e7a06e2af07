// A fault of a replicated Postgres, and the promises that the service must keep meanwhile.
import type { Findings } from '../faults/findings.ts'
import type { World } from '../faults/world.ts'
import type { RedisNodes } from '../scaling/redisNodes.ts'
import type { Cluster } from './cluster.ts'

export type Failing = World & { cluster: Cluster; redis: RedisNodes & { currentMaster(): number } }

export type ClusterFault = {
  name: string
  what: string
  /** The longest time without an acknowledged write. */
  withinMs: number
  /** The promise about reads, if there is one: p99 while the fault lasts. */
  readsWithinMs?: number
  /** The largest share of failed requests. */
  failedShare?: number
  /** Readers of the change feed keep their place. */
  keepsCursors?: boolean
  /** Changes may be lost that were acknowledged at most this long before the primary was lost. */
  lostWithinMs?: number
  /** Returns when the cluster is whole again; one that loses changes returns when the primary was lost. */
  run(world: Failing, findings: Findings): Promise<unknown>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

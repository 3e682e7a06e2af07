// All faults, in their order: those that may lose changes come last.
import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterFault } from './fault.ts'
import { asynchronous, together } from './losses.ts'
import { partitions } from './partitions.ts'
import { primaries } from './primaries.ts'
import { standbys } from './standbys.ts'

export const calm: ClusterFault = {
  name: 'none',
  what: 'nothing breaks',
  withinMs: 5_000,
  keepsCursors: true,
  run: () => pause(15_000),
}

export const faults: readonly ClusterFault[] = [...primaries, ...standbys, ...partitions, together, ...asynchronous]

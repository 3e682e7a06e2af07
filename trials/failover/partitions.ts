// The manager of the cluster or its network fails: what Patroni and etcd must prevent is a second primary.
import { setTimeout as pause } from 'node:timers/promises'
import type { Findings } from '../faults/findings.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterFault } from './fault.ts'
import { join, part } from './network.ts'
import type { Node } from './node.ts'
import { replaced } from './primaries.ts'

const awayMs = 30_000
const frozenMs = 40_000

export const partitions: readonly ClusterFault[] = [
  {
    name: 'cut-primary',
    what: 'the primary reaches neither etcd nor its standbys, but clients reach it',
    withinMs: 30_000,
    async run({ cluster }, findings) {
      const primary = await cluster.primary()
      const others = await cluster.standbys()
      part(primary, others)
      try {
        await replaced(cluster, primary.name)
        await refusesWrites(cluster, primary, findings)
      } finally {
        join(primary, others)
      }
      await cluster.whole()
    },
  },
  {
    name: 'freeze-patroni',
    what: 'Patroni of the primary stands still for 40 s, while its Postgres goes on: two primaries',
    withinMs: 30_000,
    async run({ cluster, freezer }, findings) {
      const primary = await cluster.primary()
      const frozen = freezer.freeze(primary.pids(/patroni/), frozenMs)
      frozen.catch(() => {})
      await replaced(cluster, primary.name)
      await refusesWrites(cluster, primary, findings)
      await frozen
      await cluster.whole()
    },
  },
  {
    name: 'etcd-failsafe',
    what: 'etcd loses its majority for 30 s, with failsafe_mode: the primary stays',
    withinMs: 8_000,
    keepsCursors: true,
    async run({ cluster, freezer }, findings) {
      const { name } = await cluster.primary()
      await freezer.freeze(majority(cluster), awayMs)
      await cluster.whole()
      const now = (await cluster.primary()).name
      if (now !== name) findings.add('promise', `etcd without a majority made ${now} the primary instead of ${name}`)
    },
  },
  {
    name: 'etcd-majority',
    what: 'the same without failsafe_mode: no change is acknowledged until the majority is back',
    withinMs: awayMs + 30_000,
    async run({ cluster, freezer }) {
      await cluster.configure({ failsafe_mode: false })
      await pause(5_000)
      await freezer.freeze(majority(cluster), awayMs)
      await cluster.whole()
      await cluster.configure({ failsafe_mode: true })
    },
  },
]

const majority = ({ nodes }: Cluster) => nodes.slice(0, 2).flatMap((node) => node.etcd())

/** A server that has lost its lease acknowledges no write, even to one who asks it by its own address. */
async function refusesWrites(cluster: Cluster, node: Node, findings: Findings): Promise<void> {
  const write = cluster.asSuperuser(node, (sql) => sql.unsafe('create table written_by_the_old_primary ()'))
  const outcome = await Promise.race([
    write.then(
      () => 'acknowledged',
      () => 'refused',
    ),
    pause(5_000, 'waits'),
  ])
  console.log(`    a write to the old primary: ${outcome}`)
  if (outcome === 'acknowledged') findings.add('promise', `${node.name} acknowledged a write after its lease`)
}

// The primary is lost, replaced as planned, or comes back.
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { type ClusterFault, seconds } from './fault.ts'

const switches = 10
const returnMs = 60_000

export const primaries: readonly ClusterFault[] = [
  {
    name: 'kill-postgres',
    what: 'the server process of the primary is killed, Patroni lives',
    withinMs: 12_000,
    async run({ cluster }) {
      await killPostgres(cluster)
      await cluster.whole()
    },
  },
  {
    name: 'kill-primary',
    what: 'the machine of the primary is lost, and comes back after 10 s',
    withinMs: 25_000,
    async run({ cluster }, findings) {
      const primary = await cluster.primary()
      await primary.kill()
      await replaced(cluster, primary.name)
      await pause(10_000)
      const from = Date.now()
      primary.start()
      await cluster.whole()
      const took = Date.now() - from
      console.log(`    the old primary follows after ${seconds(took)}`)
      if (took > returnMs) findings.add('promise', `the old primary came back after ${seconds(took)}`)
    },
  },
  {
    name: 'switch-over',
    what: `a planned switch of the primary, ${switches} times`,
    withinMs: 8_000,
    failedShare: 0.01,
    async run({ cluster }) {
      for (let nth = 0; nth < switches; nth++) {
        const { name } = await cluster.primary()
        await cluster.control('switchover', 'calendar', '--leader', name, '--force')
        await replaced(cluster, name)
        await cluster.whole()
        await pause(2_000)
      }
    },
  },
  {
    name: 'old-returns',
    what: 'a primary that was alone with changes comes back: pg_rewind, and no manual step',
    withinMs: 40_000,
    async run({ cluster }, findings) {
      const primary = await cluster.primary()
      const others = await cluster.standbys()
      const receivers = others.flatMap((node) => node.pids(/walreceiver/))
      for (const pid of receivers) process.kill(pid, 'SIGSTOP')
      await pause(2_000)
      await primary.kill()
      for (const pid of receivers) process.kill(pid, 'SIGCONT')
      await replaced(cluster, primary.name)
      const from = Date.now()
      primary.start()
      await cluster.whole()
      const took = Date.now() - from
      console.log(`    the old primary follows after ${seconds(took)}`)
      if (took > returnMs) findings.add('promise', `the old primary came back after ${seconds(took)}`)
    },
  },
]

/** Resolves when another node leads. */
async function killPostgres(cluster: Cluster): Promise<void> {
  const primary = await cluster.primary()
  process.kill(primary.postmaster()!, 'SIGKILL')
  await replaced(cluster, primary.name)
}

/** Resolves when another node leads. */
export async function replaced(cluster: Cluster, name: string): Promise<void> {
  const from = Date.now()
  while ((await cluster.primary()).name === name) await pause(100)
  console.log(`    another primary after ${seconds(Date.now() - from)}`)
}

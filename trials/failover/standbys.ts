// Standbys are lost, stand still, or are late.
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { within } from './cluster.ts'
import type { ClusterFault } from './fault.ts'
import type { Node } from './node.ts'

const frozenMs = 30_000
const awayMs = 20_000
const lateMs = 12_000

export const standbys: readonly ClusterFault[] = [
  {
    name: 'kill-standby',
    what: 'the synchronous standby is lost, and comes back after 20 s',
    withinMs: 25_000,
    readsWithinMs: 1_000,
    keepsCursors: true,
    async run({ cluster }) {
      const standby = await synchronous(cluster)
      await standby.killServers()
      await pause(awayMs)
      standby.start()
      await cluster.whole()
    },
  },
  {
    name: 'freeze-standby',
    what: 'the synchronous standby stands still for 30 s',
    withinMs: frozenMs + 10_000,
    readsWithinMs: 1_000,
    keepsCursors: true,
    async run({ cluster, freezer }) {
      await freezer.freeze((await synchronous(cluster)).pids(), frozenMs)
      await cluster.whole()
    },
  },
  {
    name: 'no-standby',
    what: 'both standbys are away for 20 s: changes wait, reads go on',
    withinMs: awayMs + 25_000,
    readsWithinMs: 1_000,
    keepsCursors: true,
    async run({ cluster, baseUrls }, findings) {
      const away = await cluster.standbys()
      await Promise.all(away.map((node) => node.killServers()))
      await pause(awayMs / 2)
      const { status } = await fetch(`${baseUrls[0]}/readyz`)
      if (status !== 200) findings.add('promise', `/readyz answered ${status} while reads were served`)
      await pause(awayMs / 2)
      for (const node of away) node.start()
      await cluster.whole()
    },
  },
  {
    name: 'late-standby',
    what: 'a standby replays nothing for 12 s',
    withinMs: 5_000,
    readsWithinMs: 1_000,
    keepsCursors: true,
    async run({ cluster, workers }, findings) {
      const standby = await synchronous(cluster)
      // Patroni resumes a replay that is paused, but no process that stands still.
      const replaying = standby.pids(/startup/)
      for (const pid of replaying) process.kill(pid, 'SIGSTOP')
      let behind = 0
      // As Prometheus would: the service looks when it is asked.
      for (const until = Date.now() + lateMs; Date.now() < until; await pause(1_000))
        behind = await behindSeconds(workers[0]!.metricsPort)
      console.log(`    the gauge says ${behind} s`)
      if (behind < 5) findings.add('promise', `calendar_postgres_standby_behind_seconds is ${behind}`)
      for (const pid of replaying) process.kill(pid, 'SIGCONT')
      await cluster.whole()
    },
  },
]

/** The one that changes wait for. */
async function synchronous(cluster: Cluster): Promise<Node> {
  const name = await within(
    'no standby is synchronous',
    60_000,
    async () => (await cluster.members()).find(({ role }) => role === 'sync_standby')?.name,
  )
  return cluster.nodes.find((node) => node.name === name)!
}

async function behindSeconds(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^calendar_postgres_standby_behind_seconds(?:\{.*\})? (.*)$/m.exec(text)?.[1])
}

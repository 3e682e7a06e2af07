// Losses on purpose: with asynchronous replication, and when Redis fails with Postgres.
import { setTimeout as pause } from 'node:timers/promises'
import type { Failing } from './fault.ts'
import { type ClusterFault, seconds } from './fault.ts'
import { replaced } from './primaries.ts'

export const together: ClusterFault = {
  name: 'redis-too',
  what: 'the machine of the primary and the master of Redis are lost at the same moment',
  withinMs: 30_000,
  async run({ cluster, redis }) {
    const primary = await cluster.primary()
    const master = redis.currentMaster()
    await Promise.all([primary.kill(), redis.nodes.get(master)!.kill()])
    await replaced(cluster, primary.name)
    await redis.restart(master)
    primary.start()
    await cluster.whole()
  },
}

export const asynchronous: readonly ClusterFault[] = [100, 1_000, 5_000].map((lagMs) => ({
  name: `asynchronous-${lagMs}`,
  what: `asynchronous commit: the primary is lost while its standbys are ${seconds(lagMs)} behind`,
  withinMs: 30_000,
  lostWithinMs: lagMs,
  run: (world) => loseBehind(world, lagMs),
}))

/** Returns when the primary was lost. Log on its way to the standbys is lost with it. */
async function loseBehind({ cluster }: Failing, lagMs: number): Promise<number> {
  await cluster.configure({ synchronous_mode: false, synchronous_mode_strict: false })
  await pause(6_000)
  const primary = await cluster.primary()
  const receivers = (await cluster.standbys()).flatMap((node) => node.pids(/walreceiver/))
  for (const pid of receivers) process.kill(pid, 'SIGSTOP')
  await pause(lagMs)
  const lostAt = Date.now()
  await primary.kill()
  for (const signal of ['SIGTERM', 'SIGCONT'] as const) for (const pid of receivers) process.kill(pid, signal)
  await replaced(cluster, primary.name)
  primary.start()
  await pause(5_000)
  await cluster.configure({ synchronous_mode: true, synchronous_mode_strict: true })
  await cluster.whole()
  return lostAt
}

// `npm run trial -- scaling redis-cluster`: the service on a Redis Cluster of three masters with a replica each. Nodes
// are killed and come back.
import { setTimeout as pause } from 'node:timers/promises'
import { noRequestFails, runFaults } from '../faults/trial.ts'
import { type RedisNodes, startCluster } from './redisNodes.ts'

let cluster: RedisNodes & { masters: number[] }

/** A fail-over changes which nodes are masters. */
const isMaster = (port: number) => cluster.ask(port, 'role').startsWith('master')

const kill = async (port: number) => {
  await cluster.nodes.get(port)!.kill()
  console.log(`    the node ${port} is killed`)
}

process.exit(
  await runFaults({
    what: 'Two API processes and two workers on a Redis Cluster: three masters with a replica each',
    installation: {
      redis: async (dataDir) => {
        cluster = await startCluster(dataDir)
        return cluster
      },
    },
    expect: noRequestFails,
    faults: [
      {
        name: 'replica',
        what: 'a replica is killed and comes back after 6 s',
        async run() {
          const port = [...cluster.nodes.keys()].find((candidate) => !isMaster(candidate))!
          await kill(port)
          await pause(6_000)
          await cluster.restart(port)
        },
      },
      {
        name: 'each-master',
        what: 'each master is killed in turn; its replica takes over, and it comes back after 8 s',
        async run() {
          for (const port of cluster.masters) {
            await kill(port)
            await pause(8_000)
            await cluster.restart(port)
            await pause(3_000)
          }
        },
      },
      {
        name: 'two-at-once',
        what: 'both nodes of one shard are killed for 8 s: its keys are out of reach, and the cluster reports that it is down',
        async run() {
          const master = [...cluster.nodes.keys()].find(isMaster)!
          const replica = Number(cluster.ask(master, 'role').split('\n')[3])
          await Promise.all([kill(master), kill(replica)])
          await pause(8_000)
          await Promise.all([cluster.restart(master), cluster.restart(replica)])
        },
      },
    ],
  }),
)

// `npm run trial -- scaling redis-sentinel`: the service on a Redis master with a replica, watched by three sentinels.
// The master is killed and the replica takes over, and then the other way round.
import { setTimeout as pause } from 'node:timers/promises'
import { noRequestFails, runFaults } from '../faults/trial.ts'
import { startSentinel } from './redisNodes.ts'

let redis: Awaited<ReturnType<typeof startSentinel>>

process.exit(
  await runFaults({
    what: 'Two API processes and two workers on Redis with three sentinels',
    installation: {
      redis: async (dataDir) => {
        redis = await startSentinel(dataDir)
        return redis
      },
    },
    expect: noRequestFails,
    faults: [
      {
        name: 'fail-over',
        what: 'the master is killed, twice; it comes back as a replica',
        async run() {
          for (let nth = 0; nth < 2; nth++) {
            const master = redis.currentMaster()
            await redis.nodes.get(master)!.kill()
            const from = Date.now()
            while (redis.currentMaster() === master && Date.now() - from < 30_000) await pause(50)
            console.log(`    another master after ${((Date.now() - from) / 1000).toFixed(1)} s`)
            await pause(4_000)
            await redis.restart(master)
            await pause(8_000)
          }
        },
      },
      {
        name: 'sentinels',
        what: 'two of the three sentinels are down for 6 s while a worker is replaced',
        async run({ workers }) {
          const sentinels = [...redis.nodes.keys()].slice(-2)
          for (const port of sentinels) await redis.nodes.get(port)!.kill()
          await workers[0]!.terminate()
          await workers[0]!.ready()
          await pause(6_000)
          for (const port of sentinels) await redis.restart(port)
        },
      },
    ],
  }),
)

// The faults: what is done to the running service, and what it must do meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import type { Supervised } from '../world/supervise.ts'
import type { Findings } from './findings.ts'
import { redisCommand } from './redisCommand.ts'
import { replace } from './replace.ts'
import { resetConnections } from './resets.ts'
import { freezePostgres } from './stalls.ts'
import type { World } from './world.ts'

export type Fault = {
  name: string
  what: string
  /** Returns when the fault is over; the service then heals. */
  run(world: World, findings: Findings): Promise<void>
}

const redisAwayMs = 20_000

export const faults: readonly Fault[] = [
  {
    name: 'kill-worker',
    what: 'kill -9 a worker, four times',
    run: ({ workers }) => killInTurn(workers, 4),
  },
  {
    name: 'kill-api',
    what: 'kill -9 an API process, four times',
    run: ({ apis }) => killInTurn(apis, 4),
  },
  {
    name: 'drop-redis',
    what: 'Redis is gone for 20 s; meanwhile a receiver is slow, and a worker and an API process are replaced',
    async run(world, findings) {
      const { api, orgId } = world.tenants[0]!
      const slow = { url: `${world.receiver.slowUrl}/${orgId}`, events: ['event.created'] }
      const { id } = await api.require('POST', '/v1/webhooks', slow)
      await pause(1_000)
      const until = Date.now() + redisAwayMs
      await world.stores.redis.stop('now')
      await pause(4_000)
      await Promise.all([replace(world.workers[0]!, findings), replace(world.apis[0]!, findings)])
      await pause(Math.max(0, until - Date.now()))
      await world.restartStore('redis')
      await api.require('DELETE', `/v1/webhooks/${id}`)
    },
  },
  {
    name: 'freeze-redis',
    what: 'Redis keeps its connections and answers nothing for 10 s',
    async run({ stores }) {
      process.kill(stores.redis.pid, 'SIGSTOP')
      await pause(10_000)
      process.kill(stores.redis.pid, 'SIGCONT')
    },
  },
  {
    name: 'flush-redis',
    what: 'Redis forgets everything, three times',
    async run({ stores }) {
      for (let nth = 0; nth < 3; nth++) {
        await redisCommand(stores.redis.url, 'FLUSHALL')
        await pause(3_000)
      }
      await redisCommand(stores.redis.url, 'FLUSHALL')
    },
  },
  {
    name: 'stop-postgres',
    what: 'Postgres is stopped at once and is back after 3 s, twice',
    async run({ stores, restartStore }) {
      for (let nth = 0; nth < 2; nth++) {
        if (nth > 0) await pause(4_000)
        await stores.postgres.stop('now')
        await pause(3_000)
        await restartStore('postgres')
      }
    },
  },
  {
    name: 'end-backends',
    what: 'half of the database backends are ended every second for 20 s',
    async run({ sql }) {
      const own = sql()
      for (let nth = 0; nth < 20; nth++) {
        await own`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'agent-calendar %' and random() < 0.5`
        await pause(1_000)
      }
      await own.end({ timeout: 1 })
    },
  },
  {
    name: 'freeze-postgres',
    what: 'Postgres stands still, its backends and then all of it, for shorter and for longer than a statement may take',
    run: freezePostgres,
  },
  {
    name: 'reset-connections',
    what: 'connections to Postgres are reset amid an answer, half closed, and hold their answers back',
    run: resetConnections,
  },
  {
    name: 'replace',
    what: 'every process is told to end, one after another',
    async run({ workers, apis }, findings) {
      for (const process of [...workers, ...apis]) {
        await replace(process, findings)
        await process.ready()
      }
    },
  },
]

/** The next one when the one before serves again: there is always another that lives. */
async function killInTurn(processes: readonly Supervised[], times: number) {
  for (let nth = 0; nth < times; nth++) {
    const process = processes[nth % processes.length]!
    if (nth > 0) await pause(1_500)
    await process.kill()
    if (nth < times - 1) await process.ready()
  }
}

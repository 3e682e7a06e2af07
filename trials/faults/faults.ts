// The faults: each one, and the promises that the service must keep meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Supervised } from '../world/supervise.ts'
import type { Findings } from './findings.ts'
import { replace } from './replace.ts'
import { resetConnections } from './resets.ts'
import { freezePostgres } from './stalls.ts'
import type { World } from './world.ts'

export type Fault = {
  name: string
  what: string
  /** Readers of the change feed may have to list again (410). */
  losesCursors?: boolean
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
    what: 'Redis is down for 20 s; meanwhile a receiver is slow, and a worker and an API process are replaced',
    async run(world, findings) {
      const { api, orgId } = world.tenants[0]!
      const slow = { url: `${world.receiver.slowUrl}/${orgId}`, events: ['event.created'] }
      const { id } = await api.require('POST', '/v1/webhooks', slow)
      await pause(1_000)
      const until = Date.now() + redisAwayMs
      await world.store('redis').stop('now')
      await pause(4_000)
      await Promise.all([replace(world.workers[0]!, findings), replace(world.apis[0]!, findings)])
      await pause(Math.max(0, until - Date.now()))
      await world.restartStore('redis')
      await api.require('DELETE', `/v1/webhooks/${id}`)
    },
  },
  {
    name: 'freeze-redis',
    what: 'Redis keeps its connections open and answers nothing for 10 s',
    run: ({ freezer, store }) => freezer.freeze([store('redis').pid], 10_000),
  },
  {
    name: 'flush-redis',
    what: 'Redis forgets everything, four times',
    async run({ store }) {
      for (let nth = 0; nth < 4; nth++) {
        if (nth > 0) await pause(3_000)
        await flush(store('redis').url)
      }
    },
  },
  {
    name: 'stop-postgres',
    what: 'Postgres is stopped immediately and comes back after 3 s, twice',
    async run({ store, restartStore }) {
      for (let nth = 0; nth < 2; nth++) {
        if (nth > 0) await pause(4_000)
        await store('postgres').stop('now')
        await pause(3_000)
        await restartStore('postgres')
      }
    },
  },
  {
    name: 'end-backends',
    what: 'half of the database backends are terminated every second for 20 s',
    run: ({ withSql }) =>
      withSql(async (sql) => {
        for (let nth = 0; nth < 20; nth++) {
          await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name like 'agent-calendar %' and random() < 0.5`
          await pause(1_000)
        }
      }),
  },
  {
    name: 'freeze-postgres',
    what: 'Postgres freezes, first its backends and then all of it, for less and for more time than a statement may take',
    run: freezePostgres,
  },
  {
    name: 'reset-connections',
    what: 'connections to Postgres are reset in the middle of an answer, half closed, and delayed',
    run: resetConnections,
  },
  {
    name: 'replace',
    what: 'every process is replaced, one after another',
    async run({ workers, apis }, findings) {
      for (const process of [...workers, ...apis]) {
        await replace(process, findings)
        await process.ready()
      }
    },
  },
]

async function flush(url: string) {
  const redis = new Redis(url)
  await redis.flushall()
  redis.disconnect()
}

/** The next one when the previous one serves again, so that another one is always alive. */
async function killInTurn(processes: readonly Supervised[], times: number) {
  for (let nth = 0; nth < times; nth++) {
    const process = processes[nth % processes.length]!
    if (nth > 0) await pause(1_500)
    await process.kill()
    if (nth < times - 1) await process.ready()
  }
}

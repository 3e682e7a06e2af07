// Faults that the stores report themselves.
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { sha256 } from '../../../src/sealing/sealer.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

async function configure({ store }: Site, name: string, value: string | number) {
  const client = new Redis(store('redis').url)
  await client.config('SET', name, value)
  client.disconnect()
}

async function usedBytes({ store }: Site): Promise<number> {
  const client = new Redis(store('redis').url)
  const memory = await client.info('memory')
  client.disconnect()
  return Number(/^used_memory:(\d+)/m.exec(memory)![1])
}

/** The server and the process of each connection. */
function signalPostgres({ store }: Site, name: 'SIGSTOP' | 'SIGCONT') {
  const { pid: server } = store('postgres')
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ')
  for (const pid of [server, ...children.map(Number)]) process.kill(pid, name)
}

export const storeCauses: readonly Cause[] = [
  {
    what: 'Postgres is frozen and keeps its connections',
    alerts: ['PostgresAway', 'StatementsTimeOut'],
    cause: async (site) => signalPostgres(site, 'SIGSTOP'),
    relieve: async (site) => signalPostgres(site, 'SIGCONT'),
  },
  {
    what: 'Postgres answers with the row of another key',
    alerts: ['ForeignAnswers'],
    cause: async ({ wayToPostgres, key }) => {
      const hash = sha256(key).toString('hex')
      wayToPostgres.forge((answer) => answer.replaceAll(hash, hash.split('').reverse().join('')))
    },
    relieve: async ({ wayToPostgres }) => wayToPostgres.forge(),
  },
  {
    what: 'the clock of Postgres is ahead',
    alerts: ['ClocksApart'],
    cause: async ({ wayToPostgres }) =>
      wayToPostgres.forge((answer) => answer.replaceAll(/\d{10}(?=\.\d)/g, (seconds) => String(Number(seconds) + 2))),
    relieve: async ({ wayToPostgres }) => wayToPostgres.forge(),
  },
  {
    what: 'Redis is frozen and keeps its connections',
    alerts: ['RedisAway'],
    cause: async ({ store }) => process.kill(store('redis').pid, 'SIGSTOP'),
    relieve: async ({ store }) => process.kill(store('redis').pid, 'SIGCONT'),
  },
  {
    what: 'Redis may evict',
    alerts: ['RedisEvicts'],
    cause: (site) => configure(site, 'maxmemory-policy', 'allkeys-lru'),
    relieve: (site) => configure(site, 'maxmemory-policy', 'noeviction'),
  },
  {
    what: 'Redis has no memory left',
    alerts: ['RedisFull'],
    cause: async (site) => configure(site, 'maxmemory', await usedBytes(site)),
    relieve: (site) => configure(site, 'maxmemory', 0),
  },
]

// A test during which clients of Redis do not reach it.
import { once } from 'node:events'
import type { RedisClient } from '../stores/redis.ts'

/** Waits first for a connection that a stall has closed: a client that is disconnected between two tries never says `end`. */
export async function disconnect(redis: RedisClient): Promise<void> {
  if (redis.status === 'end') return
  if (redis.status !== 'ready') await once(redis, 'ready')
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
}

/** None of `clients` reaches Redis while `work` runs. Afterwards all do again, whatever came of it. */
export async function withoutRedis<T>(clients: RedisClient[], work: () => Promise<T>): Promise<T> {
  await Promise.all(clients.map(disconnect))
  try {
    return await work()
  } finally {
    await Promise.all(clients.map((redis) => redis.connect()))
  }
}

// Reads and deletions of a test in Redis behind the product's back: one server, or every node of a cluster.
import { mastersOf, type RedisClient } from '../stores/redis.ts'

export async function keysLike(redis: RedisClient, pattern: string): Promise<string[]> {
  return (await Promise.all(mastersOf(redis).map((node) => node.keys(pattern)))).flat()
}

/** Key by key: those of one command would have to lie on one node. Returns how many there were. */
export async function forgetKeys(redis: RedisClient, pattern: string): Promise<number> {
  const deleted = await Promise.all((await keysLike(redis, pattern)).map((key) => redis.del(key)))
  return deleted.reduce((sum, count) => sum + count, 0)
}

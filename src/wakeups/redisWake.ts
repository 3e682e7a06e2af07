// Redis checks blocked clients for timeouts ten times a second, and whenever a command comes. So a worker that waits for a
// moment would learn of it up to 100 ms late. The process that rang for the moment sends Redis a command when it is due.
import type { RedisClient } from '../stores/redis.ts'
import { jobs, type PoolName, queuePrefix, type Wakeup } from './jobs.ts'

/** After the moment. The second one is for a worker whose clock is behind. */
const firstAfterMs = 1
const secondAfterMs = 15

type RedisWake = {
  /** For wake-ups that are due at a whole second, as moments and retries are: there are few of them within the horizon. */
  add(wakeups: readonly Wakeup[], now: Date): void
  close(): void
}

export function openRedisWake(redis: RedisClient, redisPrefix: string): RedisWake {
  const planned = new Map<string, NodeJS.Timeout[]>()

  /** To the node of a cluster that holds the queue. */
  function wakeQueue(queue: PoolName) {
    if (redis.status === 'ready') redis.exists(queuePrefix(redisPrefix, queue)).catch(() => undefined)
  }

  function plan(queue: PoolName, dueMs: number, waitMs: number) {
    const name = `${queue} ${dueMs}`
    if (planned.has(name)) return
    const first = setTimeout(wakeQueue, waitMs + firstAfterMs, queue)
    const second = setTimeout(() => {
      planned.delete(name)
      wakeQueue(queue)
    }, waitMs + secondAfterMs)
    planned.set(name, [first.unref(), second.unref()])
  }

  return {
    add(wakeups, now) {
      for (const { name, dueAt } of wakeups) {
        const waitMs = dueAt.getTime() - now.getTime()
        if (waitMs > 0 && dueAt.getTime() % 1_000 === 0) plan(jobs[name].queue, dueAt.getTime(), waitMs)
      }
    },
    close() {
      for (const timer of [...planned.values()].flat()) clearTimeout(timer)
    },
  }
}

// Producers. Ringing is best effort: it never fails a request and never holds one up, the sweeper makes up for it.
import { type JobsOptions, Queue } from 'bullmq'
import type { Clock } from './clock.ts'
import { type PoolName, poolNames } from './config.ts'
import { jobs, type Wakeup } from './jobs.ts'
import type { Log } from './log.ts'
import type { RedisClient } from './redis.ts'

export type Bell = {
  /** Collects the wake-ups of one turn of the event loop and sends them together. */
  ring(wakeups: readonly Wakeup[]): void
  /** True when Redis took them all within the deadline. */
  ringNow(wakeups: readonly Wakeup[]): Promise<boolean>
  close(): Promise<void>
}

const deadlineMs = 300

/** One hash slot per queue, so that the queues spread over a cluster. */
export const queuePrefix = (redisPrefix: string, queue: PoolName) => `{${redisPrefix}:${queue}}`

const jobOptions = (wakeup: Wakeup, now: Date): JobsOptions => ({
  jobId: wakeup.id,
  delay: Math.max(0, wakeup.dueAt.getTime() - now.getTime()),
  removeOnComplete: true,
  removeOnFail: true,
})

export function openBell(redis: RedisClient, redisPrefix: string, clock: Clock, log: Log): Bell {
  const queues = new Map(
    poolNames.map((name) => {
      const queue = new Queue(name, {
        connection: redis,
        prefix: queuePrefix(redisPrefix, name),
        skipVersionCheck: true,
        skipWaitingForReady: true,
      })
      queue.on('error', () => undefined)
      return [name, queue] as const
    }),
  )
  let waiting: Wakeup[] = []
  const sending = new Set<Promise<boolean>>()

  async function ringNow(wakeups: readonly Wakeup[]): Promise<boolean> {
    if (wakeups.length === 0) return true
    if (redis.status !== 'ready') return false
    const now = clock.now()
    const byQueue = Map.groupBy(wakeups, (wakeup) => jobs[wakeup.name].queue)
    const adds = [...byQueue].map(([queue, group]) =>
      queues
        .get(queue)!
        .addBulk(group.map((wakeup) => ({ name: wakeup.name, data: wakeup.payload, opts: jobOptions(wakeup, now) }))),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, false)
    })
    try {
      return await Promise.race([Promise.all(adds).then(() => true), late])
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'ringing failed, the sweeper will')
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  function flush() {
    const wakeups = waiting
    waiting = []
    const sent = ringNow(wakeups)
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
  }

  return {
    ring(wakeups) {
      if (wakeups.length === 0) return
      if (waiting.length === 0) setImmediate(flush)
      waiting.push(...wakeups)
    },
    ringNow,
    async close() {
      if (waiting.length > 0) flush()
      await Promise.all(sending)
      await Promise.race([
        Promise.allSettled([...queues.values()].map((queue) => queue.close())),
        new Promise((resolve) => setTimeout(resolve, deadlineMs).unref()),
      ])
    },
  }
}

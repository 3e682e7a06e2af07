// Consumers: one BullMQ worker per pool. A handler's throw is our own fault: it is logged, and the sweeper rings again.
import { Worker } from 'bullmq'
import type { PoolName } from './config.ts'
import { type JobName, jobs, type Payload } from './jobs.ts'
import type { Log } from './log.ts'
import { queuePrefix } from './queue.ts'
import type { RedisClient } from './redis.ts'

/** Handlers of one queue: exactly the jobs that the map gives it, or it does not compile. */
export type Handlers<Q extends PoolName> = {
  [N in JobName as (typeof jobs)[N]['queue'] extends Q ? N : never]: (payload: Payload<N>) => Promise<void>
}

export type Pool = { name: PoolName; close(deadlineMs: number): Promise<void> }

export function openPool<Q extends PoolName>(
  queue: Q,
  options: { connection: RedisClient; redisPrefix: string; concurrency: number; log: Log },
  handlers: Handlers<Q>,
): Pool {
  const worker = new Worker(
    queue,
    async (job) => {
      const name = job.name as JobName
      const handler = (handlers as Record<string, (payload: unknown) => Promise<void>>)[name]
      if (!handler) throw new Error(`no handler for the job ${name}`)
      await handler(jobs[name].payload.parse(job.data))
    },
    {
      connection: options.connection,
      prefix: queuePrefix(options.redisPrefix, queue),
      concurrency: options.concurrency,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      skipVersionCheck: true,
    },
  )
  worker.on('failed', (job, error) => options.log.error({ job: job?.name, err: error }, 'a job failed'))
  worker.on('error', (error) => options.log.debug({ error: error.message }, 'worker connection'))
  return {
    name: queue,
    // A worker never closes by itself while Redis is away: what it had claimed is leased, and comes back.
    async close(deadlineMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, deadlineMs, 'late')
      })
      const outcome = await Promise.race([worker.close().then(() => 'closed'), late])
      clearTimeout(timer)
      if (outcome === 'late')
        await Promise.race([worker.close(true), new Promise((resolve) => setTimeout(resolve, 500))])
    },
  }
}

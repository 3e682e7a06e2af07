// Consumers: one BullMQ worker per pool. A handler's throw is our own fault: it is logged, and the sweeper rings again.
import { Worker } from 'bullmq'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { inSpan, type SpanOptions } from '../observability/tracing.ts'
import type { RedisClient } from '../stores/redis.ts'
import { type JobName, jobs, type Payload, type PoolName, queuePrefix } from './jobs.ts'

/** The handlers of one queue, by job. A job of the map without a handler does not compile. */
export type Handlers<Q extends PoolName> = {
  [N in JobName as (typeof jobs)[N]['queue'] extends Q ? N : never]: (payload: Payload<N>) => Promise<void>
}

export type Pool = { name: PoolName; close(deadlineMs: number): Promise<void> }

/** The timers of one second belong to many traces: their job is linked to the trace that rang, and continues none. */
const spanOptions = (queue: PoolName, name: JobName, { traceparent }: { traceparent?: string }): SpanOptions => ({
  kind: 'consumer',
  ...(name === 'fire' ? { links: [traceparent] } : { from: traceparent }),
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queue,
  },
})

/** How long a consumer without jobs waits for one before it looks again: as long as BullMQ waits for one that is due later. */
const waitSeconds = 10

export function openPool<Q extends PoolName>(
  queue: Q,
  options: { connection: RedisClient; redisPrefix: string; concurrency: number; log: Log; metrics: Metrics },
  handlers: Handlers<Q>,
): Pool {
  const underWay = new Set<Promise<void>>()
  const worker = new Worker(
    queue,
    async (job) => {
      const name = job.name as JobName
      const handler = (handlers as Record<string, (payload: unknown) => Promise<void>>)[name]
      if (!handler) throw new Error(`no handler for the job ${name}`)
      const stopTimer = options.metrics.jobDuration.startTimer({ job: name })
      const span = spanOptions(queue, name, job.data as { traceparent?: string })
      const handling = inSpan(`${name} job`, span, () => handler(jobs[name].payload.parse(job.data)))
      underWay.add(handling)
      await handling.finally(() => {
        underWay.delete(handling)
        stopTimer()
      })
    },
    {
      connection: options.connection,
      prefix: queuePrefix(options.redisPrefix, queue),
      concurrency: options.concurrency,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: waitSeconds,
    },
  )
  for (const trouble of ['failed', 'stalled']) options.metrics.jobTroubles.inc({ queue, trouble }, 0)
  options.metrics.workerPool.set({ queue }, 1)
  worker.on('failed', (job, error) => {
    options.metrics.jobTroubles.inc({ queue, trouble: 'failed' })
    options.log.error({ job: job?.name, err: error }, 'a job failed')
  })
  worker.on('stalled', () => options.metrics.jobTroubles.inc({ queue, trouble: 'stalled' }))
  worker.on('error', (error) => options.log.debug({ error: error.message }, 'worker connection'))
  return {
    name: queue,
    // BullMQ's `close()` never resolves while Redis is down. Then wait only for the jobs in progress; other claimed rows come
    // due again when their lease ends.
    async close(deadlineMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs)
      })
      const closed = worker.close().catch((error: Error) => options.log.debug({ error: error.message }, 'pool closing'))
      const finished = options.connection.status === 'ready' ? closed : Promise.allSettled([...underWay])
      await Promise.race([closed, finished, late])
      clearTimeout(timer)
    },
  }
}

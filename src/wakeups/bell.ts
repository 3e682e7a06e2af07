// The producers of wake-ups. Ringing is best effort: it never fails or delays a request, and the sweeper finds missed rows.
import { type JobsOptions, Queue } from 'bullmq'
import type { Log } from '../observability/log.ts'
import { currentTraceparent, inSpan } from '../observability/tracing.ts'
import type { RedisClient } from '../stores/redis.ts'
import type { Clock } from './clock.ts'
import { jobs, type PoolName, poolNames, queuePrefix, type Wakeup } from './jobs.ts'
import { joinWakeups } from './lanes.ts'
import { openRedisWake } from './redisWake.ts'

type Queues = ReadonlyMap<PoolName, Queue>

export type Bell = {
  /** For inspection and control by operators; wake-ups go through `ring`. */
  queues: Queues
  /** Collects the wake-ups of one turn of the event loop, under load those of a few milliseconds, and sends them together. */
  ring(wakeups: readonly Wakeup[]): void
  /** Offers wake-ups to this process first: `take` returns those that it leaves to the others. */
  offer(take: Take): void
  /** True if Redis took them all within the deadline. */
  ringNow(wakeups: readonly Wakeup[]): Promise<boolean>
  /** How many wake-ups each queue holds in Redis, and how long the oldest that waits has been due. Rejects while Redis is away. */
  depths(): Promise<QueueDepth[]>
  close(): Promise<void>
}

type Take = (wakeups: readonly Wakeup[]) => readonly Wakeup[]

type QueueDepth = {
  queue: PoolName
  states: Record<(typeof states)[number], number>
  failed: number
  oldestSeconds: number
}

const deadlineMs = 300

/** The first wake-up is sent at once, further ones this long after it: a call of Redis costs far more than a wake-up in it. */
const paceMs = 10

const jobOptions = (wakeup: Wakeup, now: Date): JobsOptions => ({
  jobId: wakeup.id,
  delay: Math.max(0, wakeup.dueAt.getTime() - now.getTime()),
  removeOnComplete: true,
  removeOnFail: true,
})

/** A wake-up and the trace that it continues. */
type Carried = Wakeup & { traceparent?: string }

/** The trace is beside the payload, where only the pool reads it. */
const dataOf = ({ payload, traceparent }: Carried) => (traceparent ? { ...payload, traceparent } : payload)

const ringAttributes = (wakeups: readonly Wakeup[]) => ({
  'messaging.system': 'bullmq',
  'messaging.operation.type': 'send',
  'messaging.batch.message_count': wakeups.length,
})

const states = ['waiting', 'active', 'delayed'] as const

async function depthOf(name: PoolName, queue: Queue, now: Date): Promise<QueueDepth> {
  const [counts, [oldest]] = await Promise.all([queue.getJobCounts(...states, 'failed'), queue.getWaiting(0, 0)])
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts
  const dueAt = oldest ? oldest.timestamp + (oldest.opts.delay ?? 0) : now.getTime()
  return {
    queue: name,
    states: { waiting, active, delayed },
    failed,
    oldestSeconds: Math.max(0, (now.getTime() - dueAt) / 1000),
  }
}

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
  /** Of this turn. */
  let waiting: Carried[] = []
  /** The wake-ups that this process leaves to Redis, and the time at which each may be sent. */
  let leaving: Carried[] = []
  let sentAtMs = Number.NEGATIVE_INFINITY
  let pacing: NodeJS.Timeout | undefined
  let takeHere: Take = (wakeups) => wakeups
  const sending = new Set<Promise<boolean>>()
  const redisWake = openRedisWake(redis, redisPrefix)

  async function ringNow(wakeups: readonly Carried[]): Promise<boolean> {
    if (wakeups.length === 0) return true
    if (redis.status !== 'ready') return false
    const now = clock.now()
    redisWake.add(wakeups, now)
    const byQueue = Map.groupBy(wakeups, (wakeup) => jobs[wakeup.name].queue)
    const adds = [...byQueue].map(([name, group]) => {
      const queue = queues.get(name)!
      const added = group.map((wakeup) => ({
        name: wakeup.name,
        data: dataOf(wakeup),
        opts: jobOptions(wakeup, now),
      }))
      const [{ name: job, data, opts }] = added as [(typeof added)[0]]
      // One by itself needs no transaction of Redis.
      return added.length === 1 ? queue.add(job, data, opts) : queue.addBulk(added)
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, false)
    })
    try {
      return await Promise.race([Promise.all(adds).then(() => true), late])
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'ringing failed, the sweeper will ring again')
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  function endTurn() {
    leaving.push(...takeHere(waiting))
    waiting = []
    if (leaving.length === 0 || pacing) return
    const waitMs = sentAtMs + paceMs - performance.now()
    if (waitMs <= 0) send()
    else pacing = setTimeout(send, waitMs)
  }

  function send() {
    clearTimeout(pacing)
    pacing = undefined
    sentAtMs = performance.now()
    const wakeups = joinWakeups(leaving, clock.now())
    leaving = []
    const sent = inSpan('ring', { kind: 'producer', onlyInside: true, attributes: ringAttributes(wakeups) }, () =>
      ringNow(wakeups),
    )
    sending.add(sent)
    void sent.finally(() => sending.delete(sent))
  }

  return {
    queues,
    ring(wakeups) {
      if (wakeups.length === 0) return
      if (waiting.length === 0) setImmediate(endTurn)
      const traceparent = currentTraceparent()
      waiting.push(...(traceparent ? wakeups.map((wakeup) => ({ ...wakeup, traceparent })) : wakeups))
    },
    offer(take) {
      takeHere = take
    },
    ringNow,
    depths: () => Promise.all([...queues].map(([name, queue]) => depthOf(name, queue, clock.now()))),
    async close() {
      endTurn()
      if (leaving.length > 0) send()
      await Promise.all(sending)
      redisWake.close()
      await Promise.race([
        Promise.allSettled([...queues.values()].map((queue) => queue.close())),
        new Promise((resolve) => setTimeout(resolve, deadlineMs).unref()),
      ])
    },
  }
}

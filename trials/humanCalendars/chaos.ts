// Faults while events are published: workers, Redis, Postgres, and the answers of providers.
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Site } from './site.ts'
import { type Asked, type Fate, isAboutEvents, isWrite } from './traffic.ts'

const killEveryMs = 2_000
const flushEveryMs = 5_000
/** A lane that no write has prolonged for this long belonged to a worker that was killed. */
const deadLaneMs = 4_000
const leaseMs = 45_000

/** One in ten writes loses its answer; of all requests about events one in twenty is one too many, one in fifty fails. */
export function disturbAnswers(asked: Asked): Fate {
  if (!isAboutEvents(asked)) return 'pass'
  const chance = Math.random()
  if (chance < 0.05) return 'throttle'
  if (chance < 0.07) return 'fail'
  return chance < 0.17 && isWrite(asked) ? 'drop' : 'pass'
}

type Broken = { killed: number; flushed: number; restarted: number }

/** Until `isOver`. */
export async function breakThings(site: Site, isOver: () => boolean): Promise<Broken> {
  const broken = { killed: 0, flushed: 0, restarted: 0 }
  const every = async (ms: number, work: () => Promise<unknown>) => {
    for (await pause(ms); !isOver(); await pause(ms)) await work()
  }
  const kill = async () => {
    const worker = site.workers[broken.killed % site.workers.length]!
    await worker.kill()
    broken.killed++
  }
  const flush = async () => {
    const redis = new Redis(site.store('redis').url)
    await redis.flushall().finally(() => redis.disconnect())
    broken.flushed++
  }
  const restart = async () => {
    await pause(25_000)
    if (isOver()) return
    await site.store('postgres').stop('now')
    await site.restartStore('postgres')
    broken.restarted++
  }
  await Promise.all([every(killEveryMs, kill), every(flushEveryMs, flush), restart()])
  return broken
}

/** Shortens long waits: the leases of killed workers, and the time until a write is tried again. */
export async function hasten({ sql }: Site): Promise<void> {
  await sql`
    update publication_lanes set claimed_until = app_now()
    where claimed_until < app_now() + ${leaseMs - deadLaneMs} * interval '1 millisecond'`
  await sql`
    update publication_lanes set held_until = app_now() + interval '1 second'
    where held_until > app_now() + interval '2 seconds'`
  await sql`
    update publications set next_attempt_at = app_now() + interval '1 second'
    where next_attempt_at > app_now() + interval '2 seconds'`
}

// The state of the stores, as every process sees them for itself.
import type { App } from './app.ts'
import { isAnswering } from './db.ts'

const everyMs = 5_000

export function measureStores({ sql, redis, metrics }: App): void {
  const { measurements } = metrics
  measurements.add('postgres', everyMs, async () => metrics.readiness.set((await isAnswering(sql)) ? 1 : 0))
  measurements.add('redis', 0, async () => metrics.redisUp.set(redis.status === 'ready' ? 1 : 0))
  measurements.add('redis memory', everyMs, async () => {
    if (redis.status !== 'ready') return
    const askedAt = performance.now()
    const memory = await redis.info('memory')
    metrics.redisPing.set((performance.now() - askedAt) / 1000)
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(memory)?.[1] ?? ''
    metrics.redisKeeps.set(field('maxmemory_policy') === 'noeviction' ? 1 : 0)
    metrics.redisMemory.set(Number(field('used_memory')))
    metrics.redisMemoryMost.set(Number(field('maxmemory')))
  })
}

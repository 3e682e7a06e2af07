// The state of the stores as this process sees it.
import type { Metrics } from '../observability/metrics.ts'
import { readClockOffsetMs } from './clockOffset.ts'
import { isAnswering, type Sql } from './postgres.ts'
import { mastersOf, type RedisClient } from './redis.ts'

const everyMs = 5_000

export function measureStores({ sql, redis, metrics }: { sql: Sql; redis: RedisClient; metrics: Metrics }): void {
  const { measurements } = metrics
  measurements.add('postgres', everyMs, async () => metrics.ready.set((await isAnswering(sql)) ? 1 : 0))
  measurements.add('clock', everyMs, async () => {
    const offsetMs = await readClockOffsetMs(sql)
    if (offsetMs !== undefined) metrics.postgresClockOffset.set(offsetMs / 1_000)
  })
  measurements.add('redis', 0, async () => metrics.redisUp.set(redis.status === 'ready' ? 1 : 0))
  measurements.add('redis memory', everyMs, async () => {
    if (redis.status !== 'ready') return
    const askedAt = performance.now()
    const nodes = await Promise.all(mastersOf(redis).map((node) => node.info('memory').then(memoryOf)))
    metrics.redisPing.set((performance.now() - askedAt) / 1000)
    metrics.redisNoeviction.set(nodes.every(({ policy }) => policy === 'noeviction') ? 1 : 0)
    const [fullest] = nodes.sort((a, b) => b.used - a.used)
    if (!fullest) return
    metrics.redisMemoryUsed.set(fullest.used)
    metrics.redisMemoryMax.set(fullest.max)
  })
}

function memoryOf(info: string) {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  return { policy: field('maxmemory_policy'), used: Number(field('used_memory')), max: Number(field('maxmemory')) }
}

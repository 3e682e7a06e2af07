// At most ten deliveries of one subscription are in flight over all workers. Who finds no slot leaves its name; who gives
// one back takes the next name along. Only a courtesy to receivers: losing it to Redis costs no delivery.
import type { App } from '../app.ts'
import { defineScript } from '../redis.ts'

export const mostInFlight = 10

/** Longer than an attempt can last: the slot of a worker that died is free again then. */
const slotMs = 15_000

// KEYS: slots (a set of deliveries by the time they expire), waiting. ARGV: now, expiry, delivery id, slots.
const takeScript = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) then
  redis.call('rpush', KEYS[2], ARGV[3])
  redis.call('pexpire', KEYS[2], 60000)
  return 0
end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3])
redis.call('pexpire', KEYS[1], 60000)
return 1
`
const giveScript = `
redis.call('zrem', KEYS[1], ARGV[1])
return redis.call('lpop', KEYS[2])
`

export type Slots = {
  take(orgId: string, subscriptionId: string, deliveryId: string): Promise<boolean>
  /** The delivery that waited longest for a slot of this subscription, if any. */
  give(orgId: string, subscriptionId: string, deliveryId: string): Promise<string | undefined>
}

export function openSlots(app: App): Slots {
  const takeSlot = defineScript(app.redis, 'takeSlot', takeScript)
  const giveSlot = defineScript(app.redis, 'giveSlot', giveScript)
  // Without Redis the cap holds per process.
  const local = new Map<string, number>()
  const keysOf = (orgId: string, subscriptionId: string) => {
    const base = `${app.config.redisPrefix}:{${orgId}}:${subscriptionId}`
    return [`${base}:flying`, `${base}:waiting`]
  }
  return {
    async take(orgId, subscriptionId, deliveryId) {
      const flying = local.get(subscriptionId) ?? 0
      if (app.redis.status !== 'ready' && flying >= mostInFlight) return false
      let taken = true
      try {
        const now = Date.now()
        taken = (await takeSlot(keysOf(orgId, subscriptionId), [now, now + slotMs, deliveryId, mostInFlight])) === 1
      } catch {
        taken = (local.get(subscriptionId) ?? 0) < mostInFlight
      }
      if (taken) local.set(subscriptionId, (local.get(subscriptionId) ?? 0) + 1)
      return taken
    },
    async give(orgId, subscriptionId, deliveryId) {
      const left = (local.get(subscriptionId) ?? 1) - 1
      if (left > 0) local.set(subscriptionId, left)
      else local.delete(subscriptionId)
      try {
        return ((await giveSlot(keysOf(orgId, subscriptionId), [deliveryId])) as string | null) ?? undefined
      } catch {
        return undefined
      }
    },
  }
}

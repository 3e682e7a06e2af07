// At most ten deliveries of one subscription are in flight over all workers. Who finds no slot leaves its name; who gives
// one back takes the next name along. A process renews the slots it holds, so that those of one that died are soon free.
// Only a courtesy to receivers: losing it to Redis costs no delivery.
import type { App } from '../app.ts'
import { defineScript } from '../redis.ts'

export const mostInFlight = 10

const slotMs = 3_000
const renewEveryMs = 1_000

// KEYS: slots (a set of deliveries by the time they expire), waiting (a set of deliveries by the time they came).
// ARGV: now, expiry, delivery id, slots.
const takeScript = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) then
  redis.call('zadd', KEYS[2], 'NX', ARGV[1], ARGV[3])
  redis.call('pexpire', KEYS[2], 60000)
  return 0
end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3])
redis.call('pexpire', KEYS[1], 60000)
return 1
`
const giveScript = `
redis.call('zrem', KEYS[1], ARGV[1])
return redis.call('zpopmin', KEYS[2])[1]
`

export type Slots = {
  take(orgId: string, subscriptionId: string, deliveryId: string): Promise<boolean>
  /** The delivery that waited longest for a slot of this subscription, if any. */
  give(orgId: string, subscriptionId: string, deliveryId: string): Promise<string | undefined>
}

/** What this process holds of a subscription, and who waits for it here because Redis is away. */
type Held = { orgId: string; flying: Set<string>; waiting: Set<string> }

export function openSlots(app: App): Slots {
  const takeSlot = defineScript(app.redis, 'takeSlot', takeScript)
  const giveSlot = defineScript(app.redis, 'giveSlot', giveScript)
  const held = new Map<string, Held>()
  let renewing: NodeJS.Timeout | undefined
  const keysOf = (orgId: string, subscriptionId: string): [flying: string, waiting: string] => {
    const base = `${app.config.redisPrefix}:{${orgId}}:${subscriptionId}`
    return [`${base}:flying`, `${base}:waiting`]
  }
  const heldOf = (orgId: string, subscriptionId: string): Held => {
    const known = held.get(subscriptionId) ?? { orgId, flying: new Set<string>(), waiting: new Set<string>() }
    held.set(subscriptionId, known)
    return known
  }

  function renew() {
    const expiry = Date.now() + slotMs
    for (const [subscriptionId, { orgId, flying }] of held) {
      if (flying.size === 0 || app.redis.status !== 'ready') continue
      const [key] = keysOf(orgId, subscriptionId)
      app.redis.zadd(key, ...[...flying].flatMap((id) => [expiry, id])).catch(() => undefined)
    }
    if (held.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  /** Undefined without Redis: the cap then holds per process. */
  async function askRedis(orgId: string, subscriptionId: string, deliveryId: string): Promise<boolean | undefined> {
    if (app.redis.status !== 'ready') return undefined
    try {
      const now = Date.now()
      return (await takeSlot(keysOf(orgId, subscriptionId), [now, now + slotMs, deliveryId, mostInFlight])) === 1
    } catch {
      return undefined
    }
  }

  return {
    async take(orgId, subscriptionId, deliveryId) {
      const answer = await askRedis(orgId, subscriptionId, deliveryId)
      if (answer === false) return false
      const own = heldOf(orgId, subscriptionId)
      if (answer === undefined && own.flying.size >= mostInFlight) {
        own.waiting.add(deliveryId)
        return false
      }
      own.flying.add(deliveryId)
      renewing ??= setInterval(renew, renewEveryMs).unref()
      return true
    },
    async give(orgId, subscriptionId, deliveryId) {
      const own = heldOf(orgId, subscriptionId)
      own.flying.delete(deliveryId)
      const [next] = own.waiting
      if (next !== undefined) own.waiting.delete(next)
      if (own.flying.size + own.waiting.size === 0) held.delete(subscriptionId)
      if (app.redis.status !== 'ready') return next
      const keys = keysOf(orgId, subscriptionId)
      try {
        if (next === undefined) return ((await giveSlot(keys, [deliveryId])) as string | null) ?? undefined
        await app.redis.zrem(keys[0], deliveryId)
      } catch {
        // The slot runs out by itself.
      }
      return next
    },
  }
}

// At most ten deliveries of one subscription are in flight over all workers. A delivery without a slot stands in line; one that
// is done hands its slot on. This is a courtesy to receivers: if Redis loses it, no delivery is lost.

import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { defineScript } from '../stores/redis.ts'
import { queuePrefix } from '../wakeups/bell.ts'

export const maxInFlight = 10

/** A process renews the slots that it holds: those of a dead process are free again after this time. */
const slotMs = 4_000
const renewEveryMs = 1_000
/** A delivery that stands in line longer is forgotten there; the sweeper rings for it. */
const lineMs = 60_000
const maxAtOnce = 200

// KEYS: per ask those in flight (by the time their slot expires) and the line (by the time they joined it).
// ARGV: slots, lifetime of a slot, lifetime of the line, then per ask: who leaves, who wants to start ('': nobody).
// Returns per ask who starts. A free slot that nobody asked for goes to the first in line. '-': nobody starts, and the first in
// line leaves it.
const slotsScript = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local starters = {}
for i = 1, #KEYS / 2 do
  local flying, line, leaver, starter = KEYS[2 * i - 1], KEYS[2 * i], ARGV[2 * i + 2], ARGV[2 * i + 3]
  redis.call('zremrangebyscore', flying, '-inf', now)
  if leaver ~= '' then redis.call('zrem', flying, leaver) end
  local isLeaving = starter == '-'
  if isLeaving then
    starters[i] = redis.call('zpopmin', line)[1] or ''
    starter = ''
  elseif redis.call('zcard', flying) >= tonumber(ARGV[1]) then
    if starter ~= '' then
      redis.call('zadd', line, 'NX', now, starter)
      redis.call('pexpire', line, ARGV[3])
    end
    starter = ''
  elseif starter == '' then
    starter = redis.call('zpopmin', line)[1] or ''
  end
  if starter ~= '' then
    redis.call('zrem', line, starter)
    redis.call('zadd', flying, now + ARGV[2], starter)
    redis.call('pexpire', flying, ARGV[2])
  end
  if not isLeaving then starters[i] = starter end
end
return starters
`

/** Empty: nobody. `-`: nobody, and the first in line leaves it. */
type Ask = { subscriptionId: Uuid; leaver: Uuid | ''; starter: Uuid | '' | '-' }

type Slots = {
  /** False: the delivery stands in line; the one that hands it a slot also starts it. */
  take(subscriptionId: Uuid, deliveryId: Uuid): Promise<boolean>
  /** Hands the slot to `successor`, or else to the first in line. Returns the delivery that may start. */
  pass(subscriptionId: Uuid, deliveryId: Uuid, successor: Uuid | undefined): Promise<Uuid | undefined>
  /** Gives the slot back. Takes the first delivery out of the line and returns it. */
  leave(subscriptionId: Uuid, deliveryId: Uuid): Promise<Uuid | undefined>
}

export function openSlots(app: App): Slots {
  const script = defineScript(app.redis, 'slots', slotsScript)
  // In the queue's hash slot of a cluster, so that one call can ask for many subscriptions.
  const prefix = queuePrefix(app.config.redisPrefix, 'deliveries')
  const flyingHere = new Map<Uuid, number>()
  /** The deliveries that this process has in flight, with their subscription. */
  const holding = new Map<Uuid, Uuid>()
  let renewing: NodeJS.Timeout | undefined

  const askRedis = batched<Ask, Uuid | '' | undefined>(maxAtOnce, async (asks) => {
    if (app.redis.status !== 'ready') return []
    try {
      const keys = asks.flatMap((ask) => [
        `${prefix}:flying:${ask.subscriptionId}`,
        `${prefix}:line:${ask.subscriptionId}`,
      ])
      const args = asks.flatMap((ask) => [ask.leaver, ask.starter])
      return (await script(keys, [maxInFlight, slotMs, lineMs, ...args])) as (Uuid | '')[]
    } catch {
      return []
    }
  })

  const count = (subscriptionId: Uuid, change: number) => {
    const flying = (flyingHere.get(subscriptionId) ?? 0) + change
    if (flying > 0) flyingHere.set(subscriptionId, flying)
    else flyingHere.delete(subscriptionId)
  }

  /** A delivery that hands its slot to itself gets a new lifetime. */
  function renew() {
    for (const [id, subscriptionId] of holding) void askRedis({ subscriptionId, leaver: id, starter: id })
    if (holding.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  function hold(subscriptionId: Uuid, deliveryId: Uuid) {
    count(subscriptionId, 1)
    holding.set(deliveryId, subscriptionId)
    renewing ??= setInterval(renew, renewEveryMs).unref()
  }

  function letGo(subscriptionId: Uuid, deliveryId: Uuid) {
    count(subscriptionId, -1)
    holding.delete(deliveryId)
  }

  /** Without Redis the cap holds per process, and there is no line: a delivery without a slot stays due. */
  async function ask(subscriptionId: Uuid, leaver: Uuid | '', starter: Uuid | ''): Promise<Uuid | undefined> {
    if (leaver) letGo(subscriptionId, leaver)
    const answer = await askRedis({ subscriptionId, leaver, starter })
    const started = answer ?? ((flyingHere.get(subscriptionId) ?? 0) < maxInFlight ? starter : '')
    if (started) hold(subscriptionId, started)
    return started || undefined
  }

  return {
    take: async (subscriptionId, deliveryId) => (await ask(subscriptionId, '', deliveryId)) !== undefined,
    pass: (subscriptionId, deliveryId, successor) => ask(subscriptionId, deliveryId, successor ?? ''),
    async leave(subscriptionId, deliveryId) {
      letGo(subscriptionId, deliveryId)
      return (await askRedis({ subscriptionId, leaver: deliveryId, starter: '-' })) || undefined
    },
  }
}

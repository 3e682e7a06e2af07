// The state of an organization that the gate keeps in Redis. One hash, so that one command reads it and one writes it:
//   epoch                              epoch.ts
//   <budget>:<start of the period>     units used
//   tokens:<bucket>, at:<bucket>       a token bucket, and when it was counted (ms)
//   waits                              until when somebody waits for changes (ms)
import type { App } from '../app.ts'
import { periodMs } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
import { defineScript } from '../stores/redis.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'
import type { Use } from './budget.ts'

export const gateKey = (app: App, orgId: Uuid): string => `${app.config.redisPrefix}:{${orgId}}:gate`

export const counterField = ({ budget, period }: Pick<Use, 'budget' | 'period'>): string =>
  `${budget}:${period.start.getTime()}`

export const waitsField = 'waits'

/** Every bucket is full after a second. One that was not used for a minute need not be kept. */
export const bucketMs = 60_000

// A hash lives for one more period whenever a counter begins or its epoch changes, so a counter never ends within its
// period. Counters of past periods are removed: those whose period ended a period ago (a process whose clock is behind may
// still count in the last one), and idle buckets.
const tidy = `
local function tidy(key, now)
  local all = redis.call('hgetall', key)
  for i = 1, #all, 2 do
    local start = tonumber(string.match(all[i], ':(%d+)$'))
    if start and start + ${2 * periodMs} <= now then redis.call('hdel', key, all[i]) end
    local bucket = string.match(all[i], '^at:(.+)$')
    if bucket and tonumber(all[i + 1]) + ${bucketMs} <= now then redis.call('hdel', key, all[i], 'tokens:' .. bucket) end
  end
  redis.call('pexpire', key, ${periodMs})
end
`

// KEYS: hash. ARGV: now (ms), the field and its value.
const setEpochScript = `${tidy}
redis.call('hset', KEYS[1], 'epoch', ARGV[2])
tidy(KEYS[1], tonumber(ARGV[1]))
`
const seedScript = `${tidy}
if redis.call('hsetnx', KEYS[1], ARGV[2], ARGV[3]) == 1 then tidy(KEYS[1], tonumber(ARGV[1])) end
`

// The arguments of an item: counter, units wanted, limit ('': none). Returns the units taken; -1 if the counter does not exist.
const takeScript = `
local function one(key, at)
  local used = tonumber(redis.call('hget', key, ARGV[at]))
  if not used then return -1 end
  local taken, limit = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if limit then taken = math.min(taken, math.max(0, limit - used)) end
  if taken > 0 then redis.call('hincrby', key, ARGV[at], taken) end
  return taken
end
`

// The argument of an item: counter. Returns its value; false if it does not exist.
const usedScript = `
local function one(key, at)
  return redis.call('hget', key, ARGV[at])
end
`

// KEYS: hash. ARGV: counter, units. One that was lost in the meantime is counted again, without these units.
const giveScript = `
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then redis.call('hincrby', KEYS[1], ARGV[1], -tonumber(ARGV[2])) end
`

type GateHash = {
  setEpoch(orgId: Uuid, epoch: string): Promise<unknown>
  /** Begins a counter that does not exist yet. */
  seed(use: Use, used: number): Promise<unknown>
  /** The units taken of those wanted; -1 if the counter does not exist. */
  take(use: Use, units: number, limit: number | null): Promise<number>
  give(use: Use, units: number): Promise<unknown>
  /** Null if the counter does not exist. */
  used(use: Use): Promise<string | null>
  /** The counters are counted again when they are next needed. */
  forget(orgId: Uuid, fields: Iterable<string>): Promise<unknown>
}

/** Every call of it rejects while Redis is away. */
export const gateHashOf = (app: App): GateHash => app.memory(openGateHash)

function openGateHash(app: App): GateHash {
  const { redis, clock } = app
  const setEpoch = defineScript(redis, 'set_epoch', setEpochScript)
  const seed = defineScript(redis, 'seed', seedScript)
  const take = openTogether<Taking, number>(app, 'take', takeScript, ({ use, units, limit }) => [
    counterField(use),
    units,
    limit ?? '',
  ])
  const used = openTogether<{ use: Use }, string | null>(app, 'used', usedScript, ({ use }) => [counterField(use)])
  const give = defineScript(redis, 'give', giveScript)
  const keyOf = ({ orgId }: Use) => gateKey(app, orgId)
  return {
    setEpoch: (orgId, epoch) => setEpoch([gateKey(app, orgId)], [clock.now().getTime(), epoch]),
    seed: (use, used) => seed([keyOf(use)], [clock.now().getTime(), counterField(use), used]),
    take: (use, units, limit) => take({ use, units, limit }),
    give: (use, units) => give([keyOf(use)], [counterField(use), units]),
    used: (use) => used({ use }),
    forget: (orgId, fields) => redis.hdel(gateKey(app, orgId), ...fields),
  }
}

type Taking = { use: Use; units: number; limit: number | null }

/** Requests of one turn of the event loop are one call of Redis. */
function openTogether<Item extends { use: Use }, Answer>(
  app: App,
  name: string,
  lua: string,
  argumentsOf: (item: Item) => (string | number)[],
): (item: Item) => Promise<Answer> {
  type Call = { item: Item; resolve(answer: Answer): void; reject(error: Error): void }
  const join = collected(
    defineItemScript<Call>(app.redis, name, {
      lua,
      keyOf: ({ item }) => gateKey(app, item.use.orgId),
      argumentsOf: ({ item }) => argumentsOf(item),
      settle({ resolve, reject }, answer) {
        if (answer instanceof Error) reject(answer)
        else resolve(answer as Answer)
      },
    }),
  )
  return (item) => new Promise((resolve, reject) => join({ item, resolve, reject }))
}

// The gate's one call to Redis: the organization's epoch, the key's token bucket, the call counter and one more budget.
// A request refused for its epoch, rate or calls consumes nothing. One that an exhausted budget refuses took its token and
// counts as a call, but not toward the budget.
import type { App } from '../app.ts'
import { defineScript } from '../stores/redis.ts'
import { type Budget, counterKey } from './budget.ts'
import { epochKey } from './epoch.ts'
import type { Spender } from './spender.ts'

// KEYS: epoch, bucket, calls[, budget]
// ARGV: now (ms), epoch the caller knows or 'read', requests per second (0 = unlimited), calls limit, budget limit (-1 = unlimited)
// Returns {verdict, epoch, calls used, milliseconds to wait}.
const spendScript = `
local epoch = redis.call('get', KEYS[1])
if not epoch then
  local time = redis.call('time')
  epoch = time[1] .. '.' .. time[2]
  redis.call('set', KEYS[1], epoch, 'EX', 86400)
end
if ARGV[2] ~= 'read' and epoch ~= ARGV[2] then return {'epoch', epoch, 0, 0} end
local calls = tonumber(redis.call('get', KEYS[3]))
local budget = KEYS[4] and tonumber(redis.call('get', KEYS[4]))
if not calls or (KEYS[4] and not budget) then return {'seed', epoch, 0, 0} end
local now, rate = tonumber(ARGV[1]), tonumber(ARGV[3])
local tokens
if rate > 0 then
  local bucket = redis.call('hmget', KEYS[2], 'tokens', 'at')
  tokens = rate
  if bucket[1] then
    -- A process whose clock is behind refills nothing, and takes nothing back for the others to refill again.
    local at = tonumber(bucket[2])
    now = math.max(now, at)
    tokens = math.min(rate, tonumber(bucket[1]) + (now - at) * rate / 1000)
  end
  if tokens < 1 then return {'rate', epoch, calls, math.ceil((1 - tokens) * 1000 / rate)} end
end
local callsLimit, budgetLimit = tonumber(ARGV[4]), tonumber(ARGV[5])
if callsLimit >= 0 and calls >= callsLimit then return {'calls', epoch, calls, 0} end
if tokens then
  redis.call('hset', KEYS[2], 'tokens', tostring(tokens - 1), 'at', string.format('%.0f', now))
  redis.call('pexpire', KEYS[2], 60000)
end
calls = redis.call('incr', KEYS[3])
if KEYS[4] then
  if budgetLimit >= 0 and budget >= budgetLimit then return {'budget', epoch, calls, 0} end
  redis.call('incr', KEYS[4])
end
return {'ok', epoch, calls, 0}
`

type Answer = {
  /** `seed`: a counter does not exist. `calls` and `budget`: it is exhausted. */
  verdict: 'ok' | 'epoch' | 'seed' | 'rate' | 'calls' | 'budget'
  epoch: string
  callsUsed: number
  waitMs: number
}

export function openSpendScript(app: App) {
  const run = defineScript(app.redis, 'spend', spendScript)
  return async (spender: Spender, budget: Budget | undefined): Promise<Answer> => {
    const { orgId, period, limits } = spender
    const keys = [
      epochKey(app, orgId),
      `${app.config.redisPrefix}:{${orgId}}:bucket:${spender.bucket}`,
      counterKey(app, { orgId, budget: 'api_calls', period }),
    ]
    if (budget) keys.push(counterKey(app, { orgId, budget, period }))
    const answer = await run(keys, [
      app.clock.now().getTime(),
      spender.epoch ?? '',
      spender.requestsPerSecond ?? 0,
      limits.api_calls ?? -1,
      (budget && limits[budget]) ?? -1,
    ])
    const [verdict, epoch, callsUsed, waitMs] = answer as [Answer['verdict'], string, number, number]
    return { verdict, epoch, callsUsed, waitMs }
  }
}

// The decision of the gate in Redis, as a script: the organization's epoch, the key's token bucket, the call counter and
// one more budget. A request refused for its epoch, rate or calls consumes nothing. One that an exhausted budget refuses
// took its token and counts as a call, but not toward the budget. A free request is no call, and a dry run takes nothing of the
// budget. Equal requests come as one group, whose answer is that of as many single requests, one after the other.
import { periodMs } from '../plans/period.ts'
import { bucketMs, waitsField } from './gateHash.ts'

// Its key is the hash of the organization. Its arguments: now (ms), the epoch that the group's requests know or 'read', how
// many they are, requests per second (0 = unlimited), calls limit, budget limit (-1 = unlimited), bucket, counter of calls,
// counter of the budget ('' = none), what each counts as calls (0 = free), tokens of a full bucket, what each takes of the budget
// (0 = dry run). Returns the calls used if all passed and no reader waits for changes; or {calls used, milliseconds to wait, how
// many had a token, how many were calls, how many passed, until when a reader waits for changes (ms; 0: none)}; or the epoch, if
// it is another one; or nil, if a counter does not exist.
export const spendScript = `
local function one(key, at)
  local now, n, rate = tonumber(ARGV[at]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local callsLimit, budgetLimit = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
  local tokensField, atField = 'tokens:' .. ARGV[at + 6], 'at:' .. ARGV[at + 6]
  local callsField, budgetField, cost = ARGV[at + 7], ARGV[at + 8], tonumber(ARGV[at + 9])
  local taken = tonumber(ARGV[at + 11])
  local known = redis.call('hmget', key, 'epoch', callsField, budgetField, tokensField, atField, '${waitsField}')

  local epoch = known[1]
  if not epoch then
    local time = redis.call('time')
    epoch = time[1] .. '.' .. time[2]
    redis.call('hset', key, 'epoch', epoch)
    redis.call('pexpire', key, ${periodMs})
  end
  if ARGV[at + 1] ~= 'read' and epoch ~= ARGV[at + 1] then return epoch end
  local calls, budget = tonumber(known[2]), tonumber(known[3])
  if not calls or (budgetField ~= '' and not budget) then return false end

  local rated, tokens, counted = n, tonumber(ARGV[at + 10]), now
  if rate > 0 then
    local last = tonumber(known[5])
    -- A process whose clock is behind refills nothing, and takes nothing back for the others to refill again. A time that
    -- lies further ahead was a mistake: it must not keep the bucket empty until it comes.
    if last and last <= now + ${bucketMs} then
      counted = math.max(now, last)
      tokens = math.min(tokens, tonumber(known[4]) + (counted - last) * rate / 1000)
    end
    rated = math.min(n, math.floor(tokens))
  end
  local granted = rated
  if cost > 0 and callsLimit >= 0 and granted > math.max(0, callsLimit - calls) then
    -- The calls run out before the tokens: those that follow take no token, so each of them finds one.
    granted, rated = math.max(0, callsLimit - calls), n
  end
  local passed = granted
  if budgetLimit >= 0 and (taken > 0 or budget >= budgetLimit) then
    passed = math.min(granted, math.max(0, budgetLimit - budget))
  end

  calls, tokens = calls + granted * cost, tokens - granted
  if granted > 0 then
    local fields = {callsField, calls}
    if rate > 0 then
      fields[3], fields[4], fields[5], fields[6] = tokensField, tokens, atField, counted
    end
    if budgetField ~= '' then
      fields[#fields + 1] = budgetField
      fields[#fields + 1] = budget + passed * taken
    end
    redis.call('hset', key, unpack(fields))
  end
  local waited = tonumber(known[6]) or 0
  if passed == n and waited <= now then return calls end
  local wait = 0
  if rated < n then wait = math.ceil((1 - tokens) * 1000 / rate) end
  return {calls, wait, rated, granted, passed, waited}
end
`

/** The counts of a group: `waitMs` is for those without a token. `waitedUntil` (ms): somebody waits for changes. */
export type Counts = {
  callsUsed: number
  waitMs: number
  rated: number
  granted: number
  passed: number
  waitedUntil: number
}

type GroupAnswer =
  | ({ kind: 'decided' } & Counts)
  | { kind: 'stale'; epoch: string }
  | { kind: 'unseeded' }
  | { kind: 'failed'; error: Error }

/** The answer of the script to a group of `n`. */
export function groupAnswerOf(answer: unknown, n: number): GroupAnswer {
  if (typeof answer === 'number') {
    return { kind: 'decided', callsUsed: answer, waitMs: 0, rated: n, granted: n, passed: n, waitedUntil: 0 }
  }
  if (typeof answer === 'string') return { kind: 'stale', epoch: answer }
  if (Array.isArray(answer)) {
    const [callsUsed, waitMs, rated, granted, passed, waitedUntil] = answer as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return { kind: 'decided', callsUsed, waitMs, rated, granted, passed, waitedUntil }
  }
  return answer === null ? { kind: 'unseeded' } : { kind: 'failed', error: answer as Error }
}

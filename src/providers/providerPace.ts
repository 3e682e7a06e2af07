// The number of requests per second to a provider, from all processes together: reads and writes. Redis counts; while it is
// away each process keeps to a part of the pace by itself. A provider that limits many connections at once gets half as many
// for a while. Uses real time, never the test clock.
import type { App } from '../app.ts'
import { sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'
import { localPace } from './localPace.ts'
import type { ProviderName } from './rules.ts'

/**
 * Google allows 10,000 requests a minute (166 a second), Microsoft 130,000 in ten seconds. A CalDAV server is its human's own.
 */
const perSecond: Readonly<Partial<Record<ProviderName, number>>> = { google: 120, microsoft: 2_000 }
/** Of the pace, that one process keeps to without Redis: there are others. */
const shareAlone = 0.25
/** A longer wait is refused. */
export const maxWaitMs = 4_000
/** The pace is halved when so many connections meet a limit within a minute. */
const manyLimited = 5
const halvedMs = 5 * minuteMs

// Its key is the hash of a provider. Its arguments: requests per second, the longest wait (ms), and who met a limit ('' =
// nobody: a request wants to leave). `next` is when the next one may leave. Returns the milliseconds to wait, -1 if that is too
// long; 0 for a limit that was noted.
const script = `
local function one(key, at)
  local rate, longest, who = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('pexpire', key, ${2 * halvedMs})
  if who ~= '' then
    local limited = 1
    local known = redis.call('hgetall', key)
    for i = 1, #known, 2 do
      if string.sub(known[i], 1, 2) == 'l:' and known[i] ~= 'l:' .. who then
        if tonumber(known[i + 1]) > now - ${minuteMs} then limited = limited + 1
        else redis.call('hdel', key, known[i]) end
      end
    end
    redis.call('hset', key, 'l:' .. who, now)
    if limited >= ${manyLimited} then
      redis.call('hset', key, 'slow', now + ${halvedMs})
      for i = 1, #known, 2 do
        if string.sub(known[i], 1, 2) == 'l:' then redis.call('hdel', key, known[i]) end
      end
    end
    redis.call('pexpire', key, ${2 * halvedMs})
    return 0
  end
  local known = redis.call('hmget', key, 'next', 'slow')
  if known[2] and tonumber(known[2]) > now then rate = rate / 2 end
  -- Unused permits of the last second are lost.
  local start = math.max(tonumber(known[1]) or 0, now - 1000)
  local wait = math.max(0, start - now)
  -- A time that lies further ahead than anybody waits was a mistake of a clock.
  if wait > longest + 1000 then start, wait = now, 0 end
  if wait > longest then return -1 end
  redis.call('hset', key, 'next', string.format('%.3f', start + 1000 / rate))
  redis.call('pexpire', key, ${2 * halvedMs})
  return math.ceil(wait)
end
`

type Call = {
  key: string
  rate: number
  limited: string
  resolve(waitMs: number): void
  reject(error: unknown): void
}

export type PacedApp = Pick<App, 'redis' | 'config' | 'memory' | 'log'>

function openPaces({ redis }: App) {
  const decide = defineItemScript<Call>(redis, 'provider_pace', {
    lua: script,
    keyOf: ({ key }) => key,
    argumentsOf: ({ rate, limited }) => [rate, maxWaitMs, limited],
    settle: ({ resolve, reject }, answer) => (typeof answer === 'number' ? resolve(answer) : reject(answer)),
  })
  return { join: collected(decide), local: localPace(maxWaitMs) }
}

/** Takes the place of a request: how long it has to wait for it. -1: too long, so it has no place. */
export async function waitForPace(app: PacedApp, provider: ProviderName): Promise<number> {
  const rate = perSecond[provider]
  if (rate === undefined) return 0
  return (await ask(app, provider, rate, '')) ?? app.memory(openPaces).local(provider, rate * shareAlone)
}

/** A connection met a limit. `secret` tells it from others, and is not stored. */
export async function noteLimit(app: PacedApp, provider: ProviderName, secret: string): Promise<void> {
  const rate = perSecond[provider]
  if (rate !== undefined) await ask(app, provider, rate, sha256(secret).toString('base64url').slice(0, 8))
}

/** Undefined without Redis. */
async function ask(app: PacedApp, provider: ProviderName, rate: number, limited: string): Promise<number | undefined> {
  const { join } = app.memory(openPaces)
  const key = `${app.config.redisPrefix}:provider_pace:${provider}`
  try {
    if (app.redis.status === 'ready') {
      return await new Promise<number>((resolve, reject) => join({ key, rate, limited, resolve, reject }))
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'requests to a provider are paced without redis')
  }
  return undefined
}

// Limits on calls without a key: a number of calls per subject (a client address, an e-mail domain) in a sliding window.
// Redis counts for all processes; while it is away each process counts for itself.
import type { App } from '../app.ts'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../outbound/addresses.ts'
import { sha256 } from '../sealing/sealer.ts'
import { defineScript } from '../stores/redis.ts'
import { localWindows } from './localLimits.ts'

/** At max `max` calls in any `windowMs`. Limits with different names are counted separately. */
export type Throttle = { name: string; max: number; windowMs: number }

// KEYS: the times of the last calls, newest first. ARGV: now (ms), max, window (ms), 1 to count this call.
// Returns the milliseconds to wait; 0 if the call is within the limit. A refused call is not counted.
const script = `
local now, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call('lindex', KEYS[1], max - 1)
if oldest and tonumber(oldest) + window > now then return tonumber(oldest) + window - now end
if ARGV[4] == '1' then
  redis.call('lpush', KEYS[1], ARGV[1])
  redis.call('ltrim', KEYS[1], 0, max - 1)
  redis.call('pexpire', KEYS[1], window)
end
return 0
`

const openWindows = (app: App) => ({ shared: defineScript(app.redis, 'throttle', script), local: localWindows() })
const windowsOf = (app: App) => app.memory(openWindows)

async function waitMs(app: App, limit: Throttle, subject: string, count: boolean): Promise<number> {
  const { shared, local } = windowsOf(app)
  const { name, max, windowMs } = limit
  const now = app.clock.now().getTime()
  const key = `${app.config.redisPrefix}:throttle:${name}:${sha256(subject).toString('base64url')}`
  try {
    if (app.redis.status === 'ready') return Number(await shared([key], [now, max, windowMs, count ? 1 : 0]))
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a limit is counted without redis')
  }
  return local.take(key, limit, now, count)
}

/** Counts a call; 0 if it is within the limit. */
export async function secondsToWait(app: App, limit: Throttle, subject: string): Promise<number> {
  const wait = await waitMs(app, limit, subject, true)
  if (wait > 0) app.metrics.throttleRefusals.inc({ limit: limit.name })
  return Math.ceil(wait / 1000)
}

/** Counts a call; throws `rate_limit_error` if it exceeds the limit. */
export async function throttle(app: App, limit: Throttle, subject: string): Promise<void> {
  const wait = await secondsToWait(app, limit, subject)
  if (wait > 0) throw rateLimited(wait)
}

/** Throws `rate_limit_error` if the limit is reached already. Counts nothing: `throttle` counts the failures. */
export async function refuseExcess(app: App, limit: Throttle, subject: string): Promise<void> {
  const wait = await waitMs(app, limit, subject, false)
  if (wait === 0) return
  app.metrics.throttleRefusals.inc({ limit: limit.name })
  throw rateLimited(Math.ceil(wait / 1000))
}

/** Clients of one IPv6 network (/64) count as one: a single host may use all its addresses. */
export const throttleAddress = (app: App, limit: Throttle, ip: string | null): Promise<void> =>
  throttle(app, limit, networkOf(ip ?? ''))

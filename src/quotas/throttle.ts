// Limits on calls without a key: a number of calls per subject (a client address, an e-mail domain) in a sliding window.
// Redis counts for all processes, in one call for the requests of a turn of the event loop; while it is away each process
// counts for itself.
import type { App } from '../app.ts'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../outbound/addresses.ts'
import type { Limit } from '../plans/plans.ts'
import { sha256 } from '../sealing/sealer.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'
import { localWindows } from './localLimits.ts'

/** At max `max` calls in any `windowMs`. Limits with different names are counted separately. */
export type Throttle = { name: string; max: number; windowMs: number }

const maxAtOnce = 100

/**
 * The limit of one thing, for all those of an organization together: a thing can be deleted and made anew, and then its own limit
 * begins anew. `count`: how many the plan allows at once, so that no honest use meets it.
 */
export const ofAll = ({ name, max, windowMs }: Throttle, count: Limit): Throttle => ({
  name: `${name}_all`,
  max: max * Math.max(1, Math.min(count ?? maxAtOnce, maxAtOnce)),
  windowMs,
})

// Its key holds the times of the last calls, newest first. Its arguments: now (ms), max, window (ms), 1 to count this call.
// Returns the milliseconds to wait; 0 if the call is within the limit. A refused call is not counted.
const script = `
local function one(key, at)
  local now, max, window = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local oldest = redis.call('lindex', key, max - 1)
  if oldest and tonumber(oldest) + window > now then return tonumber(oldest) + window - now end
  if ARGV[at + 3] == '1' then
    if redis.call('lpush', key, ARGV[at]) > max then redis.call('ltrim', key, 0, max - 1) end
    redis.call('pexpire', key, window)
  end
  return 0
end
`

type Call = Throttle & {
  key: string
  nowMs: number
  count: boolean
  resolve(waitMs: number): void
  reject(error: unknown): void
}

function openWindows({ redis }: App) {
  const decide = defineItemScript<Call>(redis, 'throttle', {
    lua: script,
    keyOf: ({ key }) => key,
    argumentsOf: ({ nowMs, max, windowMs, count }) => [nowMs, max, windowMs, count ? 1 : 0],
    settle: ({ resolve, reject }, answer) => (typeof answer === 'number' ? resolve(answer) : reject(answer)),
  })
  return { join: collected(decide), local: localWindows() }
}
const windowsOf = (app: App) => app.memory(openWindows)

const addressPattern = /^[0-9a-f.:]{1,40}$/

/** Addresses stand in keys unchanged. Everything else is hashed: it may be long, or a secret. */
const nameOf = (subject: string): string =>
  addressPattern.test(subject) ? subject : sha256(subject).toString('base64url')

async function waitMs(app: App, limit: Throttle, subject: string, count: boolean): Promise<number> {
  const { join, local } = windowsOf(app)
  const nowMs = app.clock.now().getTime()
  const key = `${app.config.redisPrefix}:throttle:${limit.name}:${nameOf(subject)}`
  try {
    if (app.redis.status === 'ready') {
      return await new Promise<number>((resolve, reject) => join({ ...limit, key, nowMs, count, resolve, reject }))
    }
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a limit is counted without redis')
  }
  return local.take(key, limit, nowMs, count)
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

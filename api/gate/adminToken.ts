// The administrator's token, for `/v1/admin` and the page of the queues. Guesses are limited per address.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { unauthenticated } from '../../src/errors.ts'
import { networkOf } from '../../src/outbound/addresses.ts'
import { refuseExcess, type Throttle, throttle } from '../../src/quotas/throttle.ts'
import { areEqual } from '../../src/sealing/sealer.ts'
import { hasAdminSession } from './adminSession.ts'
import { requireOwnPage, requireSameOrigin } from './session.ts'

/** Too few to guess 16 characters, enough that a script with an old token does not lock out its operator at once. */
export const adminTokenGuesses: Throttle = { name: 'admin_token', max: 50, windowMs: 10 * 60_000 }

type Visit = { method: string; headers: IncomingHttpHeaders; ip: string | null }

/** The token that a request sends decides; without one the cookie of an administrator's session, from our own pages alone. */
export async function requireAdmin(
  app: App,
  { method, headers, ip }: Visit,
  given: string,
  message: string,
): Promise<void> {
  if (headers.authorization !== undefined || !hasAdminSession(app, headers)) {
    return requireAdminToken(app, ip, given, message)
  }
  if (method === 'GET' || method === 'HEAD') requireSameOrigin(app, headers)
  else requireOwnPage(app, method, headers)
}

/**
 * Throws 401 with `message` if the token is missing or wrong. After too many wrong ones an address gets 429 for the right
 * one, too: otherwise it could go on guessing.
 */
export async function requireAdminToken(app: App, ip: string | null, given: string, message: string): Promise<void> {
  const client = networkOf(ip ?? '')
  if (isAdminToken(app.config, given)) return refuseExcess(app, adminTokenGuesses, client)
  if (given !== '') {
    app.metrics.adminTokenFailures.inc()
    await throttle(app, adminTokenGuesses, client)
    app.log.warn({ client }, 'wrong administrator token')
  }
  throw unauthenticated(message)
}

const isAdminToken = ({ adminToken }: Config, given: string): boolean => areEqual(given, adminToken)

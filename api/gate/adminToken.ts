// The administrator's token, at `/v1/admin` and at the page on the queues. Whoever guesses is held up by address.
import { timingSafeEqual } from 'node:crypto'
import type { App } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { unauthenticated } from '../../src/errors.ts'
import { networkOf } from '../../src/outbound/addresses.ts'
import { refuseExcess, type Throttle, throttled } from '../../src/quotas/throttle.ts'
import { sha256 } from '../../src/sealing/sealer.ts'

/** Nobody finds 16 characters like this, and a script with an old token does not lock out its operator at once. */
export const adminTokenGuesses: Throttle = { name: 'admin_token', most: 50, windowMs: 10 * 60_000 }

/**
 * Throws 401 with `message` for another token than the right one or for none. After too many wrong ones an address gets
 * 429 for the right one too: otherwise it could go on guessing.
 */
export async function requireAdminToken(app: App, ip: string | null, given: string, message: string): Promise<void> {
  const client = networkOf(ip ?? '')
  if (isAdminToken(app.config, given)) return refuseExcess(app, adminTokenGuesses, client)
  if (given !== '') {
    app.metrics.adminTokenFailures.inc()
    await throttled(app, adminTokenGuesses, client)
    app.log.warn({ client }, 'wrong administrator token')
  }
  throw unauthenticated(message)
}

/** Compared by hash, so that neither the token's length nor its beginning can be measured. */
const isAdminToken = ({ adminToken }: Config, given: string): boolean =>
  timingSafeEqual(sha256(given), sha256(adminToken))

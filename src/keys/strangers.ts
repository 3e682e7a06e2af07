// Keys that do not exist. Looking one up costs a read of Postgres, so this process remembers unknown keys for a while and
// limits how many new ones it looks up per client address. A key that was found before is never delayed.
import type { App } from '../app.ts'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../outbound/addresses.ts'

const limitName = 'unknown_keys'
const maxLookups = 600
const windowMs = 60_000
/** Of keys and of addresses. Beyond it all are forgotten, and only the limit is lost. */
const maxRemembered = 50_000

export function openStrangers({ metrics, clock }: App) {
  const unknown = new Set<string>()
  const lookups = new Map<string, number>()
  let endsAt = 0
  metrics.throttleRefusals.inc({ limit: limitName }, 0)

  /** There is one window for all keys and addresses: everything is forgotten together. */
  function beginWindow(now: number) {
    const isOver = now >= endsAt || endsAt - now > windowMs
    if (!isOver && unknown.size < maxRemembered && lookups.size < maxRemembered) return
    unknown.clear()
    lookups.clear()
    endsAt = now + windowMs
  }

  return {
    /** True for a key that Postgres did not have lately. Keys are random: an unknown one never comes to exist. */
    isUnknown(secret: string): boolean {
      beginWindow(clock.now().getTime())
      return unknown.has(secret)
    },
    /** Throws `rate_limit_error` if an address has sent too many unknown keys. */
    refuseExcess(ip: string | null): void {
      if ((lookups.get(networkOf(ip ?? '')) ?? 0) < maxLookups) return
      metrics.throttleRefusals.inc({ limit: limitName })
      throw rateLimited(Math.max(1, Math.ceil((endsAt - clock.now().getTime()) / 1000)))
    },
    remember(secret: string, ip: string | null): void {
      const network = networkOf(ip ?? '')
      unknown.add(secret)
      lookups.set(network, (lookups.get(network) ?? 0) + 1)
    },
  }
}

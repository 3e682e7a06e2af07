// Keys that nobody has. Each costs a read of Postgres, so this process remembers them for a while, and bounds how many new
// ones it looks up for one client address. A key that it has once found is never held up.
import type { App } from '../app.ts'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../outbound/addresses.ts'

const limitName = 'unknown_keys'
const maxLookups = 600
const windowMs = 60_000
/** Of keys and of addresses. Beyond it all are forgotten: then only the bound is lost. */
const maxRemembered = 50_000

export function openStrangers({ metrics, clock }: App) {
  const unknown = new Set<string>()
  const lookups = new Map<string, number>()
  let endsAt = 0
  metrics.throttleRefusals.inc({ limit: limitName }, 0)

  /** One window for all of them: whatever is remembered goes at once. */
  function beginWindow(now: number) {
    const isOver = now >= endsAt || endsAt - now > windowMs
    if (!isOver && unknown.size < maxRemembered && lookups.size < maxRemembered) return
    unknown.clear()
    lookups.clear()
    endsAt = now + windowMs
  }

  return {
    /** True for a key of which Postgres said so lately. Keys are random: none that was unknown is ever made. */
    isUnknown(secret: string): boolean {
      beginWindow(clock.now().getTime())
      return unknown.has(secret)
    },
    /** Throws `rate_limit_error` where an address has tried too many. */
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

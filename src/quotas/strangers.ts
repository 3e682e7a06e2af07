// Secrets that do not exist. Looking one up costs a read of Postgres, so this process remembers unknown ones for a while, and
// counts per client address how many it has looked up.
import type { App } from '../app.ts'
import { networkOf } from '../outbound/addresses.ts'

const maxLookups = 600
const windowMs = 60_000
/** Of secrets and of addresses. Beyond it all are forgotten, and only the limit is lost. */
const maxRemembered = 50_000

/** `limitName`: its label in the metric. */
export function openUnknownKeys({ metrics, clock }: App, limitName: string) {
  const unknown = new Set<string>()
  const lookups = new Map<string, number>()
  let endsAt = 0
  metrics.throttleRefusals.inc({ limit: limitName }, 0)

  /** There is one window for all secrets and addresses: everything is forgotten together. */
  function beginWindow(now: number) {
    const isOver = now >= endsAt || endsAt - now > windowMs
    if (!isOver && unknown.size < maxRemembered && lookups.size < maxRemembered) return
    unknown.clear()
    lookups.clear()
    endsAt = now + windowMs
  }

  return {
    /** True for a secret that Postgres did not have lately. They are random: an unknown one never comes to exist. */
    isUnknown(secret: string): boolean {
      beginWindow(clock.now().getTime())
      return unknown.has(secret)
    },
    /** Whether an address has sent too many unknown secrets. */
    isExcess: (ip: string | null): boolean => (lookups.get(networkOf(ip ?? '')) ?? 0) >= maxLookups,
    remember(secret: string, ip: string | null): void {
      const network = networkOf(ip ?? '')
      unknown.add(secret)
      lookups.set(network, (lookups.get(network) ?? 0) + 1)
    },
    /** Counts a refusal for excess; returns after how many seconds the address is asked for anew. */
    refuse(): number {
      metrics.throttleRefusals.inc({ limit: limitName })
      return Math.max(1, Math.ceil((endsAt - clock.now().getTime()) / 1000))
    },
  }
}

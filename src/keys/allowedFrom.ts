// From which addresses a key may be used.
import { isIn, parseNetwork } from '../outbound/addresses.ts'

/** `ip`: of the client; null while it is not known. */
export type AllowedFrom = (ip: string | null) => boolean

/** A principal lives for seconds, and its key has few clients. */
const maxRemembered = 1_000

/** Remembers its answers: most requests of a key come from the same few addresses. */
export function allowedFrom(texts: readonly string[]): AllowedFrom {
  const networks = texts.flatMap((text) => parseNetwork(text) ?? [])
  const known = new Map<string, boolean>()
  return (ip) => {
    if (ip === null) return false
    const remembered = known.get(ip)
    if (remembered !== undefined) return remembered
    const isAllowed = isIn(networks, ip)
    if (known.size >= maxRemembered) known.clear()
    known.set(ip, isAllowed)
    return isAllowed
  }
}

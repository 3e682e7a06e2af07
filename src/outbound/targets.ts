// Addresses as requests need them, remembered, because parsing and checking one costs more than writing its request.
import { checkTarget } from './addresses.ts'

/** The checked address of a request. */
export type Reached = { ok: true; origin: string; path: string; authorization: string | undefined }
type Target = Reached | { ok: false; reason: string }

const maxRemembered = 2_000

/**
 * `checkTarget`, which always says the same about an address. It is about the spelling alone: where a name leads is checked for
 * each connection.
 */
export function openTargets(trustedHosts: readonly string[]): (rawUrl: string) => Target {
  const known = new Map<string, Target>()
  return (rawUrl) => {
    const remembered = known.get(rawUrl)
    if (remembered) return remembered
    const checked = checkTarget(rawUrl, trustedHosts, { credentials: true })
    const target = checked.ok ? reached(checked.url) : checked
    if (known.size >= maxRemembered) known.clear()
    known.set(rawUrl, target)
    return target
  }
}

function reached({ origin, pathname, search, username, password }: URL): Reached {
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  const authorization = username || password ? `Basic ${credentials}` : undefined
  return { ok: true, origin, path: `${pathname}${search}`, authorization }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

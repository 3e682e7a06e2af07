// The link that signs the owner of the demo organization in. Only its hash leaves this process, and only to the API.
import { isIPv6 } from 'node:net'
import { isLoopback } from '../src/outbound/loopback.ts'
import { randomToken, sha256 } from '../src/sealing/sealer.ts'
import type { Child } from './children.ts'
import type { Demo } from './demo.ts'

const validForMs = 15 * 60_000

/** Returns the link, which works once. If the organization has no owner, the API makes one. */
export function offerSignIn(api: Child, { org_id, email, password }: Demo, baseUrl: string): string {
  const token = randomToken()
  api.tell({
    ...{ kind: 'sign_in_link', org_id, email, password },
    ...{ token_hash: sha256(token).toString('hex'), valid_for_ms: validForMs },
  })
  return `${baseUrl}/console/welcome/${token}`
}

/** Whether the API listens for this machine alone, and links lead to it. */
export const isOnlyHere = (host: string | undefined, baseUrl: string): boolean =>
  isLoopback(host && isIPv6(host) ? `[${host}]` : (host ?? '')) && isLoopback(new URL(baseUrl).hostname)

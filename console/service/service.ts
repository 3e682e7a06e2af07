// The way to the API: the client without a key, so that the cookie goes along.
import { AgentCalendar } from '../../clients/typescript/src/entry.ts'
import { chosenOrganization } from '../state/organization.ts'
import { confirmsIdentity, waysToConfirm } from './identity.ts'
import { OfflineError } from './refusal.ts'
import { session, signedInAgain, termsUpgrade } from './session.ts'

const requestMs = 60_000
/** Longer than a person takes to sign in again. */
const patienceMs = 86_400_000

/** A request that was refused until the person signs in, or shows who they are, is sent again after that. */
async function send(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (!navigator.onLine) throw new OfflineError()
  for (;;) {
    const answer = await fetch(address, { ...init, ...whileOpen(init), headers: headersOf(init) })
    const upgrade = answer.headers.get('Service-Terms-Upgrade-Required')
    if (upgrade) termsUpgrade.set(upgrade)
    const ways = await waysToConfirm(answer)
    if (ways && (await confirmsIdentity(ways))) continue
    if (answer.status !== 401 || !session.get().me || goesOn(address)) return answer
    await signedInAgain()
  }
}

/** Each tab acts in the organization of its address. */
function headersOf({ headers }: RequestInit): Headers {
  const all = new Headers(headers)
  const organization = chosenOrganization()
  // Encoded, because a header takes no other letters; it changes no id.
  if (organization) all.set('X-Organization-Id', encodeURIComponent(organization))
  return all
}

/** The stream runs by itself: a refusal of it interrupts no work. A refused password or code is the answer to a sign-in. */
const goesOn = (address: string | URL | Request) => /\/v1\/(changes|auth\/signin)/.test(String(address))

/** A stream stays open. A removal outlives its page. */
function whileOpen({ method, headers, signal }: RequestInit): RequestInit {
  if (new Headers(headers).get('accept')?.includes('event-stream')) return {}
  const signals = [AbortSignal.timeout(requestMs), ...(signal ? [signal] : [])]
  return { signal: AbortSignal.any(signals), keepalive: method === 'DELETE' }
}

export const service = new AgentCalendar({
  baseUrl: location.origin,
  maxRetries: 0,
  timeoutMs: patienceMs,
  fetch: send,
})

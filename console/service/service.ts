// The way to the API: the client without a key, so that the cookie goes along.
import { AgentCalendar } from '../../clients/typescript/src/entry.ts'
import { OfflineError } from './refusal.ts'
import { session, signedInAgain, termsUpgrade } from './session.ts'

const requestMs = 60_000
/** Longer than a person takes to sign in again. */
const patienceMs = 86_400_000

const isRead = (method: string | undefined) => method === undefined || method === 'GET'

/** A request that the end of the session refused is sent again once the person has signed in. */
async function send(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (!navigator.onLine && !isRead(init.method)) throw new OfflineError()
  for (;;) {
    const answer = await fetch(address, { ...init, ...whileOpen(init) })
    const upgrade = answer.headers.get('Service-Terms-Upgrade-Required')
    if (upgrade) termsUpgrade.set(upgrade)
    if (answer.status !== 401 || !session.get().org || isOfTheStream(address)) return answer
    await signedInAgain()
  }
}

/** The stream runs by itself: a refusal of it interrupts no work. */
const isOfTheStream = (address: string | URL | Request) => /\/v1\/changes/.test(String(address))

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

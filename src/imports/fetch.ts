// Fetching a feed over HTTP: conditional, bounded, with a few redirects. A failure is stored in our own words, never with the
// address of the feed or the words of its server.
import type { App } from '../app.ts'
import type { FailureReason } from '../outbound/failures.ts'
import type { HttpResponse } from '../outbound/http.ts'
import { charsetOf } from '../shapes/charset.ts'

const deadlineMs = 20_000
const maxBytes = 10 * 1024 * 1024
const maxRedirects = 3

/** The validators that the server sent with the body that was fetched last. */
export type Validators = { etag: string | null; lastModified: string | null }

type Fetched =
  | { kind: 'not_modified' }
  | ({ kind: 'fetched'; body: Buffer; charset: string | undefined } & Validators)
  /** `outcome` is a label of the metric, `message` one line for people. */
  | { kind: 'failed'; outcome: string; message: string }
  /** Our own shutdown: it says nothing about the feed. */
  | { kind: 'closed' }

export async function fetchFeed({ http }: App, address: string, known: Validators): Promise<Fetched> {
  const over = performance.now() + deadlineMs
  let url = address
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const outcome = await http.send({
      method: 'GET',
      url,
      headers: requestHeaders(known),
      deadlineMs: Math.max(1, Math.round(over - performance.now())),
      maxBytes,
      gzip: true,
    })
    if (outcome.kind === 'failed') {
      return outcome.reason === 'closed' ? { kind: 'closed' } : failed(outcome.reason, sentences[outcome.reason])
    }
    const next = redirectOf(outcome, url)
    if (next === undefined) return answered(outcome, known)
    url = next
  }
  return failed('redirects', `The feed redirects more than ${maxRedirects} times.`)
}

const failed = (outcome: string, message: string): Fetched => ({ kind: 'failed', outcome, message })

const sentences: Record<Exclude<FailureReason, 'closed'>, string> = {
  timeout: `The feed did not answer completely within ${deadlineMs / 1000} seconds.`,
  refused_address: 'The feed leads to an address that is not on the public internet or not HTTPS.',
  dns: 'The host name of the feed could not be resolved.',
  connect: 'No connection to the host of the feed could be made.',
  tls: 'No secure connection to the host of the feed could be made.',
  reset: 'The connection ended before the feed was complete.',
  protocol: 'The answer of the feed is not valid HTTP.',
  invalid_request: 'The address of the feed cannot be requested.',
}

const requestHeaders = ({ etag, lastModified }: Validators): Record<string, string> => ({
  accept: 'text/calendar, */*;q=0.5',
  'user-agent': 'agent-calendar/1',
  ...(etag !== null && { 'if-none-match': etag }),
  ...(lastModified !== null && { 'if-modified-since': lastModified }),
})

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** The target is checked when it is requested, like every address. */
function redirectOf({ status, headers }: HttpResponse, from: string): string | undefined {
  const { location } = headers
  if (!redirectStatuses.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, from)?.href
}

function answered({ status, headers, body, truncated }: HttpResponse, known: Validators): Fetched {
  const wasAsked = known.etag !== null || known.lastModified !== null
  if (status === 304 && wasAsked) return { kind: 'not_modified' }
  if (status !== 200) return failed('status', `The feed answered with status ${status}.`)
  if (truncated) return failed('too_large', `The feed is larger than ${maxBytes / 1024 / 1024} MB.`)
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (!/^(identity|(x-)?gzip)$/i.test(encoding.trim())) {
    return failed('encoding', 'The feed uses an unsupported compression.')
  }
  return {
    kind: 'fetched',
    body,
    charset: charsetOf(headers['content-type']),
    etag: validator(headers.etag),
    lastModified: validator(headers['last-modified']),
  }
}

/** Only a value that can be sent back unchanged. */
const validator = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null

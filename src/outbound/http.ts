// The only way out of the service. Whatever the other side does is an Outcome, never a throw. One deadline covers name,
// connection, TLS, headers and body. A connection is made only to an address that was checked for that connection.
// An attempt is one request on the wire: nothing is sent twice, no redirect is followed, no proxy variable is read.
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { checkTarget } from './addresses.ts'
import { type Gunzip, openBody, openGunzip } from './body.ts'
import { type Lookup, openConnector } from './connector.ts'
import { closing, detailOf, explain, type FailureReason, over } from './failures.ts'

export interface HttpRequest {
  method: Dispatcher.HttpMethod
  /** `user:password@` is sent as Basic authorization; callers that must not allow it check with `checkTarget` first. */
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  deadlineMs: number
  /** The rest of the body is dropped and the connection closed; the response still counts. */
  maxBytes: number
  /** Accepts gzip and unpacks it; `maxBytes` then bounds the unpacked body. */
  gzip?: true
}

type Headers = Record<string, string | string[] | undefined>
/** Header names are lower case. */
export type HttpResponse = {
  kind: 'response'
  status: number
  headers: Headers
  body: Buffer
  truncated: boolean
  durationMs: number
}
/** `message` is one line for people; it holds neither credentials nor the inward address a name led to. */
type HttpFailure = { kind: 'failed'; reason: FailureReason; message: string; durationMs: number }
export type Outcome = HttpResponse | HttpFailure

export interface HttpOptions {
  trustedHosts: readonly string[]
  /** In place of DNS, for tests. */
  lookup?: Lookup
}

export interface Http {
  send(request: HttpRequest): Promise<Outcome>
  /** How many origins have a connection or a request now. */
  origins(): number
  /** Ends requests under way, and all later ones, as `closed`. */
  close(): Promise<void>
}

// Receivers close idle connections after 5 s (Node), 2 s (gunicorn) or more, and a POST that meets the close is lost. So ours
// idle for less, and longer only if a Keep-Alive header promises it (minus a second).
// 512 is more than the attempts of one process, so those to one origin do not queue behind each other.
const connectionLimits = {
  connections: 512,
  pipelining: 1,
  keepAliveTimeout: 1_500,
  keepAliveMaxTimeout: 15_000,
  keepAliveTimeoutThreshold: 1_000,
  maxRequestsPerClient: 1_000,
  maxHeaderSize: 16_384,
  // Undici's own timers are coarse; the deadline of the request replaces them.
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
} as const

export function openHttp({ trustedHosts, lookup }: HttpOptions): Http {
  const connector = openConnector(trustedHosts, lookup)
  const pools = new Map<string, Pool>()
  let isClosed = false
  return {
    send: async (request) => {
      const target = checkTarget(request.url, trustedHosts, { credentials: true })
      if (!target.ok) return { kind: 'failed', reason: 'refused_address', message: target.reason, durationMs: 0 }
      if (isClosed) return { kind: 'failed', reason: 'closed', message: closing.message, durationMs: 0 }
      return exchange(poolOf(pools, target.url.origin, connector.connect), target.url, request)
    },
    origins: () => pools.size,
    close: async () => {
      isClosed = true
      const destroyed = [...pools.values()].map((pool) => pool.destroy(closing))
      connector.close()
      await Promise.all(destroyed)
    },
  }
}

/** As undici's Agent, which however keeps an origin for ever if its last connection ended by an abort (8.12.4). */
function poolOf(pools: Map<string, Pool>, origin: string, connect: buildConnector.connector): Pool {
  const known = pools.get(origin)
  if (known) return known
  const pool = new Pool(origin, { ...connectionLimits, connect })
  // A turn later: while undici emits the disconnect, the aborted request still counts as pending.
  const dropUnused = () =>
    setImmediate(() => {
      const { connected, size } = pool.stats
      if (connected > 0 || size > 0 || pool.destroyed) return
      pools.delete(origin)
      pool.destroy()
    })
  pool.on('disconnect', dropUnused).on('connectionError', dropUnused)
  pools.set(origin, pool)
  return pool
}

function exchange(pool: Pool, url: URL, request: HttpRequest): Promise<Outcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    let headers: Headers = {}
    const body = openBody(request.maxBytes)
    let gunzip: Gunzip | undefined

    const settle = (outcome: Omit<HttpResponse, 'durationMs'> | Omit<HttpFailure, 'durationMs'>) => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      gunzip?.stop()
      resolve({ ...outcome, durationMs: Math.round(performance.now() - startedAt) })
    }
    const respond = (truncated: boolean) => settle({ kind: 'response', status, headers, body: body.bytes(), truncated })
    const abandon = () => controller?.abort(over)
    const deadline = setTimeout(() => {
      settle({ kind: 'failed', reason: 'timeout', message: `No complete response in ${request.deadlineMs} ms.` })
      abandon()
    }, request.deadlineMs)

    const excess = () => {
      respond(true)
      // Not from within the parser. If this chunk was the last, there is nothing left to abort by then.
      queueMicrotask(abandon)
    }
    const unpacked = (error?: Error) => {
      if (!error) return respond(false)
      settle({ kind: 'failed', reason: 'protocol', message: `The response is not valid gzip (${detailOf(error)}).` })
      queueMicrotask(abandon)
    }
    const handler: Dispatcher.DispatchHandler = {
      // If the deadline passed while the request waited for a connection, it is dropped here, unsent.
      onRequestStart: (started) => {
        controller = started
        if (settled) abandon()
      },
      // Interim (1xx) responses come here too; the last call is the final response.
      onResponseStart: (_controller, code, received) => {
        status = code
        headers = received
      },
      onResponseData: (_controller, chunk) => {
        if (settled) return
        if (request.gzip && isGzip(headers))
          gunzip ??= openGunzip(request.maxBytes, { take: body.add, excess, done: unpacked })
        if (gunzip) gunzip.write(chunk)
        else if (!body.add(chunk)) excess()
      },
      onResponseEnd: () => {
        if (gunzip) return gunzip.end()
        clearTimeout(deadline)
        // Undici frees the connection one turn later; a caller that sends again at once shall find it free.
        queueMicrotask(() => setImmediate(respond, false))
      },
      onResponseError: (_controller, error) => settle({ kind: 'failed', ...explain(error) }),
    }
    const path = `${url.pathname}${url.search}`
    const headersToSend = requestHeaders(url, request)
    pool.dispatch({ path, method: request.method, body: request.body ?? null, headers: headersToSend }, handler)
  })
}

const isGzip = ({ 'content-encoding': encoding }: Headers) => /^(x-)?gzip$/i.test(String(encoding).trim())

function requestHeaders({ username, password }: URL, request: HttpRequest): Record<string, string> {
  const headers = { ...request.headers, ...(request.gzip && { 'accept-encoding': 'gzip' }) }
  if (!username && !password) return headers
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { ...headers, authorization: `Basic ${credentials}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

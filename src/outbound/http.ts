// The only way out of the service. Whatever the other side does is an Outcome, never a throw. One deadline covers name,
// connection, TLS, headers and body. A connection is made only to an address that was checked for that connection.
// An attempt is one request on the wire: nothing is sent twice, no redirect is followed, no proxy variable is read.
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { type Gunzip, openBody, openGunzip } from './body.ts'
import { type Lookup, openConnector } from './connector.ts'
import { closing, detailOf, explain, type FailureReason, over, tooManyInterim } from './failures.ts'
import { openTargets, type Reached } from './targets.ts'

export interface HttpRequest {
  method: Dispatcher.HttpMethod
  /** `user:password@` is sent as Basic authorization; callers that must not allow it check with `checkTarget` first. */
  url: string
  /** Names and values in turn, if it is a list. */
  headers?: Readonly<Record<string, string>> | readonly string[]
  /**
   * Requests with one name share connections to an origin, and requests with another one never wait for these. Without a name
   * it is the origin's.
   */
  sharing?: string
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
// Undici looks through all connections of a pool for a free one, so a pool has few: more than the attempts of one subscription
// that are under way, whose requests share a pool.
const connectionLimits = {
  connections: 32,
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

/** Before the final response. The head of each has at most `maxHeaderSize` bytes. */
const maxInterim = 20

export function openHttp({ trustedHosts, lookup }: HttpOptions): Http {
  const connector = openConnector(trustedHosts, lookup)
  const pools = new Map<string, Pool>()
  const targetOf = openTargets(trustedHosts)
  let isClosed = false
  return {
    send: async (request) => {
      const target = targetOf(request.url)
      if (!target.ok) return { kind: 'failed', reason: 'refused_address', message: target.reason, durationMs: 0 }
      if (isClosed) return { kind: 'failed', reason: 'closed', message: closing.message, durationMs: 0 }
      return exchange(poolOf(pools, target.origin, request.sharing, connector.connect), target, request)
    },
    origins: () => new Set([...pools.keys()].map((key) => key.split(' ')[0])).size,
    close: async () => {
      isClosed = true
      const destroyed = [...pools.values()].map((pool) => pool.destroy(closing))
      connector.close()
      await Promise.all(destroyed)
    },
  }
}

/** As undici's Agent, which however keeps an origin for ever if its last connection ended by an abort (8.12.4). */
function poolOf(
  pools: Map<string, Pool>,
  origin: string,
  sharing: string | undefined,
  connect: buildConnector.connector,
): Pool {
  const key = sharing === undefined ? origin : `${origin} ${sharing}`
  const known = pools.get(key)
  if (known) return known
  const pool = new Pool(origin, { ...connectionLimits, connect })
  // A turn later: while undici emits the disconnect, the aborted request still counts as pending.
  const dropUnused = () =>
    setImmediate(() => {
      const { connected, size } = pool.stats
      if (connected > 0 || size > 0 || pool.destroyed) return
      pools.delete(key)
      pool.destroy()
    })
  pool.on('disconnect', dropUnused).on('connectionError', dropUnused)
  pools.set(key, pool)
  return pool
}

function exchange(pool: Pool, { path, authorization }: Reached, request: HttpRequest): Promise<Outcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    let headers: Headers = {}
    let interim = 0
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
      onResponseStart: (started, code, received) => {
        if (code < 200 && ++interim > maxInterim) started.abort(tooManyInterim)
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
    const headersToSend = requestHeaders(authorization, request)
    pool.dispatch({ path, method: request.method, body: request.body ?? null, headers: headersToSend }, handler)
  })
}

const isGzip = ({ 'content-encoding': encoding }: Headers) => /^(x-)?gzip$/i.test(String(encoding).trim())

/** A list, which undici writes unchanged. */
function requestHeaders(authorization: string | undefined, { headers = [], gzip }: HttpRequest): string[] {
  const list: string[] = isList(headers) ? [...headers] : Object.entries(headers).flat()
  if (gzip) list.push('accept-encoding', 'gzip')
  if (authorization) list.push('authorization', authorization)
  return list
}

const isList = (headers: NonNullable<HttpRequest['headers']>): headers is readonly string[] => Array.isArray(headers)

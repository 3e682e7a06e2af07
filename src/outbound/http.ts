// The only way out of the service. Whatever the other side does is an Outcome, never a throw; one deadline covers name,
// connection, TLS, headers and body; a connection is made only to an address that was checked for that connection.
// An attempt is one request on the wire: nothing is sent twice, no redirect is followed, no proxy variable is read.
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import { checkTarget, isPublicAddress, isTrustedHost } from './addresses.ts'
import { type Gunzip, openBody, openGunzip } from './body.ts'

export interface HttpRequest {
  method: Dispatcher.HttpMethod
  /** `user:password@` is sent as Basic authorization; whoever must not allow it says so to `checkTarget` earlier. */
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  deadlineMs: number
  /** What follows is dropped and the connection closed; the status counts all the same. */
  maxBytes: number
  /** Asks for gzip and unpacks it; `maxBytes` then bounds what comes out. */
  gzip?: true
}

export type FailureReason =
  | 'timeout'
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'invalid_request'
  | 'closed'

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

/** All addresses of a name; rejects when there are none. */
type Lookup = (hostname: string) => Promise<string[]>

export interface HttpOptions {
  trustedHosts: readonly string[]
  /** In place of DNS, for tests. */
  lookup?: Lookup
}

export interface Http {
  send(request: HttpRequest): Promise<Outcome>
  /** How many origins have a connection or a request at present. */
  origins(): number
  /** Ends what is under way as `closed`; so ends whatever is sent later. */
  close(): Promise<void>
}

const connectTimeoutMs = 10_000

// Receivers close idle connections after 5 s (Node), 2 s (gunicorn) or more, and a POST that meets the close is lost:
// so ours idle for less, longer only where a Keep-Alive header promises it (a second is subtracted).
// 512 is more than the attempts that one process has in flight: those to one origin do not queue behind each other.
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

/** Undici's Agent does the same, but keeps an origin for ever when its last connection ended by an abort (8.12.4). */
function poolOf(pools: Map<string, Pool>, origin: string, connect: buildConnector.connector): Pool {
  const known = pools.get(origin)
  if (known) return known
  const pool = new Pool(origin, { ...connectionLimits, connect })
  // A turn later: while undici tells of the disconnect, the aborted request still counts as pending.
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
      // Not from within the parser; when this chunk was the last, there is nothing to abort by then.
      queueMicrotask(abandon)
    }
    const unpacked = (error?: Error) => {
      if (!error) return respond(false)
      settle({ kind: 'failed', reason: 'protocol', message: `The response is not valid gzip (${detailOf(error)}).` })
      queueMicrotask(abandon)
    }
    const handler: Dispatcher.DispatchHandler = {
      // The deadline may pass while the request still waits for a connection: it is then dropped here, unsent.
      onRequestStart: (started) => {
        controller = started
        if (settled) abandon()
      },
      // Interim (1xx) responses come through here too; the last call is the answer.
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
        // Undici frees the connection one turn later; whoever sends again at once shall find it free.
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

/** Trusted hosts connect to whatever their name means on this machine, all others only to public addresses. */
function openConnector(trustedHosts: readonly string[], injected: Lookup | undefined) {
  const resolvers = new Set<Resolver>()
  // One context for all: making one takes 0.4 ms, and Node would make one for every connection.
  const secureContext = createSecureContext()
  const options = { allowH2: false, timeout: connectTimeoutMs, autoSelectFamilyAttemptTimeout: 1_000, secureContext }
  const toAnywhere = buildConnector({ ...options, lookup: asNetLookup(injected ?? machineAddresses) })
  const toPublic = buildConnector({
    ...options,
    rejectUnauthorized: true,
    lookup: asNetLookup(publicOnly(injected ?? ((hostname) => dnsAddresses(resolvers, hostname)))),
  })
  const connecting = new Set<Socket>()

  const connect: buildConnector.connector = (target, callback) => {
    const { hostname, protocol } = target
    const port = target.port || (protocol === 'https:' ? '443' : '80')
    const trusted = isTrustedHost(trustedHosts, hostname, port)
    // Node does not call the lookup for a literal.
    if (!trusted && isIP(hostname) !== 0 && !isPublicAddress(hostname)) return callback(refusal(hostname), null)
    // The connector returns its socket, though its type does not say so.
    const socket = (trusted ? toAnywhere : toPublic)(target, (...[error, connected]) => {
      if (socket) connecting.delete(socket)
      if (error) callback(connectFailure(error, protocol), null)
      else callback(null, connected)
    }) as unknown as Socket | undefined
    if (socket) connecting.add(socket)
  }
  const close = () => {
    for (const resolver of resolvers) resolver.cancel()
    for (const socket of connecting) socket.destroy(closing)
  }
  return { connect, close }
}

const machineAddresses: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address)

/**
 * Not getaddrinfo: it would hold one of four threads, so that a few dead name servers stopped every other receiver.
 * A resolver lasts for one name (35 µs): it reads /etc/resolv.conf only when it is made.
 */
async function dnsAddresses(resolvers: Set<Resolver>, hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  resolvers.add(resolver)
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  resolvers.delete(resolver)
  const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** One inward address among the answers refuses them all: an honest name has none. */
const publicOnly =
  (lookup: Lookup): Lookup =>
  async (hostname) => {
    const addresses = await lookup(hostname)
    if (!addresses.every(isPublicAddress)) throw refusal(hostname)
    return addresses
  }

function asNetLookup(lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) callback(dnsFailure(hostname, 'no address'), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error instanceof Failure ? error : dnsFailure(hostname, detailOf(error)), ''),
    )
  }
}

/** Never carries a `code`: undici would keep the requests of a connection that fails with some of its own. */
class Failure extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const closing = new Failure('closed', 'The HTTP client was closed.')
const over = new Failure('closed', 'The exchange is over.')

const refusal = (hostname: string) => new Failure('refused_address', `${hostname} is not on the public internet.`)

const dnsFailure = (hostname: string, detail: string) =>
  new Failure('dns', `The name ${hostname} could not be resolved (${detail}).`)

function connectFailure(error: Error & { code?: string; syscall?: string }, protocol: string): Failure {
  if (error instanceof Failure) return error
  const detail = detailOf(error)
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT' || error.code === 'ETIMEDOUT') {
    return new Failure('timeout', `The connection could not be made in time (${detail}).`)
  }
  const reached = error.syscall !== 'connect' && !(error instanceof AggregateError)
  return protocol === 'https:' && reached
    ? new Failure('tls', `No secure connection could be made (${detail}).`)
    : new Failure('connect', `The connection could not be made (${detail}).`)
}

/** A failure after the connection was made. */
function explain(error: Error & { code?: string }): { reason: FailureReason; message: string } {
  if (error instanceof Failure) return { reason: error.reason, message: error.message }
  const { code = '' } = error
  const detail = detailOf(error)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return { reason: 'invalid_request', message: `The request could not be written (${detail}).` }
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { reason: 'closed', message: detail }
  if (code.startsWith('ERR_SSL')) return { reason: 'tls', message: `The secure connection failed (${detail}).` }
  const cut = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT'].includes(code)
  // Undici's socket error also stands for an upgrade or an interim response that nobody asked for.
  if (cut || (code === 'UND_ERR_SOCKET' && !detail.startsWith('bad '))) {
    return { reason: 'reset', message: `The connection ended before the response was complete (${detail}).` }
  }
  return { reason: 'protocol', message: `The response is not valid HTTP (${detail}).` }
}

function detailOf(error: Error): string {
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return first.message.replace(/\s+/g, ' ').slice(0, 200)
}

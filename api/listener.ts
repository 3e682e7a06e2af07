// Malformed HTTP never reaches a route; Node would answer it in its own format. Here it gets our error format and a
// request id.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { App } from '../src/app.ts'
import { boundConnections } from './connections.ts'
import { newRequestId } from './http/exchange.ts'
import { trustOf } from './http/identity.ts'
import { type Handler, messagesOf } from './http/messages.ts'

type Refusal = { status: number; message: string }

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too long. Send fewer or shorter headers.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time. Send it again.' },
}
const malformed: Refusal = { status: 400, message: 'This is not a valid HTTP request.' }
const withoutHost: Refusal = { status: 400, message: 'The Host header is missing.' }
const severalHosts: Refusal = { status: 400, message: 'There is more than one Host header. Send exactly one.' }
const unmet: Refusal = {
  status: 417,
  message: 'The only supported expectation is 100-continue. Send the request without Expect.',
}

/** By default Node checks for slow requests only every 30 s, so a limit of 10 s would take effect up to 30 s late. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 }

/** The server of a handler; it also answers the requests that Node would refuse by itself. */
export function openListener(app: App, handler: Handler, options: ServerOptions = {}): Server {
  // Node's own check of the Host header would answer in Node's format.
  const server = createServer(
    { ...timeouts, ...messagesOf(handler), ...options, requireHostHeader: false },
    (req, res) => {
      const refusal = hostRefusal(req)
      if (refusal) refuse(app, res, refusal)
      else handler(req, res)
    },
  )
  const isTrusted = trustOf(app.config)
  boundConnections(server, (address) => isLoopback(address) || isTrusted(address, 0))
  server.on('checkExpectation', (_req, res) => refuse(app, res, unmet))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Nothing is sent to a disconnected client, or in the middle of the answer to an earlier request.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const { status, headers, body } = answerOf(app, refusals[error.code ?? ''] ?? malformed, error.code)
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  })
  return server
}

/** Clients of this machine are its operator, or behind a proxy on it. */
const isLoopback = (address: string): boolean => /^(::1$|(::ffff:)?127\.)/.test(address)

/** RFC 9112, 3.2: exactly one Host, or none in HTTP/1.0. `headers.host` shows only the first of several. */
function hostRefusal({ headers, httpVersion, rawHeaders }: IncomingMessage): Refusal | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? withoutHost : undefined
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? severalHosts : undefined
}

/** Node's own test, for servers without a listener for `clientError`. */
const isAnswering = (socket: Duplex & { _httpMessage?: { headersSent: boolean } }): boolean =>
  socket._httpMessage?.headersSent === true

function refuse(app: App, res: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = answerOf(app, refusal)
  res.writeHead(status, headers).end(body)
}

function answerOf({ metrics, log }: App, { status, message }: Refusal, code?: string) {
  const requestId = newRequestId()
  metrics.httpMalformedRequests.inc()
  log.debug({ request_id: requestId, code, status }, 'malformed request')
  const body = JSON.stringify({ error: { type: 'bad_request', message, param: null, request_id: requestId } })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
  return { status, headers, body }
}

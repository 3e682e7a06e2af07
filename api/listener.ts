// What is no HTTP never reaches a route: Node would answer it in its own words. It is told in the shape of every other
// error, with an identifier of its own.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { App } from '../src/app.ts'
import { newRequestId } from './http/identity.ts'

type Refusal = { status: number; message: string }

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come in time.' },
}
const malformed: Refusal = { status: 400, message: 'This is not a valid HTTP request.' }
const withoutHost: Refusal = { status: 400, message: 'The request names no Host.' }
const severalHosts: Refusal = { status: 400, message: 'The request names more than one Host.' }
const unmet: Refusal = {
  status: 417,
  message: 'The only expectation that can be met is 100-continue. Send the request without Expect.',
}

/** By default Node looks only every 30 s who is too slow: so late a request of 10 s would be refused. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 500 }

/** An idle connection takes some 20 KB. Whoever comes beyond this is hung up on, so that the others are still answered. */
const maxConnections = 5_000

/** The server of a handler, with all that Node would refuse by itself. */
export function openListener(app: App, handler: RequestListener, options: ServerOptions = {}): Server {
  // Node's own check of the Host would answer in Node's own words.
  const server = createServer({ ...timeouts, ...options, requireHostHeader: false }, (req, res) => {
    const refusal = hostRefusal(req)
    if (refusal) refuse(app, res, refusal)
    else handler(req, res)
  })
  server.maxConnections = maxConnections
  server.on('checkExpectation', (_req, res) => refuse(app, res, unmet))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Whoever is gone is told nothing, nor is a client in the middle of an answer to something else.
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

/** RFC 9112, 3.2: exactly one Host; HTTP/1.0 knows requests without. Of several Node shows the first alone. */
function hostRefusal({ headers, httpVersion, rawHeaders }: IncomingMessage): Refusal | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? withoutHost : undefined
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? severalHosts : undefined
}

/** As Node does it where nobody listens. */
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

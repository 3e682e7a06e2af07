// What is no HTTP never reaches a route: Node would answer it in its own words. It is told in the shape of every other
// error, with an identifier of its own.
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { App } from '../src/app.ts'
import { newRequestId } from './request.ts'

type Refusal = { status: string; message: string }

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not come in time.' },
}
const malformed: Refusal = { status: '400 Bad Request', message: 'This is not a valid HTTP request.' }

export function refuseMalformed({ metrics, log }: App, server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Whoever is gone is told nothing, nor is a client in the middle of an answer to something else.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const requestId = newRequestId()
    metrics.malformedRequests.inc()
    log.debug({ request_id: requestId, code: error.code }, 'malformed request')
    socket.end(answerOf(refusals[error.code ?? ''] ?? malformed, requestId))
  })
}

/** As Node does it where nobody listens. */
const isAnswering = (socket: Duplex & { _httpMessage?: { headersSent: boolean } }): boolean =>
  socket._httpMessage?.headersSent === true

function answerOf({ status, message }: Refusal, requestId: string): string {
  const body = JSON.stringify({ error: { type: 'bad_request', message, param: null, request_id: requestId } })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { refuseMalformed } from './malformed.ts'

let service: TestService
let server: Server
let port: number

before(async () => {
  service = await openTestService()
  const options = { requestTimeout: 300, headersTimeout: 200, connectionsCheckingInterval: 50 }
  server = createServer(options, (_req, res) => res.end('fine'))
  refuseMalformed(service.app, server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
after(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await service.close()
})

/** Everything that comes back until the server hangs up. */
const send = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

function parsed(answer: string) {
  const [head, body] = answer.split('\r\n\r\n') as [string, string]
  const [line, ...headers] = head.split('\r\n') as [string, ...string[]]
  return {
    status: line,
    headers: Object.fromEntries(headers.map((header) => header.toLowerCase().split(': '))),
    body: JSON.parse(body),
  }
}

for (const { what, text, status, message } of [
  {
    what: 'no HTTP',
    text: 'nonsense\r\n\r\n',
    status: '400 Bad Request',
    message: 'This is not a valid HTTP request.',
  },
  {
    what: 'a header that holds a control character',
    text: 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \u0001\r\n\r\n',
    status: '400 Bad Request',
    message: 'This is not a valid HTTP request.',
  },
  {
    what: 'headers without end',
    text: `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    status: '431 Request Header Fields Too Large',
    message: 'The headers are too long.',
  },
  {
    what: 'headers that never come',
    text: 'GET / HTTP/1.1\r\nHost: a\r\n',
    status: '408 Request Timeout',
    message: 'The request did not come in time.',
  },
]) {
  test(`${what}: ${status}, in the shape of every error, with an identifier`, async () => {
    const answer = parsed(await send(text))
    assert.equal(answer.status, `HTTP/1.1 ${status}`)
    assert.match(answer.headers['x-request-id'], /^req_[0-9a-z]{26}$/)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers.connection, 'close')
    assert.deepEqual(answer.body, {
      error: { type: 'bad_request', message, param: null, request_id: answer.headers['x-request-id'] },
    })
  })
}

test('malformed requests are counted', async () => {
  const count = async () => (await service.app.metrics.malformedRequests.get()).values[0]?.value ?? 0
  const before = await count()
  await send('nonsense\r\n\r\n')
  assert.equal(await count(), before + 1)
})

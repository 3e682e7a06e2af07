import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { openListener } from './listener.ts'

/** Everything that comes back until the server hangs up. */
const sendTo = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

const test = serviceTest().extend('send', perFile, async ({ service }, { onCleanup }) => {
  const options = { requestTimeout: 300, headersTimeout: 200, connectionsCheckingInterval: 50 }
  const server = openListener(service.app, (_req, res) => res.end('fine'), options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onCleanup(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return (text: string) => sendTo(port, text)
})

/** The last answer: a body that is asked for has one of its own before. */
function parsed(answer: string) {
  const [head, body] = answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n') as [string, string]
  const [line, ...headers] = head.split('\r\n') as [string, ...string[]]
  return {
    status: line,
    headers: Object.fromEntries(headers.map((header) => header.toLowerCase().split(': '))),
    body: JSON.parse(body),
  }
}

for (const { what, text, status, message } of [
  {
    what: 'invalid HTTP',
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
    message: 'The headers are too long. Send fewer or shorter headers.',
  },
  {
    what: 'headers that never come',
    text: 'GET / HTTP/1.1\r\nHost: a\r\n',
    status: '408 Request Timeout',
    message: 'The request did not arrive in time. Send it again.',
  },
  {
    what: 'no host',
    text: 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    status: '400 Bad Request',
    message: 'The Host header is missing.',
  },
  {
    what: 'no host, and a body that waits to be asked for',
    text: 'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n',
    status: '400 Bad Request',
    message: 'The Host header is missing.',
  },
  {
    what: 'two hosts',
    text: 'GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\nConnection: close\r\n\r\n',
    status: '400 Bad Request',
    message: 'There is more than one Host header. Send exactly one.',
  },
  {
    what: 'two hosts of HTTP/1.0, which are the same',
    text: 'GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n',
    status: '400 Bad Request',
    message: 'There is more than one Host header. Send exactly one.',
  },
  {
    what: 'an unknown expectation',
    text: 'POST / HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    status: '417 Expectation Failed',
    message: 'The only supported expectation is 100-continue. Send the request without Expect.',
  },
]) {
  test(`${what}: ${status}, in the shape of every error, with an identifier`, async ({ send }) => {
    const answer = parsed(await send(text))
    assert.equal(answer.status, `HTTP/1.1 ${status}`)
    assert.match(answer.headers['x-request-id'], /^req_[0-9a-z]{26}$/)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers.connection, 'close')
    assert.deepEqual(answer.body, {
      error: { type: 'bad_request', message, param: null, request_id: answer.headers['x-request-id'] },
    })
  })
}

test('a request of HTTP/1.0 needs no host, and a host may be empty', async ({ send }) => {
  assert.match(await send('GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nfine$/s)
  assert.match(await send('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 200 OK\r\n/)
})

test('100-continue asks for the body', async ({ send }) => {
  const expecting =
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n'
  assert.match(await send(expecting), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
})

test('after a refused request whose end is known the connection serves the next one', async ({ send }) => {
  const refused = 'GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 2\r\n\r\n{}'
  const answers = await send(`${refused}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 400', 'HTTP/1.1 417', 'HTTP/1.1 200'])
})

test('slow requests are cut off soon, and the connections are bounded', async ({ service, onTestFinished }) => {
  const slow = openListener(service.app, (_req, res) => res.end('fine'), { headersTimeout: 100, requestTimeout: 200 })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => slow.close().closeAllConnections())
  const { port: at } = slow.address() as AddressInfo
  // One says nothing at all, one never ends its headers, one never ends its body.
  const drips = ['', 'GET / HTTP/1.1\r\nHost: a\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{']
  const began = performance.now()
  const answers = await Promise.all(drips.map((text) => sendTo(at, text)))
  // Left to itself Node looks every 30 s.
  assert.ok(performance.now() - began < 15_000)
  for (const answer of answers.slice(0, 2)) assert.match(answer, /^HTTP\/1.1 408 /)

  assert.ok(slow.maxConnections >= 1_000 && slow.maxConnections <= 10_000)
})

test('malformed requests are counted', async ({ service, send }) => {
  const count = async () => (await service.app.metrics.httpMalformedRequests.get()).values[0]?.value ?? 0
  const before = await count()
  await send('nonsense\r\n\r\n')
  await send('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  await send('GET / HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n')
  assert.equal(await count(), before + 3)
})

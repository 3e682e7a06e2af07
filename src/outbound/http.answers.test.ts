import assert from 'node:assert/strict'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { answered, client, closed, end, rawReceiver, reasonOf, receiver } from '../testing/exchange.ts'

describe('the response body', () => {
  test('is read to maxBytes; the rest is dropped with the connection', async (t) => {
    const { url, sockets } = await receiver(t, (_request, response) => response.end(Buffer.alloc(5_000_000, 'a')))
    const { post } = client(t)
    const outcome = answered(await post(url, { maxBytes: 65_536 }))
    assert.deepEqual([outcome.status, outcome.truncated, outcome.body.length], [200, true, 65_536])
    await closed(sockets[0]!)
    assert.equal(answered(await post(url)).status, 200)
    assert.equal(sockets.length, 2)
  })

  test('without end is no timeout', { timeout: 5_000 }, async (t) => {
    const { url, sockets } = await receiver(t, (_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384))) {}
      }
      response.on('drain', more)
      more()
    })
    assert.equal(answered(await client(t).post(url)).truncated, true)
    await closed(sockets[0]!)
  })

  test('a little too long in one chunk, with and without keep-alive', async (t) => {
    for (const connection of ['keep-alive', 'close']) {
      const { url } = await receiver(t, (_request, response) =>
        response.setHeader('connection', connection).end('12345'),
      )
      const { post } = client(t)
      for (let round = 0; round < 3; round++) {
        const outcome = answered(await post(url, { maxBytes: 4 }))
        assert.deepEqual([outcome.body.toString(), outcome.truncated], ['1234', true], connection)
      }
      assert.equal(answered(await post(url, { maxBytes: 5 })).truncated, false)
    }
  })

  test('in many chunks is put together in order', async (t) => {
    const whole = Array.from({ length: 3_000 }, (_, index) => `${index},`)
    const { url } = await receiver(t, (_request, response) => {
      for (const part of whole) response.write(part)
      response.end()
    })
    const { post } = client(t)
    const text = whole.join('')
    assert.equal(answered(await post(url)).body.toString(), text)
    assert.equal(answered(await post(url, { maxBytes: 9_999 })).body.toString(), text.slice(0, 9_999))
  })

  test('is unpacked where gzip was asked for, however it is cut into chunks', async (t) => {
    const text = Array.from({ length: 20_000 }, (_, index) => `${index},`).join('')
    const packed = gzipSync(text)
    const { url } = await receiver(t, (request, response) => {
      const isAsked = request.headers['accept-encoding'] === 'gzip'
      response.setHeader('content-encoding', 'GZIP')
      for (let at = 0; isAsked && at < packed.length; at += 1_000) response.write(packed.subarray(at, at + 1_000))
      response.end()
    })
    const { post } = client(t)
    for (let round = 0; round < 2; round++) {
      const outcome = answered(await post(url, { gzip: true, maxBytes: 1_000_000 }))
      assert.deepEqual([outcome.body.toString(), outcome.truncated], [text, false])
    }
    assert.equal(answered(await post(url)).body.length, 0)
  })

  test('that is no gzip, or half of it, is a failure of the protocol', async (t) => {
    const packed = gzipSync('a'.repeat(1_000))
    for (const body of [Buffer.from('plain'), packed.subarray(0, -10)]) {
      const { url } = await receiver(t, (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
      )
      const outcome = await client(t).post(url, { gzip: true })
      assert.equal(reasonOf(outcome), 'protocol')
    }
  })

  test('that unpacks to more than maxBytes is cut there, and the connection with it', {
    timeout: 30_000,
  }, async (t) => {
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    const { url, sockets } = await receiver(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb),
    )
    const outcome = answered(await client(t).post(url, { gzip: true, maxBytes: 65_536 }))
    assert.equal(outcome.truncated, true)
    assert.ok(outcome.body.length <= 65_536)
    await closed(sockets[0]!)
  })

  test('of gzip without content and without end is bounded by what comes in', { timeout: 5_000 }, async (t) => {
    const empty = gzipSync('')
    const { url, sockets } = await receiver(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const more = () => {
        while (response.write(Buffer.concat(Array(1_000).fill(empty)))) {}
      }
      response.on('drain', more)
      more()
    })
    assert.equal(answered(await client(t).post(url, { gzip: true })).truncated, true)
    await closed(sockets[0]!)
  })

  test('of gzip that comes a byte at a time is cut at the deadline', async (t) => {
    const packed = gzipSync('a'.repeat(1_000))
    const { url } = await receiver(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      let at = 0
      const timer = setInterval(() => response.write(packed.subarray(at, ++at)), 20)
      t.onTestFinished(() => clearInterval(timer))
    })
    assert.equal(reasonOf(await client(t).post(url, { gzip: true, deadlineMs: 200 })), 'timeout')
  })

  test('that ends with the connection', async (t) => {
    const { url } = await rawReceiver(t, 'HTTP/1.0 200 OK\r\n\r\nall of it', end)
    assert.equal(answered(await client(t).post(url)).body.toString(), 'all of it')
  })
})

describe('a receiver that misbehaves', () => {
  const cases: [string, string, string, ((socket: Socket) => void)?][] = [
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
    ['sends a bad header name', 'HTTP/1.1 200 OK\r\nbad name: x\r\n\r\n', 'protocol'],
    ['sends a control character in a header', 'HTTP/1.1 200 OK\r\nx: a\x00b\r\n\r\n', 'protocol'],
    ['sends a bare line feed', 'HTTP/1.1 200 OK\r\nx: a\rb\r\n\r\n', 'protocol'],
    ['sends too many headers', `HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(900)}\r\n`.repeat(40)}\r\n`, 'protocol'],
    ['sends one huge header', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 'protocol'],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'protocol'],
    [
      'sends length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'protocol',
    ],
    ['sends a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'protocol'],
    ['sends interim responses without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(21), 'protocol'],
    ['sends a long interim response', `HTTP/1.1 103 x\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`, 'protocol'],
    ['closes after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n', 'reset', end],
    ['closes after early hints alone', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'reset', end],
    ['switches protocols unasked', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', 'protocol'],
    ['closes without a word', '', 'reset', end],
    ['closes within the headers', 'HTTP/1.1 200 OK\r\nx: ', 'reset', end],
    ['closes within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'reset', end],
    ['closes within a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab', 'reset', end],
    ['resets', '', 'reset', (socket) => socket.resetAndDestroy()],
    [
      'resets within the body',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'reset',
      (socket) => socket.resetAndDestroy(),
    ],
  ]
  for (const [what, text, reason, then] of cases) {
    test(what, async (t) => {
      const { url, sockets } = await rawReceiver(t, text, then)
      const outcome = await client(t).post(url)
      assert.equal(reasonOf(outcome), reason)
      assert.match(outcome.kind === 'failed' ? outcome.message : '', /^The [^\n]+\.$/)
      assert.equal(sockets.length, 1, 'sent once')
    })
  }

  test('answers twice: the second answer is nobody’s', async (t) => {
    const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${text}`
    const { url } = await rawReceiver(t, answer('first') + answer('extra'))
    const { post } = client(t)
    for (let round = 0; round < 3; round++) assert.equal(answered(await post(url)).body.toString(), 'first')
  })

  test('is not there', async (t) => {
    const { url } = await receiver(t, () => {})
    const { port } = await new Promise<AddressInfo>((resolve) => {
      const server = createNetServer().listen(0, '127.0.0.1', () => {
        const address = server.address() as AddressInfo
        server.close(() => resolve(address))
      })
    })
    const { post } = client(t)
    assert.equal(reasonOf(await post(`http://127.0.0.1:${port}/`)), 'connect')
    assert.equal(reasonOf(await post(`https://127.0.0.1:${port}/`)), 'connect')
    assert.equal(reasonOf(await post(url.replace('http:', 'https:'))), 'tls')
  })

  test('headers that would split our own request are not sent', async (t) => {
    const { url, sockets } = await receiver(t, (_request, response) => response.end())
    const { post } = client(t)
    const splitting: Record<string, string>[] = [{ 'x-a': 'b\r\nc: d' }, { 'x\r\na': 'b' }, { 'content-length': 'x' }]
    for (const headers of splitting) {
      assert.equal(reasonOf(await post(url, { headers })), 'invalid_request')
    }
    assert.equal(reasonOf(await post(url, { method: 'PO ST' })), 'invalid_request')
    assert.equal(sockets.length, 0)
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, type TestContext, test } from 'vitest'
import { type HttpOptions, type HttpRequest, type Outcome, openHttp } from './http.ts'

type Ending = Pick<TestContext, 'onTestFinished'>

const dead = '3ffe::1' // public by its range, assigned to nobody
const names: Record<string, string[]> = {
  'inward.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'metadata.example.com': ['169.254.169.254'],
  'linklocal.example.com': ['fe80::1%1'],
  'nothing.example.com': [],
  'dead.example.com': [dead],
  'trusted.test': ['127.0.0.1'],
  'hooks.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
}

async function lookup(hostname: string): Promise<string[]> {
  const addresses = names[hostname]
  if (!addresses) throw new Error('queryA ENOTFOUND')
  return addresses
}

function client(t: Ending, options: Partial<HttpOptions> = {}) {
  const http = openHttp({ trustedHosts: ['127.0.0.1', 'trusted.test'], lookup, ...options })
  t.onTestFinished(() => http.close())
  return {
    http,
    post: (url: string, request: Partial<HttpRequest> = {}) =>
      http.send({ method: 'POST', url, body: '{}', deadlineMs: 2_000, maxBytes: 65_536, ...request }),
  }
}

/** Listens on 127.0.0.1 until the test ends; `sockets` are all connections ever made. */
async function listen(t: Ending, server: Server) {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { sockets, port, url: `http://127.0.0.1:${port}/` }
}

const receiver = (t: Ending, answer: RequestListener) => listen(t, createServer(answer))

/** Writes `text` to every request, then does `then` with the socket. */
const rawReceiver = (t: Ending, text: string, then: (socket: Socket) => void = () => {}) =>
  listen(
    t,
    createNetServer((socket) => socket.on('data', () => socket.write(text, 'latin1', () => then(socket)))),
  )

const end = (socket: Socket) => socket.end()

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

const reasonOf = (outcome: Outcome) => (outcome.kind === 'failed' ? outcome.reason : `answered ${outcome.status}`)

function answered(outcome: Outcome) {
  assert.equal(outcome.kind, 'response', JSON.stringify(outcome))
  return outcome as Extract<Outcome, { kind: 'response' }>
}

describe('an exchange', () => {
  test('sends what it was given and returns what came back', async (t) => {
    const { url } = await receiver(t, async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      response.writeHead(202, { 'X-Seen': `${request.method} ${request.url} ${request.headers['x-signature']}` })
      response.end(body)
    })
    const headers = { 'X-Signature': 'sha256=1' }
    const outcome = answered(await client(t).post(`${url}hook?a=b#c`, { headers, body: Buffer.from('{"é":1}') }))
    assert.equal(outcome.status, 202)
    assert.equal(outcome.headers['x-seen'], 'POST /hook?a=b sha256=1')
    assert.equal(outcome.body.toString(), '{"é":1}')
    assert.equal(outcome.truncated, false)
  })

  test('passes the credentials of the address on as Basic authorization', async (t) => {
    const { url } = await receiver(t, (request, response) => response.end(request.headers.authorization))
    const outcome = answered(await client(t).post(url.replace('//', '//user:p%40%zz@')))
    assert.equal(outcome.body.toString(), `Basic ${Buffer.from('user:p%40%zz').toString('base64')}`)
    const second = answered(await client(t).post(url.replace('//', '//user:p%40ss@')))
    assert.equal(second.body.toString(), `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
  })

  for (const status of [301, 302, 307, 308]) {
    test(`does not follow a ${status}`, async (t) => {
      let inner = 0
      const target = await receiver(t, (_request, response) => response.end(String(inner++)))
      const { url } = await receiver(t, (_request, response) =>
        response.writeHead(status, { location: target.url }).end(),
      )
      const outcome = answered(await client(t).post(url))
      assert.deepEqual([outcome.status, outcome.headers.location, inner], [status, target.url, 0])
    })
  }

  test('the status of a server error is an answer, and so is one after interim responses', async (t) => {
    const { url } = await receiver(t, (_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(500).end('no')
    })
    assert.equal(answered(await client(t).post(url)).status, 500)
  })

  test('reads no proxy variable', async (t) => {
    const { url } = await receiver(t, (_request, response) => response.end('direct'))
    const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = variables.map((name) => process.env[name])
    t.onTestFinished(() => {
      for (const [index, name] of variables.entries()) {
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
      }
    })
    for (const name of variables) process.env[name] = 'http://127.0.0.1:1'
    assert.equal(answered(await client(t).post(url)).body.toString(), 'direct')
  })
})

describe('where it may connect', () => {
  for (const url of [
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'http://example.com/',
    'https://user:password@localhost/',
    'not a url',
  ]) {
    test(`${url} is refused before any connection`, async (t) => {
      assert.equal(reasonOf(await client(t).post(url)), 'refused_address')
    })
  }

  for (const host of ['inward', 'mixed', 'mapped', 'nat64', 'metadata', 'linklocal']) {
    test(`${host}.example.com is refused for what it resolves to`, async (t) => {
      const { port, sockets } = await listen(t, createNetServer())
      const outcome = await client(t).post(`https://${host}.example.com:${port}/`)
      assert.equal(reasonOf(outcome), 'refused_address')
      assert.equal(outcome.kind === 'failed' && outcome.message, `${host}.example.com is not on the public internet.`)
      assert.equal(sockets.length, 0)
    })
  }

  test('a name is resolved once per connection, and refused when it turns inward', async (t) => {
    const { port, sockets } = await listen(t, createNetServer())
    let calls = 0
    const { post } = client(t, { lookup: async () => (calls++ === 0 ? [dead] : ['127.0.0.1']) })
    const url = `https://rebind.example.com:${port}/`
    assert.match(reasonOf(await post(url, { deadlineMs: 200 })), /^(connect|timeout)$/)
    assert.equal(calls, 1)
    // A second client: the first may still be busy with the address that nobody answers at.
    const later = client(t, { lookup: async () => (calls++ === 0 ? [dead] : ['127.0.0.1']) })
    assert.equal(reasonOf(await later.post(url)), 'refused_address')
    assert.deepEqual([calls, sockets.length], [2, 0])
  })

  test('a trusted name may lead inward; trust in one port is not trust in another', async (t) => {
    const { port } = await receiver(t, (request, response) => response.end(request.headers.host))
    const outcome = answered(await client(t).post(`http://trusted.test:${port}/`))
    assert.equal(outcome.body.toString(), `trusted.test:${port}`)
    const { post } = client(t, { trustedHosts: [`trusted.test:${port + 1}`] })
    assert.equal(reasonOf(await post(`http://trusted.test:${port}/`)), 'refused_address')
    assert.equal(reasonOf(await post(`https://trusted.test:${port}/`)), 'refused_address')
  })

  test('a name without addresses, and one that does not exist', async (t) => {
    const { post } = client(t)
    assert.equal(reasonOf(await post('https://nothing.example.com/')), 'dns')
    const outcome = await post('https://unknown.example.com/')
    assert.equal(
      outcome.kind === 'failed' && outcome.message,
      'The name unknown.example.com could not be resolved (queryA ENOTFOUND).',
    )
  })
})

describe('the deadline', () => {
  const onTime = (outcome: Outcome) => {
    assert.equal(reasonOf(outcome), 'timeout')
    assert.ok(outcome.durationMs >= 190 && outcome.durationMs < 600, `${outcome.durationMs} ms`)
  }

  test('over a server that never answers', { timeout: 5_000 }, async (t) => {
    const { url, sockets } = await receiver(t, () => {})
    onTime(await client(t).post(url, { deadlineMs: 200 }))
    await closed(sockets[0]!)
  })

  test('over headers that come a byte at a time', async (t) => {
    const { url } = await rawReceiver(t, 'HTTP/1.1 200 OK\r\n', (socket) => drip(t, socket))
    onTime(await client(t).post(url, { deadlineMs: 200 }))
  })

  test('over a body that comes a byte at a time', async (t) => {
    const { url } = await rawReceiver(t, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', (socket) => drip(t, socket))
    onTime(await client(t).post(url, { deadlineMs: 200 }))
  })

  test('over interim responses without end', async (t) => {
    const { url } = await rawReceiver(t, '', (socket) => drip(t, socket, 'HTTP/1.1 102 Processing\r\n\r\n'))
    onTime(await client(t).post(url, { deadlineMs: 200 }))
  })

  test('over a TLS handshake that never begins', async (t) => {
    const { port } = await listen(t, createNetServer())
    onTime(await client(t).post(`https://127.0.0.1:${port}/`, { deadlineMs: 200 }))
  })

  test('over a name server that never answers', async (t) => {
    const { post } = client(t, { lookup: () => new Promise(() => {}) })
    onTime(await post('https://silent.example.com/', { deadlineMs: 200 }))
  })

  test('a request whose time is up before it is connected is never sent', { timeout: 5_000 }, async (t) => {
    const received: Buffer[] = []
    const server = createNetServer((socket) => socket.on('data', (data) => received.push(data)))
    const { port, sockets } = await listen(t, server)
    const gate = Promise.withResolvers<string[]>()
    const { post } = client(t, { lookup: () => gate.promise })
    onTime(await post(`http://trusted.test:${port}/`, { deadlineMs: 200 }))
    gate.resolve(['127.0.0.1'])
    while (sockets.length === 0) await new Promise(setImmediate)
    await closed(sockets[0]!)
    assert.equal(received.length, 0)
  })

  function drip(t: Ending, socket: Socket, text = 'a') {
    const timer = setInterval(() => socket.write(text), 20)
    t.onTestFinished(() => clearInterval(timer))
  }
})

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

  test('that unpacks to more than maxBytes is cut there, and the connection with it', { timeout: 5_000 }, async (t) => {
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
    ['sends 100 unasked', 'HTTP/1.1 100 Continue\r\n\r\n', 'protocol'],
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

describe('TLS', () => {
  test('the certificate must be trusted and carry the name of the address', async (t) => {
    const server = createTlsServer({ key: testKey, cert: testCertificate }, (_request, response) =>
      response.end('secure'),
    )
    const { port } = await listen(t, server)
    const trustedHosts = ['hooks.test', 'other.test']
    const untrusting = client(t, { trustedHosts })
    assert.equal(reasonOf(await untrusting.post(`https://hooks.test:${port}/`)), 'tls')

    const authorities = tls.getCACertificates('default')
    t.onTestFinished(() => tls.setDefaultCACertificates(authorities))
    tls.setDefaultCACertificates([...authorities, testCertificate])
    const { post } = client(t, { trustedHosts })
    assert.equal(answered(await post(`https://hooks.test:${port}/`)).body.toString(), 'secure')
    assert.equal(reasonOf(await post(`https://other.test:${port}/`)), 'tls')
  })
})

describe('connections', () => {
  test('are kept and used again', async (t) => {
    const { url, sockets } = await receiver(t, (_request, response) => response.end('ok'))
    const { post } = client(t)
    for (let round = 0; round < 20; round++) assert.equal(answered(await post(url)).status, 200)
    assert.equal(sockets.length, 1)
  })

  test('two hundred at once, each on its own, and again on the same', async (t) => {
    const gate = { waiting: [] as (() => void)[] }
    const { url, sockets } = await receiver(t, (_request, response) => {
      // Nobody is answered before all two hundred are here.
      if (gate.waiting.push(() => response.end('ok')) < 200) return
      for (const answer of gate.waiting.splice(0)) answer()
    })
    const { post } = client(t)
    for (let round = 0; round < 3; round++) {
      const outcomes = await Promise.all(Array.from({ length: 200 }, () => post(url)))
      assert.deepEqual([...new Set(outcomes.map(reasonOf))], ['answered 200'])
    }
    assert.equal(sockets.length, 200)
  })

  test('one that the receiver closes while it is idle fails nothing', async (t) => {
    const { url, sockets } = await rawReceiver(t, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', end)
    const { post } = client(t)
    for (let round = 0; round < 10; round++) {
      assert.equal(answered(await post(url)).status, 200)
      await closed(sockets.at(-1)!)
    }
  })

  test('none is kept where the receiver promises no more than a second', async (t) => {
    const { url, sockets } = await rawReceiver(
      t,
      'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok',
    )
    const { post } = client(t)
    for (let round = 0; round < 3; round++) assert.equal(answered(await post(url)).status, 200)
    assert.equal(sockets.length, 3)
  })

  // An origin that stays ends the test by its time limit.
  test('an origin without connections is forgotten, however they ended', { timeout: 5_000 }, async (t) => {
    const { http, post } = client(t)
    const polite = await receiver(t, (_request, response) => response.setHeader('connection', 'close').end())
    const silent = await Promise.all(Array.from({ length: 5 }, () => receiver(t, () => {})))
    const outcomes = await Promise.all([
      post(polite.url),
      ...silent.flatMap(({ url }) => [post(url, { deadlineMs: 50 }), post(url, { deadlineMs: 60 })]),
      post('https://inward.example.com/'),
      post('https://unknown.example.com/'),
    ])
    assert.deepEqual([...new Set(outcomes.map(reasonOf))], ['answered 200', 'timeout', 'refused_address', 'dns'])
    while (http.origins() > 0) await new Promise(setImmediate)
  })

  test('close ends what is under way, connected or not, and what comes after', { timeout: 5_000 }, async (t) => {
    const { url, sockets } = await receiver(t, () => {})
    const handshake = await listen(
      t,
      createNetServer((socket) => socket.resume()),
    )
    const { http, post } = client(t, { lookup: () => new Promise(() => {}) })
    const exchanges = [post(url), post(`https://127.0.0.1:${handshake.port}/`), post('https://silent.example.com/')]
    while (sockets.length + handshake.sockets.length < 2) await new Promise(setImmediate)
    await http.close()
    assert.deepEqual((await Promise.all(exchanges)).map(reasonOf), ['closed', 'closed', 'closed'])
    await closed(handshake.sockets[0]!)
    assert.equal(reasonOf(await post(url)), 'closed')
  })
})

// For hooks.test, valid until 2126, used nowhere else.
const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHi7QhI39gPZ/WGvX
VjCvLE+AwJGOUqwwNHA7Wyw0ImChRANCAATsM5slR2bSHZb3FY4sAD6/EHxPhJ+M
lpWqRsdS9tD3jzp0AGW+L45e6jmoxCcBBNUAAxOUx2NeJ3mJIu7FxIfV
-----END PRIVATE KEY-----`
const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIUemzhHCLKgHNymGj9/eHv2yQHYk4wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKaG9va3MudGVzdDAgFw0yNjExMjEwMDQ5NTFaGA8yMTI2MTAy
ODAwNDk1MVowFTETMBEGA1UEAwwKaG9va3MudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOwzmyVHZtIdlvcVjiwAPr8QfE+En4yWlapGx1L20PePOnQAZb4v
jl7qOajEJwEE1QADE5THY14neYki7sXEh9WjajBoMB0GA1UdDgQWBBT7N1fRKycg
VQ09x3GiP0ef8BpaRDAfBgNVHSMEGDAWgBT7N1fRKycgVQ09x3GiP0ef8BpaRDAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCmhvb2tzLnRlc3QwCgYIKoZIzj0E
AwIDRwAwRAIgHvfHo4JCgd6PJNoH4TDHwqxjPo/OLBXEKsCmGvtnQ9ACIDNA/mK7
CSB449K9gnpgAaQ26/1xf6pElNKnbCv1FFHz
-----END CERTIFICATE-----`

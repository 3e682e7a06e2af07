import assert from 'node:assert/strict'
import { createServer as createNetServer, type Socket } from 'node:net'
import { describe, test } from 'vitest'
import {
  answered,
  client,
  closed,
  type Ending,
  end,
  listen,
  rawReceiver,
  reasonOf,
  receiver,
} from '../testing/exchange.ts'
import type { Outcome } from './http.ts'

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

  test('an interim response that nobody asked for is no answer yet; the connection serves the next request', async (t) => {
    const interim = ['100 Continue', '102 Processing', '103 Early Hints\r\nlink: </a>', '199 Whatever', '100 ']
    const heads = interim.map((head) => `HTTP/1.1 ${head}\r\n\r\n`).join('')
    const { url, sockets } = await rawReceiver(t, `${heads}HTTP/1.1 200 OK\r\nx: y\r\ncontent-length: 2\r\n\r\nok`)
    const { post } = client(t)
    for (let round = 0; round < 3; round++) {
      const { status, headers, body } = answered(await post(url))
      assert.deepEqual([status, headers.x, headers.link, body.toString()], [200, 'y', undefined, 'ok'])
    }
    assert.equal(sockets.length, 1)
  })

  test('an interim response that is cut anywhere is no answer yet', async (t) => {
    const { url } = await receiver(t, (_request, { socket }) => {
      const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
      let at = 0
      const next = () => {
        if (at < text.length) socket?.write(text[at++]!, () => setImmediate(next))
      }
      socket?.setNoDelay()
      next()
    })
    assert.equal(answered(await client(t).post(url)).status, 204)
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

describe('connections', () => {
  test('are kept and used again', async (t) => {
    const { url, sockets } = await receiver(t, (_request, response) => response.end('ok'))
    const { post } = client(t)
    for (let round = 0; round < 20; round++) assert.equal(answered(await post(url)).status, 200)
    assert.equal(sockets.length, 1)
  })

  test('two hundred at once for twenty subscriptions of one origin, each on its own, and again on the same', async (t) => {
    const gate = { waiting: [] as (() => void)[] }
    const { url, sockets } = await receiver(t, (_request, response) => {
      // The server answers only when all two hundred are here.
      if (gate.waiting.push(() => response.end('ok')) < 200) return
      for (const answer of gate.waiting.splice(0)) answer()
    })
    const { post } = client(t)
    for (let round = 0; round < 3; round++) {
      const outcomes = await Promise.all(Array.from({ length: 200 }, (_, nth) => post(url, { sharing: `${nth % 20}` })))
      assert.deepEqual([...new Set(outcomes.map(reasonOf))], ['answered 200'])
    }
    assert.equal(sockets.length, 200)
  })

  test('requests that hang hold up only those that share their connections', async (t) => {
    const { url, sockets } = await receiver(t, (request, response) => {
      if (request.url === '/hang') return
      response.end('ok')
    })
    const { post } = client(t)
    const hanging = Array.from({ length: 40 }, () => post(`${url}hang`, { sharing: 'slow', deadlineMs: 2_000 }))
    assert.equal(answered(await post(url, { sharing: 'quick' })).status, 200)
    // At most 32 of those that hang; later the first that end let others begin.
    assert.ok(sockets.length <= 33, String(sockets.length))
    assert.deepEqual([...new Set((await Promise.all(hanging)).map(reasonOf))], ['timeout'])
    assert.ok(sockets.length >= 33, String(sockets.length))
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

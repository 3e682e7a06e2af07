// The refusals over HTTP before a message reaches the protocol: every row, with status, headers and body.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { askMcp, type McpAnswer, mcpMessage, postMcp, revisions } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest({ env: { MCP_ALLOWED_ORIGINS: 'https://app.example.com' } })

const ping = JSON.stringify(mcpMessage('tools/list').body)

function assertError({ status, headers, body }: McpAnswer, expected: number, code: number = expected) {
  assert.equal(status, expected, JSON.stringify(body))
  assert.equal(headers.get('content-type'), 'application/json')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-request-id')!, /^req_/)
  assert.deepEqual([body.jsonrpc, body.error.code, typeof body.error.message], ['2.0', code, 'string'])
  assert.equal(body.id, undefined)
}

for (const revision of revisions) {
  test(`${revision}: a request is answered as JSON, never as a stream, whatever it accepts`, async ({
    service,
    key,
  }) => {
    for (const accept of ['application/json, text/event-stream', '*/*', 'text/event-stream', 'text/html', '']) {
      const answer = await askMcp(service, 'tools/list', {}, { key, revision, headers: { accept } })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('content-type'), 'application/json')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('mcp-session-id'), null)
      assert.equal(answer.body.id, 1)
      assert.ok(answer.body.result.tools.length > 0)
    }
  })
}

test('notifications and responses are taken without an answer', async ({ service, key }) => {
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: 7, error: { code: -1, message: 'no' } },
  ]) {
    const answer = await postMcp(service, JSON.stringify(message), { key })
    assert.deepEqual([answer.status, answer.text], [202, ''], JSON.stringify(message))
    assert.match(answer.headers.get('ratelimit')!, /^"quota";r=/)
    const bad = await postMcp(service, JSON.stringify(message), { key: `${key}x` })
    assertError(bad, 401)
  }
})

test('a batch, and what is no message, is an invalid request', async ({ service, key }) => {
  for (const body of [
    `[${ping}]`,
    '[]',
    'null',
    '7',
    '"x"',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  ]) {
    assertError(await postMcp(service, body, { key }), 400, -32600)
  }
})

test('a body that is not JSON is a parse error', async ({ service, key }) => {
  for (const body of ['', '{', 'nonsense', '{"a":']) assertError(await postMcp(service, body, { key }), 400, -32700)
})

test('a body may have 256 KB and no more', async ({ service, key }) => {
  const padded = (bytes: number) => ping + ' '.repeat(bytes - ping.length)
  assert.equal((await postMcp(service, padded(256 * 1024), { key })).status, 200)
  assertError(await postMcp(service, padded(256 * 1024 + 1), { key }), 413)
})

test('only JSON is taken; an absent content type is taken for it', async ({ service, key }) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-rpc', 'multipart/json']) {
    assertError(await postMcp(service, ping, { key, headers: { 'content-type': type } }), 415)
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await postMcp(service, ping, { key, headers: { 'content-type': type } })).status, 200)
  }
  const bytes = new TextEncoder().encode(ping)
  const untyped = await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: bytes,
  })
  assert.equal(untyped.status, 200)
})

test('every other method is refused without asking for a key', async ({ service }) => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const response = await fetch(`${service.baseUrl}/mcp`, { method })
    const text = await response.text()
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    if (method !== 'HEAD') assert.equal(JSON.parse(text).error.code, 405)
  }
})

test('a page of an allowed origin may ask; every other one is refused', async ({ service, key }) => {
  const preflight = (origin?: string) =>
    fetch(`${service.baseUrl}/mcp`, { method: 'OPTIONS', headers: origin === undefined ? {} : { origin } })
  const port = new URL(service.baseUrl).port
  for (const origin of [
    service.baseUrl,
    'https://app.example.com',
    'http://localhost:5173',
    'https://localhost',
    'http://[::1]:9',
    `http://127.0.0.1:${Number(port) + 1}`,
  ]) {
    const answer = await preflight(origin)
    assert.equal(answer.status, 204, origin)
    assert.equal(await answer.text(), '')
    assert.equal(answer.headers.get('access-control-allow-origin'), origin)
    assert.equal(answer.headers.get('access-control-allow-methods'), 'POST')
    assert.equal(
      answer.headers.get('access-control-allow-headers'),
      'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name',
    )
    assert.match(answer.headers.get('access-control-expose-headers')!, /X-Request-Id.*RateLimit.*Retry-After/)
    assert.equal(answer.headers.get('vary'), 'Origin')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const post = await postMcp(service, ping, { key, headers: { origin } })
    assert.equal(post.status, 200)
    assert.equal(post.headers.get('access-control-allow-origin'), origin)
    assert.equal(post.headers.get('vary'), 'Origin')
  }
  for (const origin of [
    'null',
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'app.example.com',
    'x',
  ]) {
    const answer = await preflight(origin)
    assert.equal(answer.status, 403, origin)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assertError(await postMcp(service, ping, { key, headers: { origin } }), 403)
  }
  assert.equal((await preflight()).status, 403)
})

/** `fetch` does not let a test choose the Host. */
const statusAt = (baseUrl: string, host: string, key: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const request = httpRequest(`${baseUrl}/mcp`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    request.on('error', reject).end(ping)
  })

test('a service of this machine answers only under its own names', async ({ service, key }) => {
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:1', '[::1]', '[::1]:3000']) {
    assert.equal(await statusAt(service.baseUrl, host, key), 200, host)
  }
  for (const host of [
    'evil.example.com',
    'localhost.evil.com',
    '10.0.0.1',
    '127.0.0.1.nip.io:3000',
    'evil.com@localhost',
  ]) {
    assert.equal(await statusAt(service.baseUrl, host, key), 403, host)
  }
})

test('a service with a public address has any Host, and no loopback origins', async ({ service, key }) => {
  const { config } = service.app
  const local = config.baseUrl
  config.baseUrl = 'https://calendar.example.com'
  try {
    assert.equal(await statusAt(local, 'internal.proxy', key), 200)
    const origins = {
      'https://calendar.example.com': 200,
      'http://localhost:5173': 403,
      'http://calendar.example.com': 403,
    }
    for (const [origin, status] of Object.entries(origins)) {
      const answer = await fetch(`${local}/mcp`, {
        method: 'POST',
        headers: { origin, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: ping,
      })
      await answer.text()
      assert.equal(answer.status, status, origin)
    }
  } finally {
    config.baseUrl = local
  }
})

test('what is wrong is refused in one order', async ({ service, key }) => {
  const all = { origin: 'null', 'content-type': 'text/plain' }
  const { origin: _, ...typed } = all
  const query = '?profil=x'
  const big = ' '.repeat(300_000)
  const post = (raw: string, options: Parameters<typeof postMcp>[2]) => postMcp(service, raw, options)
  assert.equal((await post(big, { query, headers: all })).status, 403)
  assert.equal((await post(big, { query, headers: typed })).status, 401)
  assert.equal((await post(big, { key: 'nonsense', query, headers: typed })).status, 401)
  assertError(await post(big, { key, query, headers: typed }), 400, -32600)
  assertError(await post(big, { key, headers: typed }), 415)
  assertError(await post(big, { key }), 413)
  // A key that has the right form is looked up last.
  const unknown = `${key.slice(0, -4)}none`
  assertError(await post('{', { key: unknown }), 400, -32700)
  assertError(await post('[]', { key: unknown }), 400, -32600)
  assertError(await post(ping, { key: unknown }), 401)
})

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { makeAgentKey } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { inputTest } from '../../src/testing/inputs.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { routes } from '../routes.ts'
import type { Method, Route } from './route.ts'

const test = inputTest()

test('an unknown route is 404, whoever asks', async ({ call, key }) => {
  for (const path of [
    '/v1',
    '/v1/',
    '/v2/agents',
    '/v1/agentz',
    '/v1/agents/x/y/z',
    '/v1/admin',
    '/v1/admin/orgs/x/y',
    '/favicon.ico',
    '/.env',
    '//v1/agents',
  ]) {
    for (const options of [{}, { key }]) assertRefused(await call('GET', path, options), 404, 'not_found')
    assertRefused(await call('POST', path, { key, body: {} }), 404, 'not_found')
  }
})

test('a path may have capital letters and a slash at its end', async ({ call, key }) => {
  for (const path of ['/V1/Agents', '/v1/agents/', '/v1/AGENTS?limit=1']) {
    assert.equal((await call('GET', path, { key })).status, 200, path)
  }
})

test('a path of operators has small letters only: a proxy that closes it is not passed by others', async ({
  service,
  call,
}) => {
  const headers = { authorization: `Bearer ${adminToken}` }
  for (const path of ['/v1/admin/orgs', '/admin/queues']) {
    assert.equal((await call('GET', path)).status, 401, path)
    for (const other of [path.toUpperCase(), path.replace('/admin', '/Admin'), path.replace('admin', '%61dmin')])
      assert.equal((await fetch(service.baseUrl + other, { headers })).status, 404, other)
  }
})

test('a target that is no path is 404', async ({ service }) => {
  const { port } = new URL(service.baseUrl)
  const status = await new Promise((resolve, reject) => {
    const asked = request({ port, method: 'OPTIONS', path: '*' }, (answer) => resolve(answer.resume().statusCode))
    asked.on('error', reject).end()
  })
  assert.equal(status, 404)
})

const pathOf = (route: Route) => route.path.replace(/:\w+/g, 'x')

test('a method that a path does not have is 405 with those it has', async ({ call }) => {
  for (const [path, group] of Map.groupBy(routes, pathOf)) {
    const allowed = group.map(({ method }) => method.toUpperCase())
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const answer = await call(method, path)
      assertRefused(answer, 405, 'bad_request')
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted(), `${method} ${path}`)
    }
  }
})

test('every route but the public ones asks who one is before anything else', async ({ call }) => {
  for (const route of routes) {
    if (route.access === 'public') continue
    const raw = route.method === 'get' ? undefined : '{'
    assertRefused(await call(route.method.toUpperCase(), pathOf(route), { raw }), 401, 'authentication_error')
  }
})

test('every route of the organization refuses an agent key, before it looks at anything else', async ({
  service,
  call,
  key,
  agent,
}) => {
  const agentKey = await makeAgentKey(service, key, agent.id)
  const organizational = routes.filter(({ access }) => access === 'organization')
  assert.ok(organizational.length > 5)
  for (const route of organizational) {
    const raw = route.method === 'get' ? undefined : '{'
    const answer = await call(route.method.toUpperCase(), pathOf(route), { key: agentKey, raw })
    assertRefused(answer, 403, 'forbidden')
  }
})

test("the administration refuses every key, and every other route the administrator's token", async ({ call, key }) => {
  for (const route of routes) {
    if (route.access === 'public') continue
    const wrong = route.access === 'admin' ? key : adminToken
    const answer = await call(route.method.toUpperCase(), pathOf(route), { key: wrong })
    assertRefused(answer, 401, 'authentication_error')
  }
})

test('escapes that are none, and paths of any other kind, are not found', async ({ call, key }) => {
  for (const id of [
    '%',
    '%E0%A4%A',
    '%ZZ',
    '%c0%ae',
    '%ff',
    '%00',
    '%2F',
    '%0a',
    '%F0%9F%98%80',
    "'",
    '"',
    '<',
    '~',
    ':id',
    'agt_%20',
  ]) {
    for (const path of [`/v1/agents/${id}`, `/v1/calendars/${id}/events`, `/v1/webhooks/${id}`, `/v1/keys/${id}`]) {
      const method = path.startsWith('/v1/keys') ? 'DELETE' : 'GET'
      const answer = await call(method, path, { key })
      const code = answer.body.error.code
      assertRefused(answer, 404, 'not_found', code ? { code } : {})
    }
  }
})

test('a slash at the end of a path changes nothing', async ({ call, key, agent }) => {
  assert.equal((await call('GET', `/v1/agents/${agent.id}/`, { key })).body.id, agent.id)
  assert.equal((await call('GET', '/v1/agents/', { key })).status, 200)
})

/** As `fetch` would not send it. */
function head(
  url: string,
  authorization: string,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'HEAD', headers: { authorization } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, bytes }))
    })
    sent.on('error', reject).end()
  })
}

test('HEAD answers like GET, without the body', async ({ service, key, agent }) => {
  const authorization = `Bearer ${key}`
  for (const [path, status] of [
    ['/v1/agents', 200],
    [`/v1/agents/${agent.id}`, 200],
    ['/v1/agents/x', 404],
    ['/v1/agents?limit=0', 400],
    ['/healthz', 200],
    ['/docs', 200],
    ['/openapi.json', 200],
    ['/nowhere', 404],
    ['/v1/keys/x', 405],
  ] as const) {
    const answer = await head(service.baseUrl + path, authorization)
    assert.deepEqual([answer.status, answer.bytes], [status, 0], path)
    assert.match(String(answer.headers['x-request-id']), /^req_/)
    assert.ok(Number(answer.headers['content-length']) > 0, path)
  }
  assert.equal((await head(`${service.baseUrl}/v1/agents`, 'Bearer svc_sk_nobody-has-this')).status, 401)
})

test('no answer tells what the service is made of', async ({ call, key, postAgent }) => {
  const answers = [
    await call('GET', '/v1/agents', { key }),
    await postAgent({ raw: '{' }),
    await call('GET', '/nowhere'),
  ]
  for (const { headers, body } of answers) {
    assert.equal(headers.get('x-powered-by'), null)
    assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts\b|postgres|express|at \w+ \(/i)
  }
})

const verbs: Method[] = ['get', 'post', 'put', 'patch', 'delete']

test('the table names each route once, with a method that HTTP has', () => {
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
  for (const { method } of routes) assert.ok(verbs.includes(method))
})

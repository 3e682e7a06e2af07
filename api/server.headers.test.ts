// The headers of every answer, for every caller and route.
import assert from 'node:assert/strict'
import { makeAccount } from '../src/testing/accounts.ts'
import { makeAgent, makeCalendar } from '../src/testing/factories.ts'
import { adminToken } from '../src/testing/harness.ts'
import { serviceTest } from '../src/testing/test.ts'
import { routes } from './routes.ts'

const test = serviceTest()

test('no answer is to be taken for something else: not one of a route, of a page, an error or a 304', async ({
  service,
  call,
  key,
}) => {
  const { ical_url } = await makeCalendar(service, key)
  const feed = new URL(ical_url).pathname
  const etag = (await call('GET', feed)).headers.get('etag')!
  const asked = [
    ...(await Promise.all(routes.map(({ method, path }) => call(method.toUpperCase(), path.replace(/:\w+/g, 'x'))))),
    ...(await Promise.all(
      ['/', '/healthz', '/readyz', '/openapi.json', '/docs', '/docs/quickstart', '/docs/assets/text.css']
        .concat(['/docs/assets/none', '/pages/booking.css', '/nothing', '/%zz', feed])
        .map((path) => call('GET', path)),
    )),
    await call('GET', feed, { headers: { 'if-none-match': etag } }),
    await call('PUT', '/healthz'),
    await call('GET', '/book/none', { headers: { accept: 'text/html' } }),
  ]
  assert.ok(asked.some(({ status }) => status === 304))
  for (const { status, headers } of asked) assert.equal(headers.get('x-content-type-options'), 'nosniff', `${status}`)
})

test('answers with keys, secrets and what is in calendars stay out of caches', async ({ service, call, key }) => {
  const agent = await makeAgent(service, key)
  const { token } = await makeAccount(service)
  const answers = {
    agent: await call('GET', `/v1/agents/${agent.id}`, { key }),
    calendars: await call('GET', '/v1/calendars', { key }),
    key: await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } }),
    webhook: await call('POST', '/v1/webhooks', {
      key,
      body: { url: 'https://receiver.example.com/', events: ['event.created'] },
    }),
    organization: await call('POST', '/v1/admin/orgs', {
      key: adminToken,
      body: { name: 'Secret', email: 'owner@example.com', plan: 'free' },
    }),
    account: await call('GET', '/v1/auth/me', { key: token }),
    firstKey: await call('POST', '/v1/auth/keys', { key: token }),
    nextKey: await call('POST', '/v1/auth/keys/regenerate', { key: token }),
    refusal: await call('GET', '/v1/agents', { key: 'svc_sk_nobody_has_this_key' }),
  }
  for (const [what, { status, headers }] of Object.entries(answers)) {
    assert.equal(headers.get('cache-control'), 'no-store', `${what}: ${status}`)
  }
  for (const what of ['key', 'webhook', 'organization', 'firstKey', 'nextKey'] as const) {
    assert.ok([200, 201].includes(answers[what].status), what)
  }
})

test('what may be cached says so itself', async ({ call }) => {
  for (const path of ['/v1/plans', '/v1/auth/terms/current']) {
    assert.match((await call('GET', path)).headers.get('cache-control')!, /^public, max-age=\d+/, path)
  }
})

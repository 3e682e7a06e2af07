// A booking page before it exists: HTML as a guest would see it. Nothing is stored.
import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
const path = '/v1/booking-pages/preview'

test('a page is shown as a guest would see it, for a frame of our own pages, and stored nowhere', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  const calendar = await makeCalendar(service, key)
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ calendar_id: calendar.id, title: 'A <b>call</b>', host_name: 'Ada', duration_minutes: 45 },
      ...{ timezone: 'UTC', availability_constraints: { tue: { start: '09:00', end: '12:00' } } },
    }),
  })
  const html = await answer.text()
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  const policy = answer.headers.get('content-security-policy')!
  assert.match(policy, /frame-ancestors 'self'$/)
  assert.match(html, /<h1 dir="auto">A &lt;b&gt;call&lt;\/b&gt;<\/h1>/)
  assert.match(html, /Ada/)
  assert.match(html, /<bdi>09:00|<bdi>9:00/)
  assert.doesNotMatch(html, /<script/)
  // Links lead nowhere.
  for (const [, href] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) assert.match(href!, /^#/)
  for (const list of ['/v1/booking-pages', '/v1/audit-log?action=calendar.update']) {
    assert.deepEqual((await call('GET', list, { key })).body.data, [], list)
  }
  // An address that is free here is free for the page itself.
  const body = { calendar_id: calendar.id, title: 'Call', vanity_slug: 'ada-call' }
  assert.equal((await call('POST', path, { key, body })).status, 200)
  assert.equal((await call('POST', '/v1/booking-pages', { key, body })).status, 201)
  assertRefused(await call('POST', path, { key, body }), 409, 'conflict', { param: 'vanity_slug' })
})

test('it is refused as the page would be', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  const { key: stranger } = await makeOrganization(service, { plan: 'pro' })
  const agent = await makeAgent(service, key)
  const other = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const otherKey = await makeAgentKey(service, key, other.id)
  const good = { calendar_id: calendar.id, title: 'Call' }
  const wrong = [
    { ...good, title: '' },
    { ...good, unknown: 1 },
    { ...good, duration_minutes: 1 },
    { ...good, availability_constraints: { mon: { start: '12:00', end: '09:00' } } },
    { ...good, vanity_slug: 'admin' },
    { ...good, calendar_id: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd' },
  ]
  const both = async (by: string, body: object) => {
    const [shown, made] = await Promise.all(
      [path, '/v1/booking-pages'].map((to) => call('POST', to, { key: by, body })),
    )
    const { request_id: _, ...error } = shown!.body.error
    const { request_id: __, ...expected } = made!.body.error
    assert.deepEqual([shown!.status, error], [made!.status, expected], JSON.stringify(body))
  }
  for (const body of wrong) await both(key, body)
  for (const by of [stranger, otherKey]) await both(by, good)
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  await both(key, good)
})

test('by the cookie it costs no call, and another site cannot ask for it', async ({ service, call }) => {
  const { orgId, token, cookie } = await makeAccount(service)
  const body = { plan: 'custom', limits: { api_calls: 1 } }
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body })
  const calendar = await makeCalendar(service, token)
  const show = (headers: Record<string, string>) =>
    call('POST', path, { headers: { cookie, ...headers }, body: { calendar_id: calendar.id, title: 'Call' } })
  assert.equal((await show({})).status, 200)
  assertRefused(await show({ 'sec-fetch-site': 'cross-site' }), 403, 'forbidden')
  assert.equal((await call('GET', '/v1/usage', { headers: { cookie } })).body.api_calls.used, 1)
})

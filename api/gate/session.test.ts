// A console session on the routes that take a key: it may do what its organization's key may, and consumes the same budgets.
import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { withoutRedis } from '../../src/testing/withoutRedis.ts'

const newAgent = { name: 'A', type: 'ai' }

const test = serviceTest()
  .extend(
    'give',
    perFile,
    ({ call }) =>
      (orgId: string, body: object) =>
        call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body }),
  )
  /** With a rate limit that no test reaches, unless `body` sets another. */
  .extend('openAccount', perFile, ({ service, give }) => async (body: object = { plan: 'pro' }) => {
    const account = await makeAccount(service)
    assert.equal((await give(account.orgId, { rate_limit_per_second: 100_000, ...body })).status, 200)
    return account
  })

test('a session reads and changes only what its own organization has', async ({ service, call, openAccount }) => {
  const { orgId, token } = await openAccount()
  const stranger = await makeOrganization(service)
  const foreign = await makeAgent(service, stranger.key)
  const foreignCalendar = await makeCalendar(service, stranger.key, foreign.id)
  const foreignEvent = await makeEvent(service, stranger.key, foreignCalendar.id)

  const agent = await makeAgent(service, token)
  assert.equal(agent.orgId, orgId)
  const calendar = await makeCalendar(service, token, agent.id)
  const event = await makeEvent(service, token, calendar.id)
  assert.deepEqual((await call('GET', `/v1/events/${event.id}`, { key: token })).body, event)
  assert.equal((await call('GET', '/v1/agents', { key: token })).body.total, 1)
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  assert.deepEqual(
    (await call('GET', '/v1/calendars?include=all', { key })).body,
    (await call('GET', '/v1/calendars?include=all', { key: token })).body,
  )
  for (const [path, code] of [
    [`/v1/agents/${foreign.id}`],
    [`/v1/calendars/${foreignCalendar.id}`, 'calendar_not_found'],
    [`/v1/events/${foreignEvent.id}`, 'event_not_found'],
  ] as const) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? (path.includes('events') ? { title: 'x' } : { name: 'x' }) : undefined
      assertRefused(await call(method, path, { key: token, body }), 404, 'not_found', code && { code })
    }
  }
})

test('a session creates keys of agents, as the key of the organization does', async ({
  service,
  call,
  openAccount,
}) => {
  const { token } = await openAccount()
  const agent = await makeAgent(service, token)
  const { status, body } = await call('POST', '/v1/keys', { key: token, body: { agent_id: agent.id } })
  assert.equal(status, 201)
  assert.equal((await call('GET', '/v1/agents', { key: body.key })).body.total, 1)
  assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key: token })).status, 204)
  assertRefused(await call('GET', '/v1/agents', { key: body.key }), 401, 'authentication_error')
})

test('the cookie works like the token, but another site changes nothing with it', async ({ call, openAccount }) => {
  const { cookie } = await openAccount()
  const send = (method: string, headers: Record<string, string>) =>
    call(method, '/v1/agents', { headers: { cookie, ...headers }, ...(method === 'POST' && { body: newAgent }) })
  assert.equal((await send('POST', {})).status, 201)
  assert.equal((await send('POST', { 'sec-fetch-site': 'same-origin' })).status, 201)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) assertRefused(await send('POST', headers), 403, 'forbidden')
  assert.equal((await send('GET', { 'sec-fetch-site': 'cross-site' })).body.total, 2)
})

test('without Origin and Sec-Fetch-Site the cookie writes only what no page can send unasked', async ({
  service,
  call,
  openAccount,
}) => {
  const { cookie } = await openAccount()
  const agent = JSON.stringify(newAgent)
  const post = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${service.baseUrl}${path}`, { method: 'POST', headers: { cookie, ...headers }, body })
  const { origin } = new URL(service.baseUrl)
  const plain = { 'content-type': 'text/plain' }
  for (const path of ['/v1/auth/keys', '/v1/agents', '/v1/auth/signout']) {
    for (const type of [plain, { 'content-type': 'application/x-www-form-urlencoded' }]) {
      assert.equal((await post(path, type, agent)).status, 403, path)
    }
    const refused = await post(path, {})
    assert.deepEqual([refused.status, (await refused.json()).error.type], [403, 'forbidden'], path)
  }
  assert.equal((await call('GET', '/v1/agents', { headers: { cookie } })).body.total, 0)
  const made = await post('/v1/agents', { 'content-type': 'application/json; charset=utf-8' }, agent)
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { id: string }
  assert.equal((await call('DELETE', `/v1/agents/${id}`, { headers: { cookie } })).status, 204)
  assert.equal((await post('/v1/auth/keys', { 'sec-fetch-site': 'same-origin' })).status, 201)
  assert.equal((await post('/v1/auth/signout', { origin })).status, 204)
})

test('a key beside the cookie decides, also when it is wrong', async ({ service, call, openAccount }) => {
  const { cookie } = await openAccount()
  const { key } = await makeOrganization(service)
  await makeAgent(service, key)
  assert.equal((await call('GET', '/v1/agents', { key, headers: { cookie } })).body.total, 1)
  const wrong = await call('GET', '/v1/agents', { key: `svc_sk_${'x'.repeat(43)}`, headers: { cookie } })
  assertRefused(wrong, 401, 'authentication_error')
})

test('a session ends with the sign-out and after twelve hours, on every process', async ({
  service,
  second,
  call,
  openAccount,
}) => {
  const { email, token } = await openAccount()
  const other = (await call('POST', '/v1/auth/signin', { body: { email, password } })).body.token
  assert.equal((await second.call('GET', '/v1/agents', { key: token })).status, 200)
  await call('POST', '/v1/auth/signout', { key: token })
  for (const process of [service, second]) {
    const refusal = await process.call('GET', '/v1/agents', { key: token })
    assertRefused(refusal, 401, 'authentication_error')
    assert.match(refusal.body.error.message, /session .* signed out\. Sign in again\./)
    assert.equal((await process.call('GET', '/v1/agents', { key: other })).status, 200)
  }
  await service.clock.advance(12 * 3_600_000)
  assertRefused(await call('POST', '/v1/agents', { key: other, body: newAgent }), 401, 'authentication_error')
})

test('a session is refused for the same reasons as a key, in the same order', async ({ call, openAccount, give }) => {
  const { orgId, token } = await openAccount({ plan: 'free' })
  assertRefused(await call('GET', '/v1/keys', { key: token }), 403, 'plan_required', { feature: 'scoped_keys' })
  await give(orgId, { is_waitlisted: true })
  for (const [method, path] of [
    ['GET', '/v1/agents'],
    ['POST', '/v1/agents'],
    ['GET', '/v1/keys'],
    ['GET', '/v1/usage'],
  ] as const) {
    assertRefused(await call(method, path, { key: token }), 403, 'account_waitlisted')
  }
  assert.equal((await call('GET', '/v1/auth/me', { key: token })).status, 200)
  await give(orgId, { is_waitlisted: false })
  assert.equal((await call('GET', '/v1/agents', { key: token })).status, 200)
})

test('a change of plan takes effect with the next request, on every process', async ({ second, openAccount, give }) => {
  const { orgId, token } = await openAccount({ plan: 'free' })
  for (const plan of ['pro', 'free', 'pro']) {
    await give(orgId, { plan })
    const { status } = await second.call('GET', '/v1/keys', { key: token })
    assert.equal(status, plan === 'pro' ? 200 : 403)
  }
})

test('a session spends calls and budgets like a key, and the headers say what is left', async ({
  service,
  call,
  openAccount,
}) => {
  const limits = { api_calls: 5, events: 1 }
  const { orgId, token } = await openAccount({ plan: 'custom', limits })
  const calendar = await makeCalendar(service, token)
  const first = await call('GET', '/v1/agents', { key: token })
  assert.match(first.headers.get('ratelimit-policy') ?? '', new RegExp(`q=5;w=2592000;pk=${orgId}$`))
  assert.match(first.headers.get('ratelimit') ?? '', /r=3;/)
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  const event = { title: 'E', start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T10:00:00Z' }
  const path = `/v1/calendars/${calendar.id}/events`
  assert.equal((await call('POST', path, { key: token, body: event })).status, 201)
  // The events of the month are the organization's, no matter who makes them.
  assertRefused(await call('POST', path, { key, body: event }), 429, 'quota_exceeded')
  assert.equal((await call('GET', '/v1/agents', { key: token })).status, 200)
  assertRefused(await call('GET', '/v1/agents', { key: token }), 429, 'quota_exceeded')
  // Requests for sessions alone stay free.
  assert.equal((await call('GET', '/v1/auth/me', { key: token })).status, 200)
  assert.equal((await call('POST', '/v1/auth/keys/regenerate', { key: token })).status, 201)
})

test('all sessions of an account share its requests per second, and use none of a key', async ({
  service,
  second,
  call,
  openAccount,
}) => {
  const { orgId, email, token } = await openAccount({ plan: 'pro', rate_limit_per_second: 3 })
  const other = (await call('POST', '/v1/auth/signin', { body: { email, password } })).body.token
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  for (const by of [token, other, token]) assert.equal((await call('GET', '/v1/agents', { key: by })).status, 200)
  for (const process of [service, second]) {
    const refusal = await process.call('GET', '/v1/agents', { key: other })
    assertRefused(refusal, 429, 'rate_limit_error')
    assert.equal(refusal.headers.get('retry-after'), '1')
  }
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
  const another = await openAccount({ plan: 'pro', rate_limit_per_second: 3 })
  assert.equal((await call('GET', '/v1/agents', { key: another.token })).status, 200, orgId)
  await service.clock.advance(1_000)
  assert.equal((await call('GET', '/v1/agents', { key: other })).status, 200)
})

test('the audit log names the account as the actor, and no key', async ({ service, call, openAccount }) => {
  const { email, token } = await openAccount()
  const agent = await makeAgent(service, token)
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  const byKey = await makeAgent(service, key)
  const { data } = (await call('GET', '/v1/audit-log?action=agent.create', { key: token })).body
  assert.deepEqual(
    data.map((entry: Record<string, unknown>) => [entry.resource, entry.actor_account, entry.actor_key_prefix]),
    [
      [byKey.id, undefined, key.slice(0, 20)],
      [agent.id, email, null],
    ],
  )
  assert.equal(data[1].agent_id, null)
  const [made] = (await call('GET', '/v1/audit-log?action=key.create', { key: token })).body.data
  assert.deepEqual([made.actor_account, made.actor_key_prefix, made.path], [email, null, '/v1/auth/keys'])
})

test('without Redis a session still reads and changes, within its quota', async ({ service, call, openAccount }) => {
  const { token } = await openAccount({ plan: 'custom', limits: { api_calls: 2 } })
  const { redis } = service.app
  await withoutRedis([redis], async () => {
    assert.equal((await call('POST', '/v1/agents', { key: token, body: newAgent })).status, 201)
    assert.equal((await call('GET', '/v1/agents', { key: token })).body.total, 1)
    assertRefused(await call('GET', '/v1/agents', { key: token }), 429, 'quota_exceeded')
  })
})

test('a refusal says which credential is missing, wrong or in the wrong place', async ({
  service,
  call,
  openAccount,
}) => {
  const { key } = await makeOrganization(service)
  const { token } = await openAccount()
  const [head, claims] = token.split('.')
  const said = async (path: string, headers: Record<string, string>) => {
    const answer = await call('GET', path, { headers })
    assertRefused(answer, 401, 'authentication_error')
    return answer.body.error.message as string
  }
  assert.match(await said('/v1/agents', {}), /^Send an API key: Authorization: Bearer svc_sk_…$/)
  assert.match(
    await said('/v1/agents', { 'x-api-key': key }),
    /^X-API-Key is not supported\. Send the key as Authorization/,
  )
  assert.match(await said('/v1/agents', { authorization: `Token ${key}` }), /malformed\. Send Bearer and an API key/)
  assert.match(
    await said('/v1/agents', { authorization: `Bearer ${head}.${claims}.x` }),
    /^This session does not exist/,
  )
  assert.match(await said('/v1/agents', { cookie: 'svc_session=x' }), /^This session does not exist/)
  assert.match(await said('/v1/auth/me', {}), /^This needs a console session\. Sign in with POST \/v1\/auth\/signin/)
  assert.match(await said('/v1/auth/me', { authorization: `Bearer ${key}` }), /An API key does not work here/)
})

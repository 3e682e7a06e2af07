import assert from 'node:assert/strict'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { gateTest, quotaOf, times, withStatus } from '../../src/testing/gate.ts'
import { adminToken, type TestService, testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = gateTest()
const periodSeconds = 30 * 24 * 60 * 60

/** For an organization that was created at the set time. */
const quotaPeriodEnd = ({ clock }: TestService) => clock.now().getTime() + periodSeconds * 1000

test('every answer to a key carries RateLimit-Policy and RateLimit, errors included', async ({ service, call }) => {
  const { id, key } = await makeOrganization(service)
  await service.clock.advance(90_000)
  const requests: [status: number, method: string, path: string, body?: object][] = [
    [200, 'GET', '/v1/agents'],
    [201, 'POST', '/v1/agents', { name: 'A', type: 'ai' }],
    [400, 'POST', '/v1/agents', {}],
    [404, 'GET', '/v1/agents/x'],
    [404, 'DELETE', '/v1/calendars/x'],
  ]
  let remaining = 1_000_000
  for (const [status, method, path, body] of requests) {
    const answer = await call(method, path, { key, body })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('ratelimit-policy'), `"quota";q=1000000;w=2592000;pk=${id}`)
    remaining -= 1
    assert.equal(answer.headers.get('ratelimit'), `"quota";r=${remaining};t=${periodSeconds - 90}`)
  }
})

test('refusals by the gate itself carry them, too', async ({ service, call, read }) => {
  const { id, key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 4 } })
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const forbidden = await call('GET', '/v1/keys', { key: agentKey })
  assertRefused(forbidden, 403, 'forbidden')
  assert.equal(quotaOf(forbidden).remaining, 1)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: true } })
  const waitlisted = await read(key)
  assertRefused(waitlisted, 403, 'account_waitlisted')
  assert.equal(quotaOf(waitlisted).remaining, 0)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: false } })
  const exhausted = await read(key)
  assertRefused(exhausted, 429, 'quota_exceeded')
  assert.equal(quotaOf(exhausted).remaining, 0)
  assert.match(exhausted.headers.get('ratelimit-policy') ?? '', /^"quota";q=4;w=2592000;pk=org_/)
})

test('where the calls are unlimited, and where nobody is known, both are omitted', async ({ service, call, read }) => {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const answers = [
    await read(key),
    await read('svc_sk_nobody-has-this-key'),
    await call('GET', '/v1/admin/orgs', { key: adminToken }),
    await call('GET', '/healthz'),
    await call('GET', '/v1/nothing', { key }),
  ]
  for (const { headers } of answers) {
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null])
  }
})

test('every answer names its request, and the body of an error says the same', async ({ service, call, read }) => {
  const { key } = await makeOrganization(service)
  const answers = [
    await read(key),
    await call('GET', '/healthz'),
    await call('GET', '/readyz'),
    await call('GET', '/docs'),
    await call('GET', '/docs/assets/text.css'),
    await call('GET', '/openapi.json'),
    await call('DELETE', '/v1/agents', { key }),
    await call('GET', '/nowhere'),
    await call('GET', '/v1/agents/%E0%A4%A', { key }),
    await call('POST', '/v1/agents', { key, raw: '{' }),
    await call('GET', '/v1/agents', { headers: { 'x-request-id': 'req_of_the_client' } }),
  ]
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  for (const id of ids) assert.match(id ?? '', /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(new Set(ids).size, ids.length)
  for (const { status, body, headers } of answers) {
    if (status >= 400) assert.equal(body.error.request_id, headers.get('x-request-id'))
  }
})

test('a key has its requests per second, as a bucket that fills steadily; a refusal takes none of the quota', async ({
  service,
  read,
}) => {
  const { key } = await makeOrganization(service, { rate: 5 })
  const answers = await times(8, () => read(key))
  assert.deepEqual([withStatus(answers, 200), withStatus(answers, 429)], [5, 3])
  for (const answer of answers) {
    if (answer.status !== 429) continue
    assertRefused(answer, 429, 'rate_limit_error')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.ok(quotaOf(answer).remaining >= 1_000_000 - 5)
  }
  // A fifth of a second fills one token, not two.
  await service.clock.advance(200)
  const [one, other] = [await read(key), await read(key)]
  assert.deepEqual([one.status, other.status], [200, 429])
  assert.equal(quotaOf(one).remaining, 1_000_000 - 6)
  // And never more than a second's worth.
  await service.clock.advance(60_000)
  assert.equal(withStatus(await times(8, () => read(key)), 200), 5)
})

test('Retry-After is a whole second at least, however fast the bucket fills', async ({ service, read }) => {
  const { key } = await makeOrganization(service, { rate: 1 })
  assert.equal((await read(key)).status, 200)
  await service.clock.advance(999)
  const refused = await read(key)
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  await service.clock.advance(1)
  assert.equal((await read(key)).status, 200)
})

test('each key has its own bucket, shared by all processes', async ({ service, second, read }) => {
  const { key } = await makeOrganization(service, { rate: 3 })
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  await service.clock.advance(10_000)
  const answers = [...(await times(4, () => read(key))), ...(await times(4, () => read(key, second.call)))]
  assert.equal(withStatus(answers, 200), 3)
  assert.equal(withStatus(await times(4, () => read(agentKey)), 200), 3)
})

test('the free plan answers 10 requests per second, pro 50, custom any number', async ({ call, read }) => {
  for (const [plan, max] of [
    ['free', 10],
    ['pro', 50],
    ['custom', 60],
  ] as const) {
    const body = { name: 'Rate', email: 'rate@example.com', plan }
    const { api_key } = (await call('POST', '/v1/admin/orgs', { key: adminToken, body })).body
    assert.equal(withStatus(await times(60, () => read(api_key)), 200), max)
  }
})

test('the monthly calls are counted to the last one; then 429 with the seconds to the end of the period', async ({
  service,
  call,
  read,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 3 } })
  await service.clock.advance(1_500)
  for (const remaining of [2, 1, 0]) {
    const answer = await read(key)
    assert.deepEqual([answer.status, quotaOf(answer).remaining], [200, remaining])
  }
  const refused = await call('POST', '/v1/agents', { key, body: { name: 'A', type: 'ai' } })
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(periodSeconds - 1))
  assert.deepEqual(quotaOf(refused), { remaining: 0, reset: periodSeconds - 1 })
})

test('a request that fails consumes a call; one that nobody is known for does not', async ({ service, call, read }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 100 } })
  await call('POST', '/v1/agents', { key, body: {} })
  await call('GET', '/v1/agents/x', { key })
  await call('GET', '/v1/nothing', { key })
  await read(`${key}x`)
  assert.equal(quotaOf(await read(key)).remaining, 97)
})

test('of a hundred parallel requests exactly as many are answered as calls are left, over both processes', async ({
  service,
  second,
  call,
  read,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 37 } })
  const answers = await times(100, (n) => read(key, n % 2 ? call : second.call))
  assert.deepEqual([withStatus(answers, 200), withStatus(answers, 429)], [37, 63])
  assert.equal(quotaOf(await read(key)).remaining, 0)
})

test('of a hundred parallel creates exactly as many happen as the month has events left', async ({
  service,
  second,
  call,
  createEvent,
  stored,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 23 } })
  const calendar = await makeCalendar(service, key)
  const answers = await times(100, (n) => createEvent(key, calendar.id, n % 2 ? call : second.call))
  assert.deepEqual([withStatus(answers, 201), withStatus(answers, 429)], [23, 77])
  assert.equal(await stored(calendar.id), 23)
  const refused = await createEvent(key, calendar.id)
  assertRefused(refused, 429, 'quota_exceeded')
  const secondsLeft = Math.ceil((quotaPeriodEnd(service) - service.clock.now().getTime()) / 1000)
  assert.equal(refused.headers.get('retry-after'), String(secondsLeft))
})

test('a refused create gives its place back, a deleted event does not', async ({
  service,
  call,
  eventBody,
  createEvent,
  stored,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 3 } })
  const calendar = await makeCalendar(service, key)
  const hold = { ...eventBody(), status: 'hold', hold_expires_at: ahead(service, 5) }
  assert.equal((await createEvent(key, calendar.id, call, hold)).status, 201)
  const refusals: [status: number, calendarId: string, body: object][] = [
    [400, calendar.id, {}],
    [400, calendar.id, { ...eventBody(), bogus: 1 }],
    [404, 'cal_x', eventBody()],
    [404, 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd', eventBody()],
    [409, calendar.id, hold],
  ]
  for (let round = 0; round < 3; round++) {
    for (const [status, calendarId, body] of refusals) {
      assert.equal((await createEvent(key, calendarId, call, body)).status, status)
    }
  }
  const later = await createEvent(key, calendar.id)
  assert.equal(later.status, 201)
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${later.body.id}`, { key })
  assert.equal((await createEvent(key, calendar.id)).status, 201)
  assertRefused(await createEvent(key, calendar.id), 429, 'quota_exceeded')
  assert.equal(await stored(calendar.id), 3)
})

test('what is under way while others are refused is never more than the month allows', async ({
  service,
  call,
  eventBody,
  createEvent,
  stored,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 10 } })
  const calendar = await makeCalendar(service, key)
  const answers = await times(60, (n) => createEvent(key, calendar.id, call, n % 2 ? eventBody() : {}))
  assert.ok(withStatus(answers, 201) <= 10)
  let made = withStatus(answers, 201)
  while ((await createEvent(key, calendar.id)).status === 201) made++
  assert.equal(made, 10)
  assert.equal(await stored(calendar.id), 10)
})

test('the periods roll from the creation of the organization, and each begins with the whole quota', async ({
  service,
  read,
  createEvent,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 8, events: 2 } })
  const calendar = await makeCalendar(service, key)
  for (const status of [201, 201, 429]) assert.equal((await createEvent(key, calendar.id)).status, status)
  await service.clock.advance(periodSeconds * 1000 - 1)
  const last = await createEvent(key, calendar.id)
  assert.deepEqual([last.status, quotaOf(last)], [429, { remaining: 3, reset: 1 }])
  await service.clock.advance(1)
  const first = await createEvent(key, calendar.id)
  assert.deepEqual([first.status, quotaOf(first)], [201, { remaining: 7, reset: periodSeconds }])
  // Months in which nothing happened.
  await service.clock.advance(5.5 * periodSeconds * 1000)
  assert.deepEqual(quotaOf(await read(key)), { remaining: 7, reset: periodSeconds / 2 })
  await service.clock.set(testStart)
})

import assert from 'node:assert/strict'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** Each test comes a minute later, so that none uses up what the next one may ask. */
const test = serviceTest().extend(
  'plans',
  perFile,
  ({ service, call }) =>
    async (headers: Record<string, string> = {}, key?: string) => {
      await service.clock.advance(60_000)
      return call('GET', '/v1/plans', { headers, key })
    },
)

test('the three public plans, with exactly the fields and types that are promised', async ({ plans }) => {
  const { status, headers, body } = await plans()
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(Object.keys(body), ['plans'])
  const common = ['id', 'name', 'tagline', 'price', 'currency', 'limits', 'display_features', 'recommended']
  const [free, pro, custom] = body.plans
  assert.equal(body.plans.length, 3)
  assert.deepEqual(Object.keys(free), common)
  assert.deepEqual(Object.keys(pro), common)
  assert.deepEqual(Object.keys(custom), [...common, 'custom_pricing', 'contact_url'])
  assert.deepEqual([free.id, pro.id, custom.id], ['free', 'pro', 'custom'])
  assert.deepEqual([free.recommended, pro.recommended, custom.recommended], [false, true, false])
  for (const plan of [free, pro]) {
    assert.ok(Number.isInteger(plan.price) && plan.price >= 0)
    assert.match(plan.currency, /^[a-z]{3}$/)
  }
  assert.deepEqual(free.limits, {
    agents: 3,
    calendars: 10,
    events: 2_500,
    api_calls: 50_000,
    webhook_deliveries: 5_000,
    availability_queries: 10_000,
    ical_subscriptions: 5,
    proposals: 0,
    recurring_events: 5,
    webhook_endpoints: 3,
    booking_pages: 1,
    scoped_keys: 0,
  })
  assert.deepEqual(pro.limits, {
    agents: 50,
    calendars: 250,
    events: 125_000,
    api_calls: 1_000_000,
    webhook_deliveries: 250_000,
    availability_queries: 1_000_000,
    ical_subscriptions: 100,
    proposals: null,
    recurring_events: 250,
    webhook_endpoints: 25,
    booking_pages: 25,
    scoped_keys: 50,
  })
  assert.deepEqual([custom.price, custom.currency, custom.limits, custom.custom_pricing], [null, null, null, true])
  assert.ok(URL.canParse(custom.contact_url))
  for (const plan of body.plans) {
    for (const text of [plan.name, plan.tagline, ...plan.display_features]) assert.ok(typeof text === 'string' && text)
  }
})

test('it may be cached, names its version, and tells nothing of quotas, not even to a key', async ({ plans }) => {
  for (const key of [undefined, 'svc_sk_whatever-it-is']) {
    const { status, headers } = await plans({}, key)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400')
    assert.match(headers.get('etag') ?? '', /^"[\w-]+"$/)
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null])
  }
})

test('whoever has the current version gets 304 without a body', async ({ plans }) => {
  const { headers } = await plans()
  const etag = headers.get('etag')!
  for (const given of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag} , "b"`, '*', ' * ']) {
    const answer = await plans({ 'if-none-match': given })
    assert.equal(answer.status, 304, given)
    assert.equal(answer.body, '')
    assert.equal(answer.headers.get('etag'), etag)
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=300/)
  }
  for (const given of ['"other"', etag.slice(1, -1), `"${etag}`.slice(0, -1), '']) {
    assert.equal((await plans({ 'if-none-match': given })).status, 200, given)
  }
})

test('an address may ask 60 times a minute', async ({ service, call }) => {
  await service.clock.advance(60_000)
  const answers = await Promise.all(Array.from({ length: 70 }, () => call('GET', '/v1/plans')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 60)
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '60')
  await service.clock.advance(59_000)
  assert.equal((await call('GET', '/v1/plans')).headers.get('retry-after'), '1')
  await service.clock.advance(1_000)
  assert.equal((await call('GET', '/v1/plans')).status, 200)
})

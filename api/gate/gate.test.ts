import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterAll, beforeAll, test } from 'vitest'
import { epochKey } from '../../src/quotas/epoch.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import type { RedisClient } from '../../src/stores/redis.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import type { Caller } from '../../src/testing/http.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let elsewhere: TestProcess
let call: TestService['call']

beforeAll(async () => {
  service = await openTestService()
  elsewhere = await openProcess(service)
  call = service.call
})
afterAll(async () => {
  await elsewhere.close()
  await service.close()
})

const periodSeconds = 30 * 24 * 60 * 60
const read = (key: string, by: Caller = call) => by('GET', '/v1/agents', { key })
const times = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))
const withStatus = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length

/** `remaining;reset` of the RateLimit header. */
const quotaOf = ({ headers }: Answer) => {
  const match = /^"quota";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
  assert.ok(match, `RateLimit: ${headers.get('ratelimit')}`)
  return { remaining: Number(match[1]), reset: Number(match[2]) }
}

const eventBody = () => ({ title: 'T', start_time: ahead(service, 60), end_time: ahead(service, 90) })
const createEvent = (key: string, calendarId: string, by: Caller = call, body: object = eventBody()) =>
  by('POST', `/v1/calendars/${calendarId}/events`, { key, body })

const stored = async (calendarId: string) => {
  const [row] = await service.app.sql<{ count: number }[]>`
    select count(*)::integer as count from events where calendar_id = ${decodeId('cal', calendarId)!}`
  return row!.count
}

/** Everything of this test's installation in Redis is gone, as after a flush. */
const forgetEverything = () => forgetKeys(service.app.redis, `${service.app.config.redisPrefix}:*`)

async function disconnect(redis: RedisClient) {
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
}

/** While `work` runs neither process reaches Redis. */
async function withoutRedis(work: () => Promise<void>) {
  const clients = [service.app.redis, elsewhere.app.redis]
  await Promise.all(clients.map(disconnect))
  try {
    await work()
  } finally {
    for (const redis of clients) await redis.connect()
  }
}

test('every answer to a key carries RateLimit-Policy and RateLimit, errors included', async () => {
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

test('refusals by the gate itself carry them, too', async () => {
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

test('where the calls are unlimited, and where nobody is known, both are omitted', async () => {
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

test('every answer names its request, and the body of an error says the same', async () => {
  const { key } = await makeOrganization(service)
  const answers = [
    await read(key),
    await call('GET', '/healthz'),
    await call('GET', '/readyz'),
    await call('GET', '/docs'),
    await call('GET', '/docs/assets/swagger-ui.css'),
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

test('a key has its requests per second, as a bucket that fills steadily; a refusal takes none of the quota', async () => {
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

test('Retry-After is a whole second at least, however fast the bucket fills', async () => {
  const { key } = await makeOrganization(service, { rate: 1 })
  assert.equal((await read(key)).status, 200)
  await service.clock.advance(999)
  const refused = await read(key)
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  await service.clock.advance(1)
  assert.equal((await read(key)).status, 200)
})

test('each key has its own bucket, shared by all processes', async () => {
  const { key } = await makeOrganization(service, { rate: 3 })
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  await service.clock.advance(10_000)
  const answers = [...(await times(4, () => read(key))), ...(await times(4, () => read(key, elsewhere.call)))]
  assert.equal(withStatus(answers, 200), 3)
  assert.equal(withStatus(await times(4, () => read(agentKey)), 200), 3)
})

test('the free plan answers 10 requests per second, pro 50, custom any number', async () => {
  for (const [plan, most] of [
    ['free', 10],
    ['pro', 50],
    ['custom', 60],
  ] as const) {
    const body = { name: 'Rate', email: 'rate@example.com', plan }
    const { api_key } = (await call('POST', '/v1/admin/orgs', { key: adminToken, body })).body
    assert.equal(withStatus(await times(60, () => read(api_key)), 200), most)
  }
})

test('the monthly calls are counted to the last one; then 429 with the seconds to the end of the period', async () => {
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

test('a request that fails consumes a call; one that nobody is known for does not', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 100 } })
  await call('POST', '/v1/agents', { key, body: {} })
  await call('GET', '/v1/agents/x', { key })
  await call('GET', '/v1/nothing', { key })
  await read(`${key}x`)
  assert.equal(quotaOf(await read(key)).remaining, 97)
})

test('of a hundred parallel requests exactly as many are answered as calls are left, over both processes', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 37 } })
  const answers = await times(100, (n) => read(key, n % 2 ? call : elsewhere.call))
  assert.deepEqual([withStatus(answers, 200), withStatus(answers, 429)], [37, 63])
  assert.equal(quotaOf(await read(key)).remaining, 0)
})

test('of a hundred parallel creates exactly as many happen as the month has events left', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 23 } })
  const calendar = await makeCalendar(service, key)
  const answers = await times(100, (n) => createEvent(key, calendar.id, n % 2 ? call : elsewhere.call))
  assert.deepEqual([withStatus(answers, 201), withStatus(answers, 429)], [23, 77])
  assert.equal(await stored(calendar.id), 23)
  const refused = await createEvent(key, calendar.id)
  assertRefused(refused, 429, 'quota_exceeded')
  const secondsLeft = Math.ceil((quotaPeriodEnd(service) - service.clock.now().getTime()) / 1000)
  assert.equal(refused.headers.get('retry-after'), String(secondsLeft))
})

/** Of an organization that was made at the set time. */
const quotaPeriodEnd = ({ clock }: TestService) => clock.now().getTime() + periodSeconds * 1000

test('a refused create gives its place back, a deleted event does not', async () => {
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
  const second = await createEvent(key, calendar.id)
  assert.equal(second.status, 201)
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${second.body.id}`, { key })
  assert.equal((await createEvent(key, calendar.id)).status, 201)
  assertRefused(await createEvent(key, calendar.id), 429, 'quota_exceeded')
  assert.equal(await stored(calendar.id), 3)
})

test('what is under way while others are refused is never more than the month allows', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 10 } })
  const calendar = await makeCalendar(service, key)
  const answers = await times(60, (n) => createEvent(key, calendar.id, call, n % 2 ? eventBody() : {}))
  assert.ok(withStatus(answers, 201) <= 10)
  let made = withStatus(answers, 201)
  while ((await createEvent(key, calendar.id)).status === 201) made++
  assert.equal(made, 10)
  assert.equal(await stored(calendar.id), 10)
})

test('the periods roll from the creation of the organization, and each begins with the whole quota', async () => {
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

test('Redis forgets everything: calls and events are counted again from Postgres, and from what is still to be written', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 20, events: 3 } })
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  assert.equal(quotaOf(await read(key)).remaining, 17)
  await forgetEverything()
  assert.equal(quotaOf(await read(key)).remaining, 16)
  await service.gate.flush()
  await forgetEverything()
  // This process has only what Postgres knows.
  assert.equal(quotaOf(await read(key, elsewhere.call)).remaining, 15)
  await elsewhere.gate.flush()
  const answers = await times(20, () => createEvent(key, calendar.id))
  assert.deepEqual([withStatus(answers, 201), withStatus(answers, 429)], [2, 18])
  assert.equal(await stored(calendar.id), 3)
})

test('usage that could not be written is written later, once', async () => {
  const { id, key } = await makeOrganization(service)
  const used = async () => {
    const rows = await service.app.sql<{ used: number }[]>`
      select used from usage_counters where org_id = ${decodeId('org', id)!} and metric = 'api_calls'`
    return Number(rows[0]?.used ?? 0)
  }
  await times(3, () => read(key))
  await service.app.sql`alter table usage_counters rename to usage_counters_away`
  await assert.rejects(service.gate.flush())
  await service.app.sql`alter table usage_counters_away rename to usage_counters`
  await times(2, () => read(key))
  await service.gate.flush()
  assert.equal(await used(), 5)
  await service.gate.flush()
  assert.equal(await used(), 5)
})

test('without Redis the API answers on: who, what and how much are decided from Postgres', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 1_000, events: 2 } })
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id)
  await read(agentKey)
  await withoutRedis(async () => {
    assert.equal((await read(key)).status, 200)
    assertRefused(await read(`${key}x`), 401, 'authentication_error')
    assertRefused(await call('GET', '/v1/keys', { key: agentKey }), 403, 'forbidden')
    assert.equal((await createEvent(key, calendar.id)).status, 201)
    assertRefused(await createEvent(key, calendar.id), 429, 'quota_exceeded')
    assert.equal(quotaOf(await read(key)).remaining, 1_000 - 10)
    // What changes meanwhile holds with the next request, on every process.
    await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
    const refused = await elsewhere.call('PATCH', `/v1/agents/${agent.id}`, { key: agentKey, body: { name: 'X' } })
    assertRefused(refused, 403, 'forbidden')
    const made = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    assert.equal((await read(made.body.key, elsewhere.call)).status, 200)
    assert.equal((await call('DELETE', `/v1/keys/${made.body.id}`, { key })).status, 204)
    for (const by of [call, elsewhere.call]) assertRefused(await read(made.body.key, by), 401, 'authentication_error')
  })
})

test('what was spent while Redis was away is counted when it is back', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 50, events: 3 } })
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  await withoutRedis(async () => {
    await makeEvent(service, key, calendar.id)
    await times(10, () => read(key))
  })
  assert.equal(quotaOf(await read(key)).remaining, 50 - 14)
  for (const status of [201, 429]) assert.equal((await createEvent(key, calendar.id)).status, status)
})

test('without Redis the rate holds for each process', async () => {
  const { key } = await makeOrganization(service, { rate: 4 })
  await withoutRedis(async () => {
    const answers = await times(10, () => read(key))
    assert.deepEqual([withStatus(answers, 200), withStatus(answers, 429)], [4, 6])
    const refused = answers.find(({ status }) => status === 429)!
    assertRefused(refused, 429, 'rate_limit_error')
    assert.equal(refused.headers.get('retry-after'), '1')
    await service.clock.advance(500)
    assert.equal(withStatus(await times(10, () => read(key)), 200), 2)
  })
})

test('without Redis the last call of the month is the last', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 3 } })
  await read(key)
  await withoutRedis(async () => {
    for (const status of [200, 200, 429]) assert.equal((await read(key)).status, status)
  })
})

test('what was revoked while Redis was away stays revoked when it is back, although the revoker never is', async () => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const lasts of [true, false]) {
    const revoker = await openProcess(service)
    const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    for (const by of [call, elsewhere.call]) assert.equal((await read(body.key, by)).status, 200)
    await withoutRedis(async () => {
      await disconnect(revoker.app.redis)
      const by = lasts ? call : revoker.call
      assert.equal((await by('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
      await revoker.close()
    })
    for (const by of [call, elsewhere.call]) assertRefused(await read(body.key, by), 401, 'authentication_error')
  }
})

test('what is revoked by a process that does not reach Redis is revoked for the others when it does again', async () => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  assert.equal((await read(body.key, elsewhere.call)).status, 200)
  await disconnect(service.app.redis)
  assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
  await service.app.redis.connect()
  assertRefused(await read(body.key), 401, 'authentication_error')
  assertRefused(await read(body.key, elsewhere.call), 401, 'authentication_error')
})

test('what was revoked before or after Redis forgot everything stays revoked', async () => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const order of ['revoke, forget', 'forget, revoke', 'forget, read, revoke', 'revoke, forget, other']) {
    const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    for (const by of [call, elsewhere.call]) assert.equal((await read(body.key, by)).status, 200)
    for (const step of order.split(', ')) {
      if (step === 'forget') await forgetEverything()
      if (step === 'read') assert.equal((await read(body.key)).status, 200)
      if (step === 'other') assert.equal((await read(key, elsewhere.call)).status, 200)
      if (step === 'revoke') assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
    }
    for (const by of [elsewhere.call, call]) assertRefused(await read(body.key, by), 401, 'authentication_error')
  }
  assert.ok(await service.app.redis.get(epochKey(service.app, decodeId('org', id)!)))
})

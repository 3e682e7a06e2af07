// A console reads by the cookie of its session: that is no API call, has a rate and waits of its own, and is in no log.
import assert from 'node:assert/strict'
import { endWaits } from '../../src/changeFeed/waits.ts'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeCalendar } from '../../src/testing/factories.ts'
import { quotaOf, times, withStatus } from '../../src/testing/gate.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { untilWaiting } from '../../src/testing/waits.ts'
import { withoutRedis } from '../../src/testing/withoutRedis.ts'

const test = serviceTest().extend('open', perFile, ({ service, call }) => async (limits: object, rate = 100_000) => {
  const account = await makeAccount(service)
  const body = { plan: 'custom', limits, rate_limit_per_second: rate }
  assert.equal((await call('PATCH', `/v1/admin/orgs/${account.orgId}`, { key: adminToken, body })).status, 200)
  const read = (path = '/v1/agents') => call('GET', path, { headers: { cookie: account.cookie } })
  return { ...account, read }
})

test('it costs no call, also when none is left; a unit of another budget it costs', async ({ service, call, open }) => {
  const { token, read } = await open({ api_calls: 2, availability_queries: 2 })
  const calendar = await makeCalendar(service, token)
  assert.deepEqual([(await read()).status, quotaOf(await read()).remaining], [200, 1])
  assert.equal((await call('GET', '/v1/agents', { key: token })).status, 200)
  assertRefused(await call('GET', '/v1/agents', { key: token }), 429, 'quota_exceeded')
  const path = `/v1/calendars/${calendar.id}/availability?start=2026-03-03T00:00:00Z&end=2026-03-04T00:00:00Z&duration=30m`
  for (const status of [200, 200, 429]) assert.equal((await read(path)).status, status)
  assert.deepEqual((await read('/v1/usage')).body.api_calls.used, 2)
  assert.equal((await read('/v1/usage')).body.availability_queries.used, 2)
  await service.gate.flush()
  const { redis } = service.app
  await withoutRedis([redis], async () => {
    assert.equal((await read()).status, 200)
    assert.equal((await read(path)).status, 429)
  })
  assert.equal((await read('/v1/usage')).body.api_calls.used, 2)
})

test('a session has 100 reads at once and 20 a second, apart from keys and from its own changes', async ({
  service,
  call,
  open,
}) => {
  const { token, cookie, read } = await open({}, 1)
  const answers = await times(130, () => read())
  assert.deepEqual([withStatus(answers, 200), withStatus(answers, 429)], [100, 30])
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  assertRefused(await read('/v1/auth/session'), 429, 'rate_limit_error')
  assert.equal((await call('GET', '/v1/agents', { key: token })).status, 200)
  await service.clock.advance(1_000)
  const more = await times(30, () => read())
  assert.deepEqual([withStatus(more, 200), withStatus(more, 429)], [20, 10])
  const body = { name: 'A', type: 'ai' }
  assert.equal((await call('POST', '/v1/agents', { headers: { cookie }, body })).status, 201)
  await service.clock.advance(10_000)
  await service.gate.flush()
  for (const log of ['/v1/requests', '/v1/audit-log?action=rate_limit.exceeded']) {
    assert.deepEqual((await read(log)).body.data, [], log)
  }
})

test('it waits for changes beside five requests of keys, five times itself', async ({ service, call, open }) => {
  const { token, read } = await open({})
  const wait = '/v1/changes?wait=20'
  const byKey = Array.from({ length: 5 }, () => call('GET', wait, { key: token }))
  const byConsole = Array.from({ length: 5 }, () => read(wait))
  await untilWaiting(service.app, 10)
  assert.match((await read(wait)).body.error.message, /^At most 5 requests of one session may wait/)
  assert.match((await call('GET', wait, { key: token })).body.error.message, /^At most 5 requests of one key may wait/)
  endWaits(service.app)
  assert.deepEqual(new Set((await Promise.all([...byKey, ...byConsole])).map(({ status }) => status)), new Set([200]))
})

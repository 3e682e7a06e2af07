import assert from 'node:assert/strict'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { withoutRedis } from '../../src/testing/withoutRedis.ts'

const test = serviceTest().extend('usage', perFile, ({ call }) => async (key: string) => {
  const { status, body } = await call('GET', '/v1/usage', { key })
  assert.equal(status, 200, JSON.stringify(body))
  return body
})

const unused = { used: 0, limit: null }
const day = 24 * 60 * 60 * 1000

test('a new organization has used nothing but this very call', async ({ service, usage }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  assert.deepEqual(await usage(key), {
    plan: 'free',
    period_start: testStart.toISOString(),
    period_end: new Date(testStart.getTime() + 30 * day).toISOString(),
    agents: { used: 0, limit: 3 },
    calendars: { used: 0, limit: 10 },
    events: { used: 0, limit: 2_500 },
    api_calls: { used: 1, limit: 50_000 },
    webhooks: { used: 0, limit: 5_000 },
    availability_queries: { used: 0, limit: 10_000 },
    ical_subscriptions: { used: 0, limit: 5 },
    proposals: { used: 0, limit: 0 },
    recurring_events: { used: 0, limit: 5 },
    webhook_endpoints: { used: 0, limit: 3 },
    booking_pages: { used: 0, limit: 1 },
    scoped_keys: { used: 0, limit: 0 },
    holds: { used: 0, limit: 0 },
  })
  assert.equal((await usage(key)).api_calls.used, 2)
})

test('pro and custom show their own limits; unlimited is null', async ({ service, usage }) => {
  const pro = await usage((await makeOrganization(service)).key)
  assert.deepEqual([pro.plan, pro.agents.limit, pro.proposals.limit], ['pro', 50, null])
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { agents: 7, webhook_deliveries: 9 } })
  const custom = await usage(key)
  assert.equal(custom.plan, 'custom')
  assert.deepEqual(custom.agents, { used: 0, limit: 7 })
  assert.deepEqual(custom.webhooks, { used: 0, limit: 9 })
  assert.deepEqual([custom.events, custom.proposals], [unused, unused])
  assert.deepEqual(custom.api_calls, { used: 1, limit: null })
})

for (const tier of ['free-agent', 'free-agent-unverified']) {
  test(`the tier ${tier} is the free plan to its customers`, async ({ service, usage }) => {
    const { id, key } = await makeOrganization(service, { plan: 'free' })
    await service.app.sql`
      update organizations set plan = ${tier}, verification_status = ${tier === 'free-agent' ? 'verified' : 'unverified'}
      where email is not null and id = (select org_id from api_keys where prefix = ${key.slice(0, 20)})`
    const found = await usage(key)
    assert.deepEqual([found.plan, found.agents.limit], ['free', tier === 'free-agent' ? 3 : 1], id)
  })
}

test('agents and calendars count while they live, events count also when they are deleted', async ({
  service,
  call,
  usage,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const spare = await makeCalendar(service, key)
  const event = await makeEvent(service, key, calendar.id)
  await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  await makeHold(service, key, spare.id)
  await call('GET', `/v1/calendars/${calendar.id}/availability?start=${ahead(service, 0)}&end=${ahead(service, 60)}`, {
    key,
  })
  const before = await usage(key)
  assert.deepEqual(
    [before.agents.used, before.calendars.used, before.events.used, before.recurring_events.used],
    [1, 2, 3, 1],
  )
  assert.equal(before.availability_queries.used, 1)
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${event.id}`, { key })
  await call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  const later = await usage(key)
  assert.deepEqual(
    [later.agents.used, later.calendars.used, later.events.used, later.recurring_events.used],
    [0, 1, 3, 0],
  )
})

test('endpoints, booking pages and agent keys count while they live, holds until they end', async ({
  service,
  call,
  usage,
}) => {
  const { key } = await makeOrganization(service)
  const other = await makeOrganization(service)
  const shown = async () => {
    const { webhook_endpoints, booking_pages, scoped_keys, holds } = await usage(key)
    return [webhook_endpoints, booking_pages, scoped_keys, holds]
  }
  const used = (...counts: number[]) => counts.map((used, nth) => ({ used, limit: [25, 25, 50, null][nth] }))
  assert.deepEqual(await shown(), used(0, 0, 0, 0))
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const webhook = await makeWebhook(service, key, 'https://example.com/usage', ['event.created'])
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Call' } })
  const agentKey = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  const hold = await makeHold(service, key, calendar.id)
  await makeHold(service, key, calendar.id, { start_time: ahead(service, 300), end_time: ahead(service, 330) })
  await makeHold(service, other.key, (await makeCalendar(service, other.key)).id)
  assert.deepEqual(await shown(), used(1, 1, 1, 2))
  await call('PUT', `/v1/events/${hold.id}/confirm`, { key })
  assert.deepEqual(await shown(), used(1, 1, 1, 1))
  // Past its time it has ended, whether or not a worker has been there.
  await service.clock.advance(6 * 60_000)
  await call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await call('DELETE', `/v1/booking-pages/${page.body.id}`, { key })
  await call('DELETE', `/v1/keys/${agentKey.body.id}`, { key })
  assert.deepEqual(await shown(), used(0, 0, 0, 0))
})

test('a delivery is counted once, however often it is tried', async ({ service, receiver, usage }) => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['agent.created'])
  receiver.answer = () => 500
  await makeAgent(service, key)
  await service.drain()
  assert.equal((await usage(key)).webhooks.used, 1)
  receiver.answer = () => 200
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal((await usage(key)).webhooks.used, 1)
})

test('an agent key may not ask', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assertRefused(await call('GET', '/v1/usage', { key: agentKey }), 403, 'forbidden')
})

test('the months roll: what was used before the period began is forgotten', async ({ service, usage }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  const { period_end: end } = await usage(key)
  await service.clock.set(new Date(new Date(end).getTime() - 1))
  assert.equal((await usage(key)).events.used, 1)
  await service.clock.set(end)
  const next = await usage(key)
  assert.deepEqual([next.period_start, next.events.used, next.api_calls.used, next.calendars.used], [end, 0, 1, 1])
})

test('a flushed Redis and one that is away forget nothing, whether or not it was written back', async ({
  service,
  call,
  usage,
}) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const query = `/v1/calendars/${calendar.id}/availability?start=${ahead(service, 0)}&end=${ahead(service, 60)}`
  for (let n = 0; n < 3; n++) await call('GET', query, { key })
  await service.gate.flush()
  for (let n = 0; n < 2; n++) await call('GET', query, { key })
  const { redis, config } = service.app
  await forgetKeys(redis, `${config.redisPrefix}:*`)
  const flushed = await usage(key)
  assert.deepEqual([flushed.api_calls.used, flushed.availability_queries.used], [7, 5])
  await withoutRedis([redis], async () => {
    await call('GET', query, { key })
    const away = await usage(key)
    assert.deepEqual([away.api_calls.used, away.availability_queries.used], [9, 6])
  })
  const back = await usage(key)
  assert.deepEqual([back.api_calls.used, back.availability_queries.used], [10, 6])
})

import assert from 'node:assert/strict'
import { gateKey } from '../../src/quotas/gateHash.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { gateTest, quotaOf, times, withStatus } from '../../src/testing/gate.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { disconnect } from '../../src/testing/withoutRedis.ts'

const test = gateTest()

test('Redis forgets everything: calls and events are counted again from Postgres, and from what is still to be written', async ({
  service,
  second,
  read,
  createEvent,
  stored,
  forgetEverything,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 20, events: 3 } })
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  assert.equal(quotaOf(await read(key)).remaining, 17)
  await forgetEverything()
  assert.equal(quotaOf(await read(key)).remaining, 16)
  await service.gate.flush()
  await forgetEverything()
  // This process has only what Postgres knows.
  assert.equal(quotaOf(await read(key, second.call)).remaining, 15)
  await second.gate.flush()
  const answers = await times(20, () => createEvent(key, calendar.id))
  assert.deepEqual([withStatus(answers, 201), withStatus(answers, 429)], [2, 18])
  assert.equal(await stored(calendar.id), 3)
})

test('usage that could not be written is written later, once', async ({ service, read }) => {
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

test('without Redis the API answers on: who, what and how much are decided from Postgres', async ({
  service,
  second,
  call,
  read,
  createEvent,
  withoutRedis,
}) => {
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
    // A change in the meantime applies from the next request, on every process.
    await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
    const refused = await second.call('PATCH', `/v1/agents/${agent.id}`, { key: agentKey, body: { name: 'X' } })
    assertRefused(refused, 403, 'forbidden')
    const made = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    assert.equal((await read(made.body.key, second.call)).status, 200)
    assert.equal((await call('DELETE', `/v1/keys/${made.body.id}`, { key })).status, 204)
    for (const by of [call, second.call]) assertRefused(await read(made.body.key, by), 401, 'authentication_error')
  })
})

test('what was spent while Redis was away is counted when it is back', async ({
  service,
  read,
  createEvent,
  withoutRedis,
}) => {
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

test('without Redis requests with a key stay within the budget, and are counted when it is back', async ({
  service,
  call,
  createEvent,
  eventBody,
  withoutRedis,
}) => {
  const createOnce = (key: string, calendarId: string, name: string) =>
    call('POST', `/v1/calendars/${calendarId}/events`, {
      key,
      body: eventBody(),
      headers: { 'idempotency-key': name },
    })
  const open = async () => {
    const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 50, events: 3 } })
    const calendar = await makeCalendar(service, key)
    await makeEvent(service, key, calendar.id)
    return { key, calendarId: calendar.id }
  }
  const [many, few] = [await open(), await open()]
  await withoutRedis(async () => {
    const answers = await times(8, (n) => createOnce(many.key, many.calendarId, `many-${n}`))
    assert.deepEqual([withStatus(answers, 201), withStatus(answers, 429)], [2, 6])
    assert.equal((await createOnce(few.key, few.calendarId, 'few')).status, 201)
  })
  for (const status of [201, 429]) assert.equal((await createEvent(few.key, few.calendarId)).status, status)
})

test('without Redis the rate holds for each process', async ({ service, read, withoutRedis }) => {
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

test('without Redis the last call of the month is the last', async ({ service, read, withoutRedis }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 3 } })
  await read(key)
  await withoutRedis(async () => {
    for (const status of [200, 200, 429]) assert.equal((await read(key)).status, status)
  })
})

test('what was revoked while Redis was away stays revoked when it is back, although the revoker never is', async ({
  service,
  second,
  call,
  read,
  withoutRedis,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const lasts of [true, false]) {
    const revoker = await openProcess(service)
    const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    for (const by of [call, second.call]) assert.equal((await read(body.key, by)).status, 200)
    await withoutRedis(async () => {
      await disconnect(revoker.app.redis)
      const by = lasts ? call : revoker.call
      assert.equal((await by('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
      await revoker.close()
    })
    for (const by of [call, second.call]) assertRefused(await read(body.key, by), 401, 'authentication_error')
  }
})

test('what is revoked by a process that does not reach Redis is revoked for the others when it does again', async ({
  service,
  second,
  call,
  read,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  assert.equal((await read(body.key, second.call)).status, 200)
  await disconnect(service.app.redis)
  assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
  await service.app.redis.connect()
  assertRefused(await read(body.key), 401, 'authentication_error')
  assertRefused(await read(body.key, second.call), 401, 'authentication_error')
})

test('what was revoked before or after Redis forgot everything stays revoked', async ({
  service,
  second,
  call,
  read,
  forgetEverything,
}) => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const order of ['revoke, forget', 'forget, revoke', 'forget, read, revoke', 'revoke, forget, other']) {
    const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    for (const by of [call, second.call]) assert.equal((await read(body.key, by)).status, 200)
    for (const step of order.split(', ')) {
      if (step === 'forget') await forgetEverything()
      if (step === 'read') assert.equal((await read(body.key)).status, 200)
      if (step === 'other') assert.equal((await read(key, second.call)).status, 200)
      if (step === 'revoke') assert.equal((await call('DELETE', `/v1/keys/${body.id}`, { key })).status, 204)
    }
    for (const by of [second.call, call]) assertRefused(await read(body.key, by), 401, 'authentication_error')
  }
  assert.ok(await service.app.redis.hget(gateKey(service.app, decodeId('org', id)!), 'epoch'))
})

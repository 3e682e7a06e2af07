import assert from 'node:assert/strict'
import { flushRefused } from '../../src/refusedRequests/record.ts'
import { purgeRefusedRequests } from '../../src/refusedRequests/retention.ts'
import { makeOwner } from '../../src/testing/accounts.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { callMcp } from '../../src/testing/mcp/mcp.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Row = Record<string, unknown>

const test = serviceTest()
  .extend('list', perFile, ({ service, call }) => async (key: string, query = '') => {
    await flushRefused(service.app)
    const answer = await call('GET', `/v1/requests${query}`, { key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body as { data: Row[]; pagination: { next_cursor: string | null }; retention_hours: number }
  })
  .extend('stored', perFile, ({ service }) => async () => {
    const [row] = await service.app.sql<{ count: number }[]>`select count(*)::integer as count from refused_requests`
    return row!.count
  })

const hourMs = 3_600_000

test('a refused request is listed with who asked and what the answer said, and nothing that was sent', async ({
  service,
  call,
  list,
}) => {
  const owner = await makeOwner(service)
  const path = '/v1/agents/agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
  const refused = await call('GET', `${path}?secret=1`, { key: owner.key })
  const { data, pagination, retention_hours } = await list(owner.key)
  assert.deepEqual([pagination.next_cursor, retention_hours], [null, 168])
  const [row] = data
  assert.deepEqual(row, {
    request_id: refused.headers.get('x-request-id'),
    at: service.clock.now().toISOString(),
    method: 'GET',
    path,
    status: refused.status,
    type: refused.body.error.type,
    code: refused.body.error.code ?? null,
    param: refused.body.error.param,
    key_prefix: owner.key.slice(0, 20),
    actor_account: null,
    agent_id: null,
    ip: '127.0.0.1',
    duration_ms: 0,
  })
  const wrong = await call('POST', '/v1/agents', { key: owner.token, body: { name: 'A' } })
  const [bySession] = (await list(owner.key)).data
  assert.deepEqual(
    [bySession!.request_id, bySession!.key_prefix, bySession!.actor_account, bySession!.param, bySession!.status],
    [wrong.headers.get('x-request-id'), null, owner.email, 'type', 400],
  )
})

test("agents' keys and tool calls are there, with their agent; successes, 401, 404 of a path and 429 are not", async ({
  service,
  call,
  list,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assertRefused(await call('GET', '/v1/audit-log', { key: agentKey }), 403, 'forbidden')
  await callMcp(service, 'get_event', { event_id: 'evt_01k9xr8m3fe8tbc4x9m2v7h5qd' }, { key })
  await call('GET', '/v1/agents', { key })
  await call('GET', '/v1/nothing', { key })
  await call('GET', '/v1/agents', { key: `${key}x` })
  const { data } = await list(key)
  assert.deepEqual(
    data.map(({ method, path, status, agent_id }) => [method, path, status, agent_id]),
    [
      ['POST', '/mcp/get_event', 404, null],
      ['GET', '/v1/audit-log', 403, agent.id],
    ],
  )
})

test('reads of the console with its cookie are in no log, its writes are', async ({ service, call, list }) => {
  const owner = await makeOwner(service)
  const signedIn = await call('POST', '/v1/auth/signin', {
    body: { email: owner.email, password: 'correct horse battery' },
    headers: { origin: service.baseUrl },
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const headers = { cookie, origin: service.baseUrl }
  const path = '/v1/agents/agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
  assert.equal((await call('GET', path, { headers })).status, 404)
  assert.equal((await call('DELETE', path, { headers })).status, 404)
  const { data } = await list(owner.key)
  assert.deepEqual(
    data.map(({ method }) => method),
    ['DELETE'],
  )
})

test('filters, and pages in their order without a gap', async ({ service, call, list }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const ids = []
  for (let n = 0; n < 5; n++) {
    if (n % 2 === 0) await service.clock.advance(1_000)
    const answer = await call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: { title: 1 } })
    ids.unshift(answer.headers.get('x-request-id'))
  }
  const at = service.clock.now()
  const gone = await call('GET', '/v1/events/evt_01k9xr8m3fe8tbc4x9m2v7h5qd', { key })
  const idsOf = async (query: string) => (await list(key, query)).data.map(({ request_id }) => request_id)
  assert.deepEqual(await idsOf('?status=400'), ids)
  assert.deepEqual(await idsOf('?code=event_not_found'), [gone.headers.get('x-request-id')])
  assert.deepEqual(await idsOf(`?request_id=${ids[2]}`), [ids[2]])
  assert.deepEqual(await idsOf('?request_id=req_01k9xr8m3fe8tbc4x9m2v7h5qd'), [])
  assert.deepEqual(await idsOf('?request_id=nonsense'), [])
  assert.deepEqual(await idsOf(`?status=400&key_prefix=${key.slice(0, 20)}`), ids)
  assert.deepEqual(await idsOf('?key_prefix=svc_sk_another_one__'), [])
  assert.deepEqual(await idsOf(`?status=400&from=${at.toISOString()}`), ids.slice(0, 1))
  assert.deepEqual(await idsOf(`?status=400&to=${new Date(at.getTime() - 1_000).toISOString()}`), ids.slice(1))
  const walked: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(key, `?status=400&limit=2${cursor && `&cursor=${cursor}`}`)
    walked.push(...page.data.map(({ request_id }) => request_id))
    cursor = page.pagination.next_cursor
  }
  assert.deepEqual(walked, ids)
  for (const [query, param] of [
    ['?limit=201', 'limit'],
    ['?limit=0', 'limit'],
    ['?status=200', 'status'],
    ['?status=x', 'status'],
    ['?cursor=x', 'cursor'],
    ['?from=yesterday', 'from'],
    ['?page=1', 'page'],
  ] as const) {
    const { status, body } = await call('GET', `/v1/requests${query}`, { key })
    assert.deepEqual([status, body.error.type, body.error.param], [400, 'validation_error', param])
  }
})

test('no organization sees the requests of another one', async ({ service, call, list }) => {
  const [one, other] = [await makeOrganization(service), await makeOrganization(service)]
  const agent = await makeAgent(service, other.key)
  const { headers } = await call('GET', `/v1/agents/${agent.id}`, { key: one.key })
  assert.deepEqual((await list(other.key)).data, [])
  assert.deepEqual((await list(other.key, `?request_id=${headers.get('x-request-id')}`)).data, [])
  assert.equal((await list(one.key)).data.length, 1)
})

test('a burst of one key is kept in part, and that of another one is not crowded out', async ({
  service,
  call,
  list,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const burst = (count: number) =>
    Promise.all(Array.from({ length: count }, () => call('GET', '/v1/events/none', { key })))
  await burst(30)
  await call('GET', '/v1/events/none', { key: agentKey })
  assert.equal((await list(key, '?limit=200')).data.length, 21)
  await service.clock.advance(10_000)
  await burst(30)
  assert.equal((await list(key, '?limit=200')).data.length, 41)
})

test('they are kept for a day, on paid plans for a week, and past days are removed', async ({
  service,
  call,
  list,
  stored,
}) => {
  const [free, paid] = [await makeOrganization(service, { plan: 'free' }), await makeOrganization(service)]
  const counts = async () => [(await list(free.key)).data.length, (await list(paid.key)).data.length]
  for (const { key } of [free, paid]) await call('GET', '/v1/events/none', { key })
  assert.equal((await list(free.key)).retention_hours, 24)
  await service.clock.advance(24 * hourMs - 1)
  assert.deepEqual(await counts(), [1, 1])
  await service.clock.advance(1)
  assert.deepEqual(await counts(), [0, 1])
  await service.clock.advance(143 * hourMs)
  assert.deepEqual(await counts(), [0, 1])
  await purgeRefusedRequests(service.app)
  assert.deepEqual(await counts(), [0, 1])
  await service.clock.advance(48 * hourMs)
  assert.deepEqual(await counts(), [0, 0])
  await purgeRefusedRequests(service.app)
  assert.equal(await stored(), 0)
})

test('a deleted organization leaves none behind', async ({ service, call, stored }) => {
  const owner = await makeOwner(service)
  await call('GET', '/v1/events/none', { key: owner.key })
  await flushRefused(service.app)
  assert.ok((await stored()) > 0)
  await call('DELETE', '/v1/auth/account', { key: owner.token })
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal(await stored(), 0)
})

test('the administrator is no caller whose requests are kept', async ({ call, stored }) => {
  const before = await stored()
  await call('PATCH', '/v1/admin/orgs/none', { key: adminToken, body: { plan: 'pro' } })
  assert.equal(await stored(), before)
})

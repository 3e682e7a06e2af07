import assert from 'node:assert/strict'
import { sha256 } from '../../src/sealing/sealer.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { adminToken, testStart } from '../../src/testing/harness.ts'
import type { TestProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** The status a key is answered with, on each of the two processes. */
const test = serviceTest().extend('statusOf', perFile, ({ call, second }) => async (key: string) => {
  const answers = [await call('GET', '/v1/agents', { key }), await second.call('GET', '/v1/agents', { key })]
  for (const answer of answers) if (answer.status === 401) assertRefused(answer, 401, 'authentication_error')
  return answers.map(({ status }) => status)
})

const unknownAgent = 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
const unknownKey = 'key_01k9xr8m3fe8tbc4x9m2v7h5qd'

test('creating a key answers 201 with its secret, which is shown only here', async ({ service, call, statusOf }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { status, body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id, label: 'laptop' } })
  assert.equal(status, 201)
  const { key: secret, ...record } = body
  assert.match(secret, /^svc_ak_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(record, {
    id: record.id,
    key_prefix: secret.slice(0, 20),
    agent_id: agent.id,
    label: 'laptop',
    created_at: testStart.toISOString(),
  })
  assert.match(record.id, /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual((await call('GET', '/v1/keys', { key })).body, { keys: [record] })
  assert.deepEqual(await statusOf(secret), [200, 200])
})

test('keys are stored hashed: no column holds the secret', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const agentKey = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  for (const secret of [key, agentKey]) {
    const [row] = await service.app.sql`select api_keys::text as text from api_keys where hash = ${sha256(secret)}`
    assert.ok(row, 'found by its SHA-256')
    assert.ok(!row.text.includes(secret.slice(20)))
    assert.ok(row.text.includes(secret.slice(0, 20)))
  }
})

test('the list shows the agent keys that live, newest first, without secrets and without the organization key', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  assert.deepEqual((await call('GET', '/v1/keys', { key })).body, { keys: [] })
  const agent = await makeAgent(service, key)
  const made = []
  for (const label of ['one', undefined, 'three']) {
    made.unshift((await call('POST', '/v1/keys', { key, body: { agent_id: agent.id, label } })).body)
  }
  assert.equal(made[1].label, null)
  await call('DELETE', `/v1/keys/${made[2].id}`, { key })
  const { body } = await call('GET', '/v1/keys', { key })
  assert.deepEqual(body, { keys: made.slice(0, 2).map(({ key: _secret, ...record }) => record) })
})

test('labels take 1 to 100 characters, and a body that breaks a rule is refused', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id: agent_id } = await makeAgent(service, key)
  for (const label of ['x', 'l'.repeat(100)]) {
    assert.equal((await call('POST', '/v1/keys', { key, body: { agent_id, label } })).body.label, label)
  }
  const cases: [param: string, body: object][] = [
    ['label', { agent_id, label: '' }],
    ['label', { agent_id, label: 'l'.repeat(101) }],
    ['label', { agent_id, label: null }],
    ['label', { agent_id, label: 7 }],
    ['agent_id', {}],
    ['agent_id', { agent_id: 5 }],
    ['agent_id', { agent_id: null }],
    ['mode', { agent_id, mode: 'test' }],
    ['is_test', { agent_id, is_test: true }],
  ]
  for (const [param, body] of cases) {
    assertRefused(await call('POST', '/v1/keys', { key, body }), 400, 'validation_error', { param })
  }
  assert.equal((await call('GET', '/v1/keys', { key })).body.keys.length, 2)
})

test("an unknown agent, another organization's and a malformed id are not found", async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const stranger = await makeOrganization(service)
  const foreign = await makeAgent(service, stranger.key)
  for (const agent_id of [unknownAgent, foreign.id, '', 'nonsense', unknownAgent.replace('agt_', 'cal_')]) {
    assertRefused(await call('POST', '/v1/keys', { key, body: { agent_id } }), 404, 'not_found', { param: 'agent_id' })
  }
})

test('revoking answers 204, once; what is not a living agent key of the organization is not found', async ({
  service,
  call,
  statusOf,
}) => {
  const { key } = await makeOrganization(service)
  const stranger = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  const [organizationKey] = await service.app.sql`select id from api_keys where hash = ${sha256(key)}`
  assertRefused(await call('DELETE', `/v1/keys/${body.id}`, { key: stranger.key }), 404, 'not_found')
  for (const id of [unknownKey, 'x', agent.id, organizationKey!.id]) {
    assertRefused(await call('DELETE', `/v1/keys/${id}`, { key }), 404, 'not_found')
  }
  assert.deepEqual(await statusOf(body.key), [200, 200])
  const revoked = await call('DELETE', `/v1/keys/${body.id}`, { key })
  assert.deepEqual([revoked.status, revoked.body], [204, ''])
  assertRefused(await call('DELETE', `/v1/keys/${body.id}`, { key }), 404, 'not_found')
})

test('a revocation holds with the next request, on every process', async ({ service, call, second, statusOf }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  for (const revoker of [call, second.call]) {
    const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    // Both processes remember the key, and would continue to answer it.
    assert.deepEqual(await statusOf(body.key), [200, 200])
    assert.deepEqual(await statusOf(body.key), [200, 200])
    await revoker('DELETE', `/v1/keys/${body.id}`, { key })
    assert.deepEqual(await statusOf(body.key), [401, 401])
  }
  assert.deepEqual(await statusOf(key), [200, 200])
})

test('a key made on one process works on the other at once', async ({ service, second, statusOf }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const secret = 'svc_ak_not-yet-made-anywhere'
  assert.deepEqual(await statusOf(secret), [401, 401])
  const { body } = await second.call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  assert.deepEqual(await statusOf(body.key), [200, 200])
})

test('scoped keys need a paid plan, and the refusal names the feature', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const agent = await makeAgent(service, key)
  const requests: [method: string, path: string, body?: object][] = [
    ['POST', '/v1/keys', { agent_id: agent.id }],
    // The plan is checked before the body and before what exists.
    ['POST', '/v1/keys', { bogus: true }],
    ['GET', '/v1/keys'],
    ['DELETE', `/v1/keys/${unknownKey}`],
  ]
  for (const [method, path, body] of requests) {
    assertRefused(await call(method, path, { key, body }), 403, 'plan_required', { feature: 'scoped_keys' })
  }
})

test('an agent key can neither make, nor list, nor revoke keys', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { body: own } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  const requests: [method: string, path: string, body?: object][] = [
    ['POST', '/v1/keys', { agent_id: agent.id }],
    ['GET', '/v1/keys'],
    ['DELETE', `/v1/keys/${own.id}`],
  ]
  for (const [method, path, body] of requests) {
    assertRefused(await call(method, path, { key: own.key, body }), 403, 'forbidden')
  }
  assert.equal((await call('GET', '/v1/keys', { key })).body.keys.length, 1)
})

test('the cap on agent keys is 429, and a revoked key frees its place', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { scoped_keys: 2 } })
  const { id: agent_id } = await makeAgent(service, key)
  const make = () => call('POST', '/v1/keys', { key, body: { agent_id } })
  const answers = await Promise.all([make(), make(), make(), make()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 429, 429])
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(30 * 24 * 60 * 60))
  const made = answers.find(({ status }) => status === 201)!
  await call('DELETE', `/v1/keys/${made.body.id}`, { key })
  assert.equal((await make()).status, 201)
})

test('a key with the legacy prefix goes on to authenticate', async ({ service, call, second }) => {
  const { id, key } = await makeOrganization(service)
  const legacy = 'svc_sk_live_4f9a1c27d8e35b60'
  await service.app.sql`
    update api_keys set hash = ${sha256(legacy)}, prefix = ${legacy.slice(0, 20)} where hash = ${sha256(key)}`
  const [row] = await service.app.sql`select org_id from api_keys where hash = ${sha256(legacy)}`
  assert.equal(row!.orgId, decodeId('org', id))
  const { status, body } = await call('POST', '/v1/agents', { key: legacy, body: { name: 'A', type: 'ai' } })
  assert.deepEqual([status, body.orgId], [201, id])
  assertRefused(await second.call('GET', '/v1/agents', { key }), 401, 'authentication_error')
})

test('one organization has one living organization key', async ({ service, statusOf }) => {
  const { id, key } = await makeOrganization(service)
  const org = decodeId('org', id)!
  const insert = service.app.sql`
    insert into api_keys (org_id, id, hash, prefix, created_at)
    values (${org}, ${newId()}, ${sha256('svc_sk_second')}, 'svc_sk_second', ${testStart})`
  await assert.rejects(insert, { code: '23505' })
  assert.deepEqual(await statusOf(key), [200, 200])
})

test('a missing, malformed, unknown or foreign credential is 401', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const headers: (string | undefined)[] = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    key,
    `Basic ${btoa(`${key}:`)}`,
    `Token ${key}`,
    `Bearer ${key} ${key}`,
    `Bearer  ${key}`,
    `Bearer "${key}"`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}x`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${key.replace('svc_sk_', 'svc_ak_')}`,
    `Bearer ${key.slice(7)}`,
    `Bearer sk_${key}`,
    `Bearer ${adminToken}`,
    'Bearer svc_sk_',
    `Bearer svc_sk_${'x'.repeat(5_000)}`,
    "Bearer svc_sk_' or 1=1 --",
  ]
  for (const authorization of headers) {
    const answer = await call('GET', '/v1/agents', {
      headers: authorization === undefined ? undefined : { authorization },
    })
    assertRefused(answer, 401, 'authentication_error')
    assert.equal(answer.headers.get('ratelimit'), null)
  }
  // The case of the scheme is ignored (RFC 9110).
  assert.equal((await call('GET', '/v1/agents', { headers: { authorization: `bearer ${key}` } })).status, 200)
})

test('who one is comes before what one sent: a bad body, id or query without a key is 401', async ({ call }) => {
  for (const [method, path] of [
    ['POST', '/v1/agents'],
    ['GET', '/v1/agents?limit=nonsense'],
    ['PATCH', `/v1/agents/${unknownAgent}`],
    ['DELETE', '/v1/webhooks/x'],
  ] as const) {
    const raw = method === 'GET' || method === 'DELETE' ? undefined : '{'
    assertRefused(await call(method, path, { raw }), 401, 'authentication_error')
  }
})

test("a paused agent's key reads and writes nothing, until the agent is active again; on every process", async ({
  service,
  call,
  second,
  statusOf,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assert.deepEqual(await statusOf(agentKey), [200, 200])
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
  const eventPath = `/v1/calendars/${calendar.id}/events/${event.id}`
  const window = { title: 'T', start_time: ahead(service, 1), end_time: ahead(service, 2) }
  const writes: [method: string, path: string, body?: object][] = [
    ['PATCH', `/v1/agents/${agent.id}`, { status: 'active' }],
    ['DELETE', `/v1/agents/${agent.id}`],
    ['POST', `/v1/agents/${agent.id}/calendars`, { name: 'C', timezone: 'UTC' }],
    ['PATCH', `/v1/calendars/${calendar.id}`, { agent_status: 'working' }],
    ['POST', `/v1/calendars/${calendar.id}/events`, window],
    ['PATCH', eventPath, { title: 'X' }],
    ['DELETE', eventPath],
    ['PUT', `/v1/events/${event.id}/confirm`],
  ]
  for (const process of [second.call, call]) {
    for (const [method, path, body] of writes) {
      assertRefused(await process(method, path, { key: agentKey, body }), 403, 'forbidden')
    }
    const reads = ['/v1/agents', '/v1/calendars', `/v1/calendars/${calendar.id}/events`, eventPath]
    for (const path of reads) assert.equal((await process('GET', path, { key: agentKey })).status, 200)
  }
  // The organization's own key is not held up, and the agent's comes back.
  assert.equal((await call('PATCH', eventPath, { key, body: { title: 'By the organization' } })).status, 200)
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'active' } })
  for (const process of [second.call, call]) {
    assert.equal((await process('PATCH', eventPath, { key: agentKey, body: { title: 'Again' } })).status, 200)
  }
})

test("a decommissioned agent's keys die at once, on every process, and leave the list", async ({
  service,
  call,
  statusOf,
}) => {
  const { key } = await makeOrganization(service)
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const keys = [await makeAgentKey(service, key, agent.id), await makeAgentKey(service, key, agent.id)]
  const otherKey = await makeAgentKey(service, key, other.id)
  for (const agentKey of keys) assert.deepEqual(await statusOf(agentKey), [200, 200])
  // By its own key: the last thing it does.
  assert.equal((await call('DELETE', `/v1/agents/${agent.id}`, { key: keys[0] })).status, 204)
  for (const agentKey of keys) assert.deepEqual(await statusOf(agentKey), [401, 401])
  assert.deepEqual(await statusOf(otherKey), [200, 200])
  const { body } = await call('GET', '/v1/keys', { key })
  assert.deepEqual(
    body.keys.map(({ agent_id }: { agent_id: string }) => agent_id),
    [other.id],
  )
  assertRefused(await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } }), 409, 'conflict', {
    code: 'agent_decommissioned',
  })
})

test("a decommissioned agent's keys are not there to be revoked, and take no place under the cap", async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { scoped_keys: 1 } })
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const { body } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  assertRefused(await call('DELETE', `/v1/keys/${body.id}`, { key }), 404, 'not_found')
  assert.equal((await call('POST', '/v1/keys', { key, body: { agent_id: other.id } })).status, 201)
})

test('of keys made while their agent is decommissioned none outlives it', async ({
  service,
  call,
  second,
  statusOf,
}) => {
  const { key } = await makeOrganization(service)
  for (let round = 0; round < 10; round++) {
    const agent = await makeAgent(service, key)
    const make = (process: TestProcess['call']) => process('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
    const answers = await Promise.all([
      make(call),
      make(second.call),
      call('DELETE', `/v1/agents/${agent.id}`, { key }),
      make(call),
      make(second.call),
    ])
    for (const { status, body } of answers) {
      assert.ok([201, 204, 409].includes(status), JSON.stringify(body))
      if (status === 201) assert.deepEqual(await statusOf(body.key), [401, 401])
    }
    assert.deepEqual((await call('GET', '/v1/keys', { key })).body, { keys: [] })
  }
})

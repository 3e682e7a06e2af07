// The limits of a key of an organization: an end, addresses, and only reading; and when it was last used.
import assert from 'node:assert/strict'
import { writeUses } from '../../src/keys/uses.ts'
import { makeOwner, password } from '../../src/testing/accounts.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { guestEnv } from '../../src/testing/guests.ts'
import { askMcp, callMcp } from '../../src/testing/mcp/mcp.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { until } from '../../src/testing/until.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

type Body = Record<string, unknown>

const test = serviceTest({ env: guestEnv })
  .extend('owner', perFile, ({ service }) => makeOwner(service))
  .extend('make', perFile, ({ call, owner }) => async (body: Body = {}) => {
    // The tests set the clock ahead.
    await call('POST', '/v1/auth/reauthenticate', { key: owner.token, body: { password } })
    const made = await call('POST', '/v1/auth/keys', { key: owner.token, body: { name: 'CI', ...body } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  })
  /** On both processes. */
  .extend('ask', perFile, ({ call, second }) => (key: string, ip = '203.0.113.7') => {
    const headers = { 'x-forwarded-for': ip }
    return Promise.all([call, second.call].map((by) => by('GET', '/v1/agents', { key, headers })))
  })
  .extend('usedAt', perFile, ({ service, second, call, owner }) => async (id: string) => {
    for (const { app } of [service, second]) await writeUses(app)
    const { body } = await call('GET', '/v1/auth/keys', { key: owner.token })
    return body.keys.find((key: Body) => key.id === id).last_used_at
  })
  .extend('statements', perFile, ({ service, second }) => async () => {
    let count = 0
    for (const { app } of [service, second]) {
      const { values } = await app.metrics.postgresStatementDuration.get()
      for (const { metricName, labels, value } of values) {
        if (metricName?.endsWith('_count') && labels.statement === 'keys.setUses') count += value
      }
    }
    return count
  })
  .extend('refusals', perFile, ({ service, second }) => async (reason: string) => {
    let count = 0
    for (const { app } of [service, second]) {
      const { values } = await app.metrics.keyRefusals.get()
      count += values.find(({ labels }) => labels.reason === reason)?.value ?? 0
    }
    return count
  })

test('a key is refused from its end on, by the clock of each request, on every process', async ({
  service,
  make,
  ask,
  refusals,
}) => {
  const { key } = await make({ expires_at: new Date(service.clock.now().getTime() + 60_000) })
  const before = await refusals('key_expired')
  for (const answer of await ask(key)) assert.equal(answer.status, 200)
  await service.clock.advance(59_999)
  for (const answer of await ask(key)) assert.equal(answer.status, 200)
  await service.clock.advance(1)
  for (let twice = 0; twice < 2; twice++) {
    for (const answer of await ask(key)) {
      assertRefused(answer, 401, 'authentication_error', { code: 'key_expired' })
      assert.equal(answer.headers.get('ratelimit'), null)
    }
  }
  assert.equal((await refusals('key_expired')) - before, 4)
})

test('a wait for changes of a key that expires ends with 401', async ({ service, call, make }) => {
  const { key } = await make({ expires_at: new Date(service.clock.now().getTime() + 20_000) })
  const waiting = call('GET', '/v1/changes?wait=55', { key })
  await untilWaiting(service.app, 1)
  await service.clock.advance(20_000)
  assertRefused(await waiting, 401, 'authentication_error')
})

test('a key works only from its addresses; from elsewhere it spends no call and slows down nobody', async ({
  call,
  make,
  ask,
  owner,
  service,
  refusals,
}) => {
  const { key, key_prefix } = await make({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] })
  const before = await refusals('ip_not_allowed')
  for (const ip of ['203.0.113.7', '203.0.113.255', '2001:db8::7']) {
    for (const answer of await ask(key, ip)) assert.equal(answer.status, 200)
  }
  const left = async () => (await ask(key))[1]!.headers.get('ratelimit')
  const remaining = Number(/r=(\d+)/.exec((await left())!)![1])
  for (const ip of ['203.0.114.1', '198.51.100.7', '2001:db9::7']) {
    for (const answer of await ask(key, ip)) assertRefused(answer, 403, 'forbidden', { code: 'ip_not_allowed' })
  }
  // Two of the six calls of these are its own.
  assert.equal(Number(/r=(\d+)/.exec((await left())!)![1]), remaining - 2)
  assert.equal((await refusals('ip_not_allowed')) - before, 6)
  await service.gate.flush()
  await until(async () => {
    const { body } = await call('GET', `/v1/audit-log?action=auth.failure&actor_key_prefix=${key_prefix}`, {
      key: owner.key,
    })
    return body.data.length === 6 && body.data.every(({ status }: Body) => status === 403)
  })
})

test('new limits of a key hold with the next request, on every process', async ({
  call,
  make,
  ask,
  owner,
  service,
}) => {
  const { key, id } = await make()
  const change = async (body: Body) => {
    for (const answer of await ask(key)) assert.equal(answer.status, 200)
    const changed = await call('PATCH', `/v1/auth/keys/${id}`, { key: owner.token, body })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    return ask(key)
  }
  for (const answer of await change({ allowed_ips: ['198.51.100.0/24'] })) {
    assertRefused(answer, 403, 'forbidden', { code: 'ip_not_allowed' })
  }
  await call('PATCH', `/v1/auth/keys/${id}`, { key: owner.token, body: { allowed_ips: null } })
  await change({ expires_at: new Date(service.clock.now().getTime() + 60_000) })
  await service.clock.advance(60_000)
  for (const answer of await ask(key)) assertRefused(answer, 401, 'authentication_error', { code: 'key_expired' })
})

test('from elsewhere no budget is given back that was not taken', async ({ call, make, owner, service }) => {
  const { key } = await make({ allowed_ips: ['203.0.113.7'] })
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const agent = await makeAgent(service, owner.key)
  const used = async () => (await call('GET', '/v1/usage', { key: owner.key })).body.availability_queries.used
  const before = await used()
  const window = 'start=2026-03-03T09:00:00Z&end=2026-03-03T10:00:00Z'
  for (let n = 0; n < 3; n++) {
    const answer = await call('GET', `/v1/agents/${agent.id}/availability?${window}`, { key, headers })
    assertRefused(answer, 403, 'forbidden', { code: 'ip_not_allowed' })
  }
  assert.equal(await used(), before)
})

test('a key that may only read is refused every other method before its input is looked at', async ({
  service,
  call,
  second,
  make,
  owner,
  refusals,
}) => {
  const { key } = await make({ scope: 'read_only' })
  const agent = await makeAgent(service, owner.key)
  const before = await refusals('key_scope')
  for (const by of [call, second.call]) {
    assert.equal((await by('GET', `/v1/agents/${agent.id}`, { key })).status, 200)
    for (const [method, path, more] of [
      ['POST', '/v1/agents', { raw: '{' }],
      ['PATCH', `/v1/agents/${agent.id}`, { body: { bogus: 1 } }],
      ['DELETE', '/v1/agents/nonsense', {}],
      ['POST', '/v1/agents?dry_run=true', { body: { name: 'A', type: 'ai' } }],
      ['POST', '/v1/feedback', { headers: { 'idempotency-key': 'k'.repeat(20) } }],
    ] as const) {
      assertRefused(await by(method, path, { key, ...more }), 403, 'forbidden', { code: 'key_scope' })
    }
  }
  assert.equal((await refusals('key_scope')) - before, 10)
})

test('a key that may only read is listed only tools that read, and refused the others', async ({ service, make }) => {
  const { key } = await make({ scope: 'read_only' })
  const query = '?profile=full'
  const { body } = await askMcp(service, 'tools/list', {}, { key, query })
  const { tools } = body.result
  assert.ok(tools.length > 10)
  for (const { name, annotations } of tools) assert.equal(annotations.readOnlyHint, true, name)
  assert.equal((await callMcp(service, 'list_agents', {}, { key, query })).isError, undefined)
  const refused = await callMcp(service, 'create_agent', { name: 'A', type: 'ai' }, { key, query })
  assert.equal(refused.isError, true)
  assert.match(JSON.stringify(refused), /key_scope/)
})

test('the use of a key is written at once, then every ten minutes, and refused requests count', async ({
  service,
  make,
  ask,
  usedAt,
  statements,
}) => {
  const [one, other] = [await make(), await make({ allowed_ips: ['203.0.113.99'] })]
  assert.equal(await usedAt(one.id), null)
  const first = service.clock.now().toISOString()
  await ask(one.key)
  assert.equal(await usedAt(one.id), first)
  for (const answer of await ask(other.key)) assert.equal(answer.status, 403)
  assert.equal(await usedAt(other.id), first)
  await service.clock.advance(599_000)
  const before = await statements()
  await ask(one.key)
  assert.equal(await usedAt(one.id), first)
  assert.equal(await statements(), before)
  await service.clock.advance(1_000)
  await ask(one.key)
  assert.equal(await usedAt(one.id), service.clock.now().toISOString())
})

test('a process writes the uses of all its keys with one statement', async ({ service, make, call, statements }) => {
  await writeUses(service.app)
  const keys = await Promise.all(Array.from({ length: 4 }, () => make()))
  const before = await statements()
  await Promise.all(keys.map(({ key }) => call('GET', '/v1/agents', { key })))
  await writeUses(service.app)
  assert.equal((await statements()) - before, 1)
})

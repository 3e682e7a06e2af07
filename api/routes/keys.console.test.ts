import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .extend(
    'create',
    perFile,
    ({ call }) =>
      (token: string) =>
        call('POST', '/v1/auth/keys', { key: token }),
  )
  .extend(
    'regenerate',
    perFile,
    ({ call }) =>
      (token: string) =>
        call('POST', '/v1/auth/keys/regenerate', { key: token }),
  )
  .extend(
    'scoped',
    perFile,
    ({ call }) =>
      (token: string, body: object) =>
        call('POST', '/v1/auth/keys/scoped', { key: token, body }),
  )
  .extend(
    'change',
    perFile,
    ({ call }) =>
      (id: string, body: object) =>
        call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body }),
  )

test('the first key is made with 201, works, and there is no second one', async ({ service, create }) => {
  const { orgId, token } = await makeAccount(service)
  const { status, body } = await create(token)
  assert.equal(status, 201)
  assert.match(body.key, /^svc_sk_[\w-]{43}$/)
  assert.deepEqual(body, {
    id: body.id,
    key: body.key,
    key_prefix: body.key.slice(0, 20),
    created_at: service.clock.now().toISOString(),
  })
  assert.match(body.id, /^key_[0-9a-z]{26}$/)
  assert.equal((await makeAgent(service, body.key)).orgId, orgId)
  assertRefused(await create(token), 409, 'conflict')
})

test('of twenty requests for the first key at once, one gets it', async ({ service, create }) => {
  const { token } = await makeAccount(service)
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(token)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertRefused(answer, 409, 'conflict')
})

test('a regenerated key replaces the old one on every process before the answer', async ({
  service,
  second,
  create,
  regenerate,
}) => {
  const { token } = await makeAccount(service)
  let { key } = (await create(token)).body
  for (let n = 0; n < 5; n++) {
    assert.equal((await second.call('GET', '/v1/agents', { key })).status, 200)
    const { status, body } = await regenerate(token)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'key', 'key_prefix', 'created_at'])
    const [old, fresh] = await Promise.all([key, body.key].map((one) => second.call('GET', '/v1/agents', { key: one })))
    assertRefused(old!, 401, 'authentication_error')
    assert.equal(fresh!.status, 200)
    key = body.key
  }
})

test('of ten regenerations at once every one answers 201, and exactly one key lives', async ({
  service,
  call,
  create,
  regenerate,
}) => {
  const { token } = await makeAccount(service)
  await create(token)
  const answers = await Promise.all(Array.from({ length: 10 }, () => regenerate(token)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(201),
  )
  const uses = await Promise.all(answers.map(({ body }) => call('GET', '/v1/agents', { key: body.key })))
  assert.equal(uses.filter(({ status }) => status === 200).length, 1)
  assert.equal(uses.filter(({ status }) => status === 401).length, 9)
})

test('regenerating without a key makes the first one', async ({ service, create, regenerate }) => {
  const { token } = await makeAccount(service)
  assert.equal((await regenerate(token)).status, 201)
  assertRefused(await create(token), 409, 'conflict')
})

test('a scoped key needs a paid plan, then it is made as by POST /v1/keys', async ({
  service,
  call,
  create,
  scoped,
  change,
}) => {
  const { orgId, token } = await makeAccount(service)
  const { key } = (await create(token)).body
  const agent = await makeAgent(service, key)
  // Before what was sent is looked at.
  assertRefused(await scoped(token, { bogus: 1 }), 403, 'plan_required', { feature: 'scoped_keys' })
  await change(orgId, { plan: 'pro' })
  const { status, body } = await scoped(token, { agent_id: agent.id, label: 'console' })
  assert.equal(status, 201)
  assert.match(body.key, /^svc_ak_/)
  assert.deepEqual([body.agent_id, body.label, body.key_prefix], [agent.id, 'console', body.key.slice(0, 20)])
  assert.deepEqual((await call('GET', '/v1/agents', { key: body.key })).body.total, 1)
  assertRefused(await scoped(token, {}), 400, 'validation_error', { param: 'agent_id' })
  const other = await makeAgent(service, (await makeOrganization(service)).key)
  assertRefused(await scoped(token, { agent_id: other.id }), 404, 'not_found', { param: 'agent_id' })
})

test('an organization on the waitlist gets no key, and still signs in', async ({
  service,
  call,
  create,
  regenerate,
  scoped,
  change,
}) => {
  const { orgId, token } = await makeAccount(service)
  await change(orgId, { is_waitlisted: true })
  for (const answer of [await create(token), await regenerate(token), await scoped(token, {})]) {
    assertRefused(answer, 403, 'account_waitlisted')
  }
  assert.equal((await call('GET', '/v1/auth/me', { key: token })).body.org.is_waitlisted, true)
  await change(orgId, { is_waitlisted: false })
  assert.equal((await create(token)).status, 201)
})

test('keys of any kind make no keys here', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  for (const path of ['/v1/auth/keys', '/v1/auth/keys/regenerate', '/v1/auth/keys/scoped']) {
    assertRefused(await call('POST', path, { key, body: { bogus: 1 } }), 401, 'authentication_error')
    assertRefused(await call('POST', path), 401, 'authentication_error')
  }
})

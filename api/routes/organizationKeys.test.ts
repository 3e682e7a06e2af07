import assert from 'node:assert/strict'
import { makeOwner } from '../../src/testing/accounts.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Body = Record<string, unknown>

const test = serviceTest()
  .extend(
    'owner',
    perFile,
    ({ service }) =>
      () =>
        makeOwner(service),
  )
  .extend(
    'send',
    perFile,
    ({ call }) =>
      (token: string, method: string, path: string, body?: Body) =>
        call(method, `/v1/auth/keys${path}`, { key: token, ...(body && { body }) }),
  )
  .extend('make', perFile, ({ send }) => async (token: string, body: Body = {}) => {
    const made = await send(token, 'POST', '', { name: 'CI', ...body })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  })
  .extend(
    'listed',
    perFile,
    ({ send }) =>
      async (token: string) =>
        (await send(token, 'GET', '')).body.keys,
  )
  /** On both processes. */
  .extend('statusOf', perFile, ({ call, second }) => async (key: string) => {
    const answers = await Promise.all([call, second.call].map((by) => by('GET', '/v1/agents', { key })))
    return answers.map(({ status, body }) => (status === 200 ? 200 : (body.error.code ?? status)))
  })

const unknown = 'key_01k9xr8m3fe8tbc4x9m2v7h5qd'

test('a named key has a record of its own, beside the primary key', async ({
  service,
  owner,
  send,
  make,
  listed,
  statusOf,
}) => {
  const { token, key } = await owner()
  const allowed_ips = ['127.0.0.1', '203.0.113.0/24', '2001:db8::/32']
  const expires_at = new Date(service.clock.now().getTime() + 3_600_000).toISOString()
  const { key: secret, ...record } = await make(token, { scope: 'read_only', expires_at, allowed_ips })
  assert.match(secret, /^svc_sk_[\w-]{43}$/)
  const [named, primary] = await listed(token)
  assert.deepEqual(Object.keys(named).sort(), Object.keys(primary).sort())
  assert.deepEqual(record, {
    id: record.id,
    key_prefix: secret.slice(0, 20),
    name: 'CI',
    scope: 'read_only',
    primary: false,
    allowed_ips,
    created_at: service.clock.now().toISOString(),
    created_by: record.created_by,
    last_used_at: null,
    expires_at,
    replaced_by: null,
  })
  assert.deepEqual(named, record)
  const { name, scope, primary: isPrimary, allowed_ips: from, expires_at: end, replaced_by } = primary
  assert.deepEqual([name, scope, isPrimary, from, end, replaced_by], [null, 'full', true, null, null, null])
  assert.equal(primary.key_prefix, key.slice(0, 20))
  assert.deepEqual(await statusOf(secret), [200, 200])
  assertRefused(await send(token, 'POST', ''), 409, 'conflict')
  assertRefused(await send(token, 'POST', '', {}), 409, 'conflict')
})

test('a wrong body is refused by its field', async ({ service, owner, send, make, listed }) => {
  const { token } = await owner()
  const { id } = await make(token)
  const before = await listed(token)
  const past = service.clock.now().toISOString()
  const shared: [Body, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'n'.repeat(101) }, 'name'],
    [{ name: 1 }, 'name'],
    [{ expires_at: past }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ allowed_ips: [] }, 'allowed_ips'],
    [{ allowed_ips: '203.0.113.7' }, 'allowed_ips'],
    [{ allowed_ips: Array(21).fill('203.0.113.7') }, 'allowed_ips'],
    [{ allowed_ips: ['203.0.113.7', '203.0.113.7/24'] }, 'allowed_ips.1'],
    [{ allowed_ips: ['nowhere'] }, 'allowed_ips.0'],
    [{ allowed_ips: [7] }, 'allowed_ips.0'],
    [{ primary: true }, 'primary'],
  ]
  const ofCreation: [Body, string][] = [
    [{ name: undefined, scope: 'full' }, 'name'],
    [{ scope: 'write' }, 'scope'],
    [{ name: null }, 'name'],
  ]
  const refusedAs = async (method: string, path: string, body: Body, param: string) => {
    const answer = await send(token, method, path, body)
    const { code } = answer.body.error
    assertRefused(answer, 400, 'validation_error', { param, ...(code && { code }) })
  }
  for (const [body, param] of [...shared, ...ofCreation]) {
    await refusedAs('POST', '', { name: 'CI', ...body }, param)
  }
  for (const [body, param] of shared) await refusedAs('PATCH', `/${id}`, body, param)
  await refusedAs('PATCH', `/${id}`, { scope: 'full' }, 'scope')
  assertRefused(await send(token, 'PATCH', `/${id}`, {}), 400, 'validation_error')
  for (const [body, param] of [
    [{ overlap_seconds: -1 }, 'overlap_seconds'],
    [{ overlap_seconds: 604_801 }, 'overlap_seconds'],
    [{ overlap_seconds: 1.5 }, 'overlap_seconds'],
    [{ force: 1 }, 'force'],
    [{ expires_at: past }, 'expires_at'],
    [{ name: 'New' }, 'name'],
  ] as [Body, string][]) {
    await refusedAs('POST', `/${id}/rotate`, body, param)
  }
  await refusedAs('POST', '/regenerate', { overlap_seconds: 604_801 }, 'overlap_seconds')
  for (const path of ['', '/regenerate']) await refusedAs('POST', path, { bogus: 1 }, 'bogus')
  assert.deepEqual(await listed(token), before)
})

test('a change is in force on every process before its answer, and null clears', async ({
  service,
  owner,
  send,
  make,
  statusOf,
}) => {
  const { token } = await owner()
  const { id, key, ...made } = await make(token)
  assert.deepEqual(await statusOf(key), [200, 200])
  const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString()
  const change = { name: 'Renamed', allowed_ips: ['203.0.113.7'], expires_at }
  const changed = await send(token, 'PATCH', `/${id}`, change)
  assert.deepEqual(
    [changed.status, changed.body],
    [200, { id, ...made, ...change, last_used_at: changed.body.last_used_at }],
  )
  assert.deepEqual(await statusOf(key), ['ip_not_allowed', 'ip_not_allowed'])
  const cleared = await send(token, 'PATCH', `/${id}`, { allowed_ips: null, expires_at: null })
  assert.deepEqual([cleared.body.name, cleared.body.allowed_ips, cleared.body.expires_at], ['Renamed', null, null])
  assert.deepEqual(await statusOf(key), [200, 200])
})

test('a revoked key is dead on every process before the answer; the primary one makes room', async ({
  owner,
  send,
  make,
  listed,
  statusOf,
}) => {
  const { token, key: primary } = await owner()
  const { id, key } = await make(token)
  assert.deepEqual(await statusOf(key), [200, 200])
  assert.equal((await send(token, 'DELETE', `/${id}`)).status, 204)
  assert.deepEqual(await statusOf(key), [401, 401])
  for (const [method, path, body] of [
    ['DELETE', `/${id}`],
    ['PATCH', `/${id}`, { name: 'X' }],
    ['POST', `/${id}/rotate`],
    ['DELETE', `/${unknown}`],
    ['PATCH', '/nonsense', { name: 'X' }],
  ] as const) {
    assertRefused(await send(token, method, path, body), 404, 'not_found')
  }
  const [{ id: primaryId }] = await listed(token)
  await send(token, 'DELETE', `/${primaryId}`)
  assert.deepEqual(await statusOf(primary), [401, 401])
  assert.deepEqual(await listed(token), [])
  assert.equal((await send(token, 'POST', '')).status, 201)
})

test("another organization's keys and agents' keys are not there", async ({ owner, call, send, make, statusOf }) => {
  const [own, other] = [await owner(), await owner()]
  const foreign = await make(other.token)
  const { body: agent } = await call('POST', '/v1/agents', { key: own.key, body: { name: 'A', type: 'ai' } })
  const { body: ofAgent } = await call('POST', '/v1/keys', { key: own.key, body: { agent_id: agent.id } })
  for (const { id, key } of [foreign, ofAgent]) {
    assertRefused(await send(own.token, 'DELETE', `/${id}`), 404, 'not_found')
    assertRefused(await send(own.token, 'PATCH', `/${id}`, { name: 'X' }), 404, 'not_found')
    assertRefused(await send(own.token, 'POST', `/${id}/rotate`), 404, 'not_found')
    assert.deepEqual(await statusOf(key), [200, 200])
  }
  const named = await make(own.token)
  assertRefused(await call('DELETE', `/v1/keys/${named.id}`, { key: own.key }), 404, 'not_found')
  assertRefused(await call('POST', `/v1/keys/${named.id}/rotate`, { key: own.key }), 404, 'not_found')
})

test('the cap counts every key that was not replaced; of many at once only so many are made', async ({
  owner,
  call,
  send,
  make,
}) => {
  const { id, token } = await owner()
  await call('PATCH', `/v1/admin/orgs/${id}`, {
    key: adminToken,
    body: { plan: 'custom', limits: { organization_keys: 3 } },
  })
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(token, 'POST', '', { name: 'CI' })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 2)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertRefused(answer, 429, 'quota_exceeded')
  const made = answers.find(({ status }) => status === 201)!.body
  assert.equal((await send(token, 'POST', `/${made.id}/rotate`)).status, 201)
  assertRefused(await send(token, 'POST', '', { name: 'One more' }), 429, 'quota_exceeded')
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { plan: 'free' } })
  // Beyond the cap of the new plan, what there is still rotates.
  assert.equal((await send(token, 'POST', '/regenerate')).status, 201)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { plan: 'pro' } })
  await make(token)
})

test('a dry run makes, changes and rotates no key', async ({ owner, call, make, listed, statusOf }) => {
  const { token } = await owner()
  const { id, key } = await make(token)
  const before = await listed(token)
  for (const [method, path, body] of [
    ['POST', '', { name: 'CI' }],
    ['PATCH', `/${id}`, { name: 'X' }],
    ['POST', `/${id}/rotate`],
    ['POST', '/regenerate', { overlap_seconds: 60 }],
    ['DELETE', `/${id}`],
    ['DELETE', '/previous'],
  ] as const) {
    const answer = await call(method, `/v1/auth/keys${path}?dry_run=true`, { key: token, body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.doesNotMatch(JSON.stringify(answer.body), /svc_sk_[\w-]{43}/)
  }
  assert.deepEqual(await listed(token), before)
  assert.deepEqual(await statusOf(key), [200, 200])
})

test('the audit log names what was done with a key', async ({ owner, call, send, make }) => {
  const { token, key } = await owner()
  const { id } = await make(token)
  await send(token, 'PATCH', `/${id}`, { name: 'Renamed' })
  const { body: rotated } = await send(token, 'POST', `/${id}/rotate`)
  await send(token, 'DELETE', `/${rotated.id}`)
  const { body } = await call('GET', '/v1/audit-log?limit=4', { key })
  assert.deepEqual(
    body.data.map(({ action, resource }: Body) => [action, resource]),
    [
      ['key.delete', rotated.id],
      ['key.rotate', id],
      ['key.update', id],
      ['key.create', id],
    ],
  )
})

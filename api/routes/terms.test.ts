import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeId } from '../../src/shapes/ids.ts'
import { currentVersion, freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const usual = { version: 'v2', effective_at: '2026-06-01', url: 'https://example.com/terms/v2', material: true }
const header = 'service-terms-upgrade-required'

const test = serviceTest()
  .extend(
    'publish',
    perFile,
    ({ call }) =>
      (body: object) =>
        call('POST', '/v1/admin/terms', { key: adminToken, body }),
  )
  .extend(
    'accept',
    perFile,
    ({ call }) =>
      (token: string, body: object, headers?: Record<string, string>) =>
        call('PATCH', '/v1/auth/terms', { key: token, body, headers }),
  )
  /** Publishes terms between the reading and the writing of an acceptance: its record waits until they are in force. */
  .extend(
    'publishedMeanwhile',
    perFile,
    ({ service, publish }) =>
      async <T>(version: string, accepting: () => Promise<T>): Promise<T> => {
        const { sql } = service.app
        const open = await sql.reserve()
        await open`begin`
        await open`lock table terms_acceptances in share mode`
        let isDone = false
        const outcome = accepting().finally(() => {
          isDone = true
        })
        while (!isDone) {
          const [row] = await sql`
            select count(*)::integer as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          if (row?.waiting > 0) break
        }
        await publish({ ...usual, version, material: false })
        await open`commit`
        open.release()
        return outcome
      },
  )

test('a fresh installation has terms that nobody need accept again', async ({ service, call }) => {
  const { status, headers, body } = await call('GET', '/v1/auth/terms/current')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    version: '2026-11-01',
    effective_at: '2026-11-01',
    url: 'https://agent-calendar.example/terms/2026-11-01',
    material: false,
  })
  assert.equal(headers.get('cache-control'), 'public, max-age=60')
  const { key } = await makeOrganization(service)
  assert.equal((await call('GET', '/v1/agents', { key })).headers.get(header), null)
})

test('publishing answers 201 with the manifest as it was sent, and it is in force at once', async ({
  call,
  second,
  publish,
}) => {
  for (const effective_at of ['2026-06-01', '2026-06-01T09:30:00+02:00', '2026-06-01T07:30:00.5Z']) {
    const body = { ...usual, version: `with ${effective_at}`, effective_at, material: false }
    const answer = await publish(body)
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.body, body)
    for (const process of [call, second.call]) {
      assert.deepEqual((await process('GET', '/v1/auth/terms/current')).body, body)
    }
  }
})

test('a version can be put in force again', async ({ call, publish }) => {
  await publish({ ...usual, version: 'once', material: false })
  await publish({ ...usual, version: 'twice', material: false })
  await publish({ ...usual, version: 'once', material: false, url: 'https://example.com/elsewhere' })
  const { body } = await call('GET', '/v1/auth/terms/current')
  assert.deepEqual([body.version, body.url], ['once', 'https://example.com/elsewhere'])
})

test('terms that break a rule are refused with the field, and the current ones stay', async ({
  service,
  call,
  publish,
}) => {
  const before = await currentVersion(service)
  const cases: [param: string, body: object][] = [
    ['version', { ...usual, version: undefined }],
    ['version', { ...usual, version: '' }],
    ['version', { ...usual, version: ' v2' }],
    ['version', { ...usual, version: 'v\n2' }],
    ['version', { ...usual, version: 'ü' }],
    ['version', { ...usual, version: 2 }],
    ['version', { ...usual, version: 'v'.repeat(101) }],
    ['effective_at', { ...usual, effective_at: '2026-02-30' }],
    ['effective_at', { ...usual, effective_at: '2026-06-01T09:30:00' }],
    ['effective_at', { ...usual, effective_at: 'soon' }],
    ['effective_at', { ...usual, effective_at: null }],
    ['url', { ...usual, url: 'terms.html' }],
    ['url', { ...usual, url: 'javascript:alert(1)' }],
    ['material', { ...usual, material: 'true' }],
    ['material', { ...usual, material: undefined }],
    ['text', { ...usual, text: 'all of it' }],
  ]
  for (const [param, body] of cases) assertRefused(await publish(body), 400, 'validation_error', { param })
  assertRefused(await call('POST', '/v1/admin/terms', { body: usual }), 401, 'authentication_error')
  assert.equal(await currentVersion(service), before)
})

test('accepting answers with version and time, and changes the organization', async ({
  service,
  call,
  publish,
  accept,
}) => {
  const { token } = await makeAccount(service)
  await publish({ ...usual, version: 'to accept', material: false })
  await service.clock.advance(60_000)
  const { status, body } = await accept(token, { tos_version: 'to accept' })
  assert.equal(status, 200)
  const accepted_terms_at = service.clock.now().toISOString()
  assert.deepEqual(body, { data: { accepted_terms_version: 'to accept', accepted_terms_at } })
  const { org } = (await call('GET', '/v1/auth/me', { key: token })).body
  assert.deepEqual([org.accepted_terms_version, org.accepted_terms_at], ['to accept', accepted_terms_at])
})

test('accepting another version is 409 with the current one, and keys cannot accept on this route', async ({
  service,
  call,
  accept,
}) => {
  const { token } = await makeAccount(service)
  const current = await currentVersion(service)
  const stale = await accept(token, { tos_version: '2026-11-01' })
  assert.equal(stale.body.error.current_version, current)
  delete stale.body.error.current_version
  assertRefused(stale, 409, 'tos_version_stale', { param: 'tos_version' })
  const cases: [param: string, body: object][] = [
    ['tos_version', {}],
    ['tos_version', { tos_version: '' }],
    ['tos_version', { tos_version: null }],
    ['version', { tos_version: current, version: current }],
  ]
  for (const [param, body] of cases) assertRefused(await accept(token, body), 400, 'validation_error', { param })
  const { key } = await makeOrganization(service)
  for (const authorization of [undefined, `Bearer ${key}`]) {
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const answer = await call('PATCH', '/v1/auth/terms', { headers, body: { tos_version: current } })
    assertRefused(answer, 401, 'authentication_error')
  }
})

test('an acceptance of terms that are replaced meanwhile is refused, and nothing is recorded', async ({
  service,
  call,
  accept,
  publishedMeanwhile,
}) => {
  const { token } = await makeAccount(service)
  const email = freshEmail('waiting')
  const join = (body: object) => call('POST', '/v1/waitlist', { body: { email, ...body } })
  await join({})
  const recorded = async () => ({
    acceptances: [...(await service.app.sql`select id from terms_acceptances order by id`)],
    console: (await call('GET', '/v1/auth/me', { key: token })).body.org,
    waiting: (await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.data,
  })
  const before = await recorded()
  const attempts: [replacing: string, attempt: (tos_version: string) => Promise<Answer>][] = [
    ['meanwhile, for the console', (tos_version) => accept(token, { tos_version })],
    ['meanwhile, for the waitlist', (tos_version) => join({ tos_version })],
  ]
  for (const [replacing, attempt] of attempts) {
    const current = await currentVersion(service)
    const answer = await publishedMeanwhile(replacing, () => attempt(current))
    assert.equal(answer.body.error?.current_version, replacing)
    delete answer.body.error.current_version
    assertRefused(answer, 409, 'tos_version_stale', { param: 'tos_version' })
    assert.deepEqual(await recorded(), before)
  }
})

test('each acceptance is recorded with address, user agent and the hash of the manifest', async ({
  service,
  accept,
}) => {
  const { orgId, token } = await makeAccount(service)
  const version = await currentVersion(service)
  await accept(token, { tos_version: version }, { 'user-agent': 'tests/1' })
  await accept(token, { tos_version: version }, { 'user-agent': 'tests/2' })
  const rows = await service.app.sql`
    select a.version, a.source, a.ip, a.user_agent, a.document_hash, a.accepted_at
    from terms_acceptances a join audit_entries e on e.org_id = a.org_id and e.action = 'auth.signup'
    where e.resource = ${orgId} order by a.id`
  assert.deepEqual(
    rows.map(({ userAgent }) => userAgent),
    ['node', 'tests/1', 'tests/2'],
  )
  assert.equal(new Set(rows.map(({ documentHash }) => Buffer.from(documentHash).toString('hex'))).size, 1)
  assert.deepEqual(
    { ...rows[2], documentHash: null },
    {
      version,
      source: 'console',
      ip: '127.0.0.1',
      userAgent: 'tests/2',
      documentHash: null,
      acceptedAt: service.clock.now(),
    },
  )
})

test('an organization accepts with its own key, an agent key cannot accept', async ({
  service,
  call,
  second,
  publish,
}) => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const send = (by: string, body: object) => call('POST', '/v1/terms/accept', { key: by, body })
  await publish({ ...usual, version: 'by key', material: true })
  assert.equal((await call('GET', '/v1/agents', { key })).headers.get(header), 'by key')
  const stale = await send(key, { tos_version: '2026-11-01' })
  assert.equal(stale.body.error.current_version, 'by key')
  delete stale.body.error.current_version
  assertRefused(stale, 409, 'tos_version_stale', { param: 'tos_version' })
  assert.equal(stale.headers.get(header), 'by key')
  assertRefused(await send(key, {}), 400, 'validation_error', { param: 'tos_version' })
  assertRefused(await send(agentKey, { tos_version: 'by key' }), 403, 'forbidden')
  assertRefused(await call('POST', '/v1/terms/accept', { body: {} }), 401, 'authentication_error')

  const accepted = await send(key, { tos_version: 'by key' })
  const accepted_terms_at = service.clock.now().toISOString()
  assert.equal(accepted.status, 200)
  assert.deepEqual(accepted.body, { data: { accepted_terms_version: 'by key', accepted_terms_at } })
  assert.equal(accepted.headers.get(header), null)
  for (const process of [call, second.call]) {
    assert.equal((await process('GET', '/v1/agents', { key })).headers.get(header), null)
  }
  const rows = await service.app.sql`select org_id, source from terms_acceptances where version = 'by key'`
  assert.deepEqual(
    rows.map(({ orgId, source }) => [encodeId('org', orgId), source]),
    [[id, 'key']],
  )
  const [entry] = (await call('GET', '/v1/audit-log?action=org.update', { key })).body.data
  assert.deepEqual(
    [entry.actor_key_prefix, entry.resource, entry.path, entry.status],
    [key.slice(0, 20), id, '/v1/terms/accept', 200],
  )
  assert.equal('actor_account' in entry, false)
  await publish({ ...usual, version: 'v2', material: false })
})

test('an acceptance stays on record without its organization when the account is deleted', async ({
  service,
  call,
  accept,
}) => {
  const { token } = await makeAccount(service)
  const version = await currentVersion(service)
  await accept(token, { tos_version: version }, { 'user-agent': 'the last of it' })
  assert.equal((await call('DELETE', '/v1/auth/account', { key: token })).status, 204)
  const [row] = await service.app.sql`
    select org_id, version, ip from terms_acceptances where user_agent = 'the last of it'`
  assert.deepEqual({ ...row }, { orgId: null, version, ip: '127.0.0.1' })
  assertRefused(await accept(token, { tos_version: version }), 401, 'authentication_error')
})

test('every authenticated answer names material terms until they are accepted', async ({
  service,
  call,
  second,
  publish,
  accept,
}) => {
  const account = await makeAccount(service)
  const console = account.token
  const { key } = (await call('POST', '/v1/auth/keys', { key: console })).body
  const admins = await makeOrganization(service)
  const agent = await makeAgent(service, admins.key)
  const agentKey = await makeAgentKey(service, admins.key, agent.id)
  await publish({ ...usual, version: 'v3', material: true })

  const requests: [status: number, method: string, path: string, key: string][] = [
    [200, 'GET', '/v1/agents', key],
    [404, 'GET', '/v1/agents/agt_none', key],
    [403, 'GET', '/v1/keys', key],
    [400, 'POST', '/v1/agents', key],
    [200, 'GET', '/v1/agents', admins.key],
    [403, 'GET', '/v1/webhooks', agentKey],
    [200, 'GET', '/v1/auth/me', console],
    [400, 'PATCH', '/v1/auth/terms', console],
  ]
  const stale = await accept(console, { tos_version: 'v2' })
  assert.deepEqual([stale.status, stale.headers.get(header)], [409, 'v3'])
  for (const [status, method, path, by] of requests) {
    const answer = await call(method, path, { key: by })
    assert.deepEqual([answer.status, answer.headers.get(header)], [status, 'v3'], `${method} ${path}`)
  }
  for (const path of ['/v1/auth/terms/current', '/v1/plans', '/healthz']) {
    assert.equal((await call('GET', path)).headers.get(header), null)
  }

  // It learns of new terms within about a second.
  const toldBySecond = async () => (await second.call('GET', '/v1/agents', { key })).headers.get(header)
  const deadline = Date.now() + 3_000
  while ((await toldBySecond()) !== 'v3' && Date.now() < deadline) await pause(50)
  const accepted = await accept(console, { tos_version: 'v3' })
  assert.deepEqual([accepted.status, accepted.headers.get(header)], [200, null])
  for (const by of [key, console]) {
    const path = by === key ? '/v1/agents' : '/v1/auth/me'
    for (const process of [call, second.call]) {
      assert.equal((await process('GET', path, { key: by })).headers.get(header), null)
    }
  }
  assert.equal((await call('GET', '/v1/agents', { key: admins.key })).headers.get(header), 'v3')
  await publish({ ...usual, version: 'v4', material: false })
  assert.equal((await call('GET', '/v1/agents', { key: admins.key })).headers.get(header), null)
})

test('answers of other processes name new terms within about a second', async ({ service, second, publish }) => {
  const { key } = await makeOrganization(service)
  const told = async () => (await second.call('GET', '/v1/agents', { key })).headers.get(header)
  for (const [version, material] of [
    ['v5', false],
    ['v6', true],
  ] as const) {
    await publish({ ...usual, version, material })
    const expected = material ? version : null
    const deadline = Date.now() + 3_000
    while ((await told()) !== expected && Date.now() < deadline) await pause(50)
    assert.equal(await told(), expected)
  }
})

import assert from 'node:assert/strict'
import { limitNames } from '../../src/plans/plans.ts'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken, testStart } from '../../src/testing/harness.ts'
import type { TestProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .extend(
    'create',
    perFile,
    ({ call }) =>
      (body: object) =>
        call('POST', path, { key: adminToken, body }),
  )
  .extend(
    'change',
    perFile,
    ({ call }) =>
      (id: string, body: object) =>
        call('PATCH', `${path}/${id}`, { key: adminToken, body }),
  )

const path = '/v1/admin/orgs'
const unknownId = 'org_01k9xr8m3fe8tbc4x9m2v7h5qd'
const usual = { name: 'Acme', email: 'owner@acme.example' }
test('creating an organization answers 201 with its record, exactly its fields, and its key', async ({
  service,
  create,
}) => {
  const { status, body } = await create(usual)
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['org', 'api_key'])
  assert.match(body.api_key, /^svc_sk_[A-Za-z0-9_-]{43}$/)
  assert.match(body.org.id, /^org_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(body.org, {
    id: body.org.id,
    name: 'Acme',
    email: 'owner@acme.example',
    plan: 'free',
    verification_status: null,
    is_waitlisted: false,
    signup_source: 'admin',
    email_verified: false,
    accepted_terms_version: null,
    accepted_terms_at: null,
    created_at: testStart.toISOString(),
    updated_at: testStart.toISOString(),
  })
  const agent = await makeAgent(service, body.api_key)
  assert.equal(agent.orgId, body.org.id)
})

test('an organization begins with the plan it is given', async ({ create }) => {
  for (const plan of ['free', 'pro', 'custom']) assert.equal((await create({ ...usual, plan })).body.org.plan, plan)
})

const refusedBodies: [param: string, body: object][] = [
  ['name', { email: usual.email }],
  ['name', { ...usual, name: '' }],
  ['name', { ...usual, name: 'n'.repeat(256) }],
  ['email', { name: 'Acme' }],
  ['email', { ...usual, email: 'nobody' }],
  ['email', { ...usual, email: 'a@b' }],
  ['email', { ...usual, email: `${'a'.repeat(320)}@acme.example` }],
  ['plan', { ...usual, plan: 'gold' }],
  ['plan', { ...usual, plan: 'free-agent' }],
  ['plan', { ...usual, plan: 'free-agent-unverified' }],
  ['plan', { ...usual, plan: null }],
  ['limits', { ...usual, limits: [] }],
  ['limits.agents', { ...usual, limits: { agents: -1 } }],
  ['limits.agents', { ...usual, limits: { agents: 1.5 } }],
  ['limits.calendars', { ...usual, limits: { agents: 1, calendars: '5' } }],
  ['limits.seats', { ...usual, limits: { seats: 5 } }],
  ['rate_limit_per_second', { ...usual, rate_limit_per_second: 0 }],
  ['rate_limit_per_second', { ...usual, rate_limit_per_second: 0.5 }],
  ['rate_limit_per_second', { ...usual, rate_limit_per_second: '10' }],
  ['is_waitlisted', { ...usual, is_waitlisted: true }],
  ['id', { ...usual, id: unknownId }],
]

test('a body that breaks a rule is refused with the dotted path of the field, and nothing is created', async ({
  call,
  create,
}) => {
  const before = (await call('GET', path, { key: adminToken })).body.total
  for (const [param, body] of refusedBodies) {
    assertRefused(await create(body), 400, 'validation_error', { param })
  }
  assert.equal((await call('GET', path, { key: adminToken })).body.total, before)
})

test('limits take every name of the plans, a number or null', async ({ create }) => {
  for (const value of [0, 5, null]) {
    const limits = Object.fromEntries(limitNames.map((name) => [name, value]))
    assert.equal((await create({ ...usual, plan: 'custom', limits })).status, 201)
  }
})

test('anything but the administrator token is 401, for every administration endpoint', async ({ service, call }) => {
  const { id, key } = await makeOrganization(service)
  const headers: Record<string, string>[] = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: adminToken },
    { authorization: `Basic ${adminToken}` },
    { authorization: `Bearer ${adminToken}x` },
    { authorization: `Bearer ${adminToken.slice(0, -1)}` },
    { authorization: `Bearer ${adminToken.toUpperCase()}` },
    { authorization: `Bearer ${key}` },
  ]
  for (const sent of headers) {
    for (const [method, at, body] of [
      ['POST', path, usual],
      ['GET', path, undefined],
      ['PATCH', `${path}/${id}`, { plan: 'custom' }],
      // Who one is comes before what one sent.
      ['PATCH', `${path}/nonsense`, { bogus: 1 }],
    ] as const) {
      assertRefused(await call(method, at, { headers: sent, body }), 401, 'authentication_error')
    }
  }
  const { body } = await call('GET', `${path}?limit=200`, { key: adminToken })
  assert.equal(body.data.find((org: { id: string }) => org.id === id).plan, 'pro')
})

test('the list shows the newest first, pages, and filters by e-mail address, whatever its case', async ({
  call,
  create,
}) => {
  const made = []
  for (let n = 0; n < 3; n++) made.unshift((await create({ ...usual, email: `Boss+${n}@List.example` })).body.org)
  const list = async (query: string) => (await call('GET', `${path}?${query}`, { key: adminToken })).body
  assert.deepEqual((await list('limit=3')).data, made)
  const page = await list('limit=1&offset=1')
  assert.deepEqual([page.data, page.limit, page.offset], [[made[1]], 1, 1])
  assert.ok(page.total > 3)
  for (const email of ['Boss+1@List.example', 'boss+1@list.EXAMPLE']) {
    const found = await list(`email=${encodeURIComponent(email)}`)
    assert.deepEqual(found, { data: [made[1]], total: 1, limit: 50, offset: 0 })
  }
  assert.deepEqual((await list('email=boss')).data, [])
  assert.deepEqual((await list('email=%25')).total, 0)
})

test('a text that Postgres cannot hold is refused in a query, too', async ({ call }) => {
  const answer = await call('GET', `${path}?email=a%00b`, { key: adminToken })
  assertRefused(answer, 400, 'validation_error', { param: 'email' })
})

test('PATCH answers with the changed record and leaves what it does not name', async ({ service, create, change }) => {
  const { body } = await create(usual)
  await service.clock.advance(60_000)
  const changed = await change(body.org.id, { plan: 'pro' })
  assert.equal(changed.status, 200)
  const updated_at = service.clock.now().toISOString()
  assert.deepEqual(changed.body, { ...body.org, plan: 'pro', updated_at })
  const waitlisted = await change(body.org.id, { is_waitlisted: true })
  assert.deepEqual(waitlisted.body, { ...body.org, plan: 'pro', is_waitlisted: true, updated_at })
  const again = await change(body.org.id, { is_waitlisted: false })
  assert.equal(again.body.is_waitlisted, false)
})

test('PATCH refuses an empty body, unknown keys and values, and unknown organizations', async ({ service, change }) => {
  const { id } = await makeOrganization(service)
  const cases: [body: object, param: string | null][] = [
    [{}, null],
    [{ plan: 'free-agent' }, 'plan'],
    [{ limits: { agents: 1.5 } }, 'limits.agents'],
    [{ limits: null }, 'limits'],
    [{ rate_limit_per_second: -1 }, 'rate_limit_per_second'],
    [{ is_waitlisted: 'true' }, 'is_waitlisted'],
    [{ name: 'Other' }, 'name'],
    [{ email: 'other@acme.example' }, 'email'],
  ]
  for (const [body, param] of cases) assertRefused(await change(id, body), 400, 'validation_error', { param })
  for (const unknown of [unknownId, 'x', id.replace('org_', 'agt_'), '%00']) {
    assertRefused(await change(unknown, { plan: 'pro' }), 404, 'not_found')
  }
})

test('a new plan is in force on every process for the next request', async ({ service, call, second, change }) => {
  const { id, key } = await makeOrganization(service, { plan: 'free' })
  const keys = () => Promise.all([call, second.call].map((process) => process('GET', '/v1/keys', { key })))
  const expectPlan = async (status: number, calls: number) => {
    for (const answer of await keys()) {
      assert.equal(answer.status, status)
      assert.match(answer.headers.get('ratelimit-policy') ?? '', new RegExp(`q=${calls};`))
    }
  }
  await expectPlan(403, 50_000)
  for (let n = 0; n < 3; n++) await makeAgent(service, key)
  const fourth = { key, body: { name: 'Fourth', type: 'ai' } }
  assertRefused(await second.call('POST', '/v1/agents', fourth), 429, 'quota_exceeded')
  await change(id, { plan: 'pro' })
  await expectPlan(200, 1_000_000)
  assert.equal((await second.call('POST', '/v1/agents', fourth)).status, 201)
  await change(id, { plan: 'free' })
  await expectPlan(403, 50_000)
})

test('the limits of a custom plan are in force on every process, and null or absent is unlimited', async ({
  service,
  call,
  second,
  change,
}) => {
  const { id, key } = await makeOrganization(service, { plan: 'custom', limits: { agents: 1, api_calls: 100 } })
  const make = (process: TestProcess['call']) => process('POST', '/v1/agents', { key, body: { name: 'A', type: 'ai' } })
  assert.equal((await make(call)).status, 201)
  for (const process of [call, second.call]) assertRefused(await make(process), 429, 'quota_exceeded')
  await change(id, { limits: { agents: 2, api_calls: 200 } })
  const made = await make(second.call)
  assert.equal(made.status, 201)
  assert.match(made.headers.get('ratelimit-policy') ?? '', /q=200;/)
  assertRefused(await make(call), 429, 'quota_exceeded')
  // The object is replaced: api_calls, absent now, is unlimited.
  await change(id, { limits: { agents: null } })
  const third = await make(call)
  assert.equal(third.status, 201)
  assert.equal(third.headers.get('ratelimit-policy'), null)
})

test('the limits agreed with an organization count on the custom plan only', async ({ service, call, change }) => {
  const { id, key } = await makeOrganization(service, { plan: 'free', limits: { agents: 5 } })
  for (let n = 0; n < 3; n++) await makeAgent(service, key)
  const fourth = { key, body: { name: 'Fourth', type: 'ai' } }
  assertRefused(await call('POST', '/v1/agents', fourth), 429, 'quota_exceeded')
  await change(id, { plan: 'custom' })
  assert.equal((await call('POST', '/v1/agents', fourth)).status, 201)
})

test('rate_limit_per_second replaces the rate of the plan at once; null gives it back', async ({
  service,
  call,
  create,
  change,
}) => {
  const { body } = await create(usual)
  const key = body.api_key
  /** How many of thirty requests at one instant are answered, after a while in which the bucket filled. */
  const burst = async () => {
    await service.clock.advance(2_000)
    const answers = await Promise.all(Array.from({ length: 30 }, () => call('GET', '/v1/agents', { key })))
    return answers.filter(({ status }) => status === 200).length
  }
  assert.equal(await burst(), 10)
  await change(body.org.id, { rate_limit_per_second: 4 })
  assert.equal(await burst(), 4)
  await change(body.org.id, { rate_limit_per_second: null })
  assert.equal(await burst(), 10)
  await change(body.org.id, { plan: 'custom' })
  assert.equal(await burst(), 30)
})

test('a waitlisted organization is refused on every process until it is let in', async ({
  service,
  call,
  second,
  change,
}) => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  await change(id, { is_waitlisted: true })
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', '/v1/agents'],
    ['GET', `/v1/agents/${agent.id}`],
    ['POST', '/v1/agents', { name: 'A', type: 'ai' }],
    ['POST', '/v1/keys', { agent_id: agent.id }],
    // Before what was sent is looked at.
    ['POST', '/v1/calendars', { bogus: 1 }],
    ['GET', '/v1/webhooks?limit=0'],
  ]
  for (const process of [call, second.call]) {
    for (const [method, at, body] of requests) {
      assertRefused(await process(method, at, { key, body }), 403, 'account_waitlisted')
    }
  }
  await change(id, { is_waitlisted: false })
  for (const process of [call, second.call]) {
    assert.equal((await process('GET', '/v1/agents', { key })).body.total, 1)
  }
})

test('changes of one organization at once are all kept', async ({ service, change }) => {
  const { id } = await makeOrganization(service, { plan: 'free' })
  const changes = [{ plan: 'pro' }, { is_waitlisted: true }, { rate_limit_per_second: 77 }]
  for (const answer of await Promise.all(changes.map((body) => change(id, body)))) assert.equal(answer.status, 200)
  const [row] = await service.app.sql`
    select plan, is_waitlisted, rate_limit_per_second from organizations order by id desc limit 1`
  assert.deepEqual({ ...row }, { plan: 'pro', isWaitlisted: true, rateLimitPerSecond: 77 })
})

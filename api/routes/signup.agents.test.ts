import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { changesOf } from '../../src/testing/changes.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { codeTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { assertGeneric, freshAddress, freshEmail, otherThan, sandboxTest } from '../../src/testing/sandboxes.ts'

const test = sandboxTest()

test('a new address gets an organization in the sandbox, its first agent, and a key that works', async ({
  call,
  tos_version,
  usual,
  signUp,
  orgById,
}) => {
  const email = freshEmail()
  const { status, body } = await signUp(usual(email))
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['org_id', 'agent_id', 'api_key', 'message'])
  assert.match(body.api_key, /^svc_sk_[\w-]{43}$/)
  const agents = await call('GET', '/v1/agents', { key: body.api_key })
  assert.deepEqual(
    agents.body.data.map(({ id, name, type, orgId }: Record<string, string>) => [id, name, type, orgId]),
    [[body.agent_id, 'Scout', 'ai', body.org_id]],
  )
  assert.match(agents.headers.get('ratelimit-policy') ?? '', /q=1000;/)
  const org = await orgById(body.org_id)
  assert.deepEqual(
    [org.plan, org.verification_status, org.signup_source, org.email, org.email_verified, org.accepted_terms_version],
    ['free-agent-unverified', 'unverified', 'agent', email, false, tos_version],
  )
})

test('the change feed of a new organization begins with its first agent', async ({ service, call, usual, signUp }) => {
  const { body } = await signUp(usual(freshEmail()))
  const [entry, ...more] = await changesOf(service, body.org_id)
  const agents = await call('GET', '/v1/agents', { key: body.api_key })
  assert.deepEqual([entry!.type, entry!.payload, more], ['agent.created', { agent: agents.body.data[0] }, []])
  assert.deepEqual(entry!.actor, { agent_id: null, key_prefix: body.api_key.slice(0, 20) })
})

test('signing up again gets an opaque answer and a fresh code for the same key', async ({
  service,
  call,
  usual,
  signUp,
  verify,
  makeSandbox,
}) => {
  const { email, key } = await makeSandbox()
  const first = await codeTo(service, email)
  for (let n = 0; n < 10; n++) await verify(key, otherThan(first))
  await service.clock.advance(1_000)
  const again = await signUp({ ...usual(` ${email.toUpperCase()} `), agent_name: 'Other' })
  assert.equal(again.status, 200)
  assert.deepEqual(Object.keys(again.body), ['message'])
  const mails = await mailsTo(service, email)
  assert.equal(mails.length, 2)
  const fresh = await codeTo(service, email)
  if (fresh !== first) assertGeneric(await verify(key, first))
  assert.equal((await verify(key, fresh)).status, 200)
  assert.equal((await call('GET', '/v1/agents', { key })).body.total, 1)
})

test('ten fresh codes a day are mailed to one address, then none, and the answer stays the same', async ({
  service,
  usual,
  signUp,
  makeSandbox,
}) => {
  const { email } = await makeSandbox()
  for (let n = 0; n < 12; n++) {
    // A mail is no longer sent once its code has expired.
    await service.drain()
    await service.clock.advance(10 * 60_000)
    assert.deepEqual(Object.keys((await signUp(usual(email))).body), ['message'])
  }
  assert.equal((await mailsTo(service, email)).length, 1 + 10)
  await service.clock.advance(24 * 60 * 60_000)
  await signUp(usual(email))
  assert.equal((await mailsTo(service, email)).length, 1 + 10 + 1)
})

test('every known address is answered alike; only one in the sandbox gets a mail', async ({
  service,
  call,
  usual,
  signUp,
  verify,
  makeSandbox,
}) => {
  const unverified = await makeSandbox()
  const verified = await makeSandbox()
  await verify(verified.key, await codeTo(service, verified.email))
  const console = await makeAccount(service, { email: freshEmail() })
  const waiting = freshEmail()
  await call('POST', '/v1/waitlist', { body: { email: waiting }, headers: freshAddress() })
  await makeOrganization(service)
  const counts = async () => {
    const found = []
    for (const email of known) found.push((await mailsTo(service, email)).length)
    return found
  }
  const known = [unverified.email, verified.email, console.email, waiting, 'owner@example.com']
  const before = await counts()
  const answers = []
  for (const email of known) {
    const startedAt = performance.now()
    answers.push(await signUp(usual(email)))
    assert.ok(performance.now() - startedAt >= 195, 'no answer comes before the others')
  }
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.deepEqual(body, answers[0]!.body)
  }
  assert.deepEqual(Object.keys(answers[0]!.body), ['message'])
  assert.deepEqual(
    (await counts()).map((after, at) => after - before[at]!),
    [1, 0, 0, 0, 0],
  )
})

test('of ten sign-ups with one address at once, one gets the organization', async ({ call, usual, signUp }) => {
  const email = freshEmail()
  const answers = await Promise.all(Array.from({ length: 10 }, () => signUp(usual(email))))
  for (const { status } of answers) assert.equal(status, 200)
  assert.equal(answers.filter(({ body }) => 'api_key' in body).length, 1)
  assert.equal((await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.total, 1)
})

test('a console sign-up and an agent sign-up with one address at once: one organization', async ({
  call,
  tos_version,
  usual,
  signUp,
}) => {
  for (let n = 0; n < 5; n++) {
    const email = freshEmail()
    const password = 'correct horse battery'
    const [agent, account] = await Promise.all([
      signUp(usual(email)),
      call('POST', '/v1/auth/signup', { body: { email, password, tos_version } }),
    ])
    assert.equal(agent.status, 200)
    assert.equal(account.status === 201, !('api_key' in agent.body))
    assert.equal((await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.total, 1)
  }
})

test('a sign-up that breaks a rule is refused with the field, and nothing is stored', async ({
  service,
  tos_version,
  usual,
  signUp,
}) => {
  const email = freshEmail()
  const cases: [param: string, body: object][] = [
    ['email', { ...usual(email), email: undefined }],
    ['email', { ...usual(email), email: 'x@y' }],
    ['agent_name', { ...usual(email), agent_name: undefined }],
    ['agent_name', { ...usual(email), agent_name: '' }],
    ['agent_name', { ...usual(email), agent_name: 'n'.repeat(101) }],
    ['tos_version', { ...usual(email), tos_version: undefined }],
    ['plan', { ...usual(email), plan: 'pro' }],
  ]
  for (const [param, body] of cases) assertRefused(await signUp(body), 400, 'validation_error', { param })
  const stale = await signUp({ ...usual(email), tos_version: 'old' })
  assert.equal(stale.body.error.current_version, tos_version)
  delete stale.body.error.current_version
  assertRefused(stale, 409, 'tos_version_stale', { param: 'tos_version' })
  assert.deepEqual(await mailsTo(service, email), [])
  assert.equal('api_key' in (await signUp({ ...usual(email), agent_name: 'n'.repeat(100) })).body, true)
})

test('one client address may send five requests a minute, valid or not', async ({ service, usual, signUp }) => {
  const headers = freshAddress()
  for (let n = 0; n < 5; n++) assert.notEqual((await signUp(n ? usual(freshEmail()) : {}, headers)).status, 429)
  const refused = await signUp(usual(freshEmail()), headers)
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '60')
  await service.clock.advance(60_000)
  assert.equal((await signUp(usual(freshEmail()), headers)).status, 200)
})

test('one e-mail domain, in any case, may send ten sign-ups an hour', async ({ service, usual, signUp }) => {
  const domain = freshEmail().split('@')[1]!
  for (let n = 0; n < 10; n++) {
    const at = n % 2 ? domain.toUpperCase() : domain
    assert.equal('api_key' in (await signUp(usual(`owner${n}@${at}`))).body, true)
  }
  const refused = await signUp(usual(`owner10@${domain}`))
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '3600')
  await service.clock.advance(60 * 60_000)
  assert.equal((await signUp(usual(`owner10@${domain}`))).status, 200)
})

test('an IPv4 client is logged by its own address, also when the socket shows it as IPv6', async ({
  call,
  usual,
  signUp,
}) => {
  const { body } = await signUp(usual(freshEmail()), { 'x-forwarded-for': '::ffff:203.0.113.9' })
  const { body: log } = await call('GET', '/v1/audit-log', { key: body.api_key })
  assert.deepEqual([...new Set(log.data.map((entry: { ip: string }) => entry.ip))], ['203.0.113.9'])
})

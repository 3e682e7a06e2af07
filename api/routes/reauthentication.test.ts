import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, wrongCodeOf } from '../../src/testing/factors.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = factorTest()
const minute = 60_000
const asked = (...methods: string[]) => ({ code: 'reauthentication_required', methods })

test('signing in counts for ten minutes, then the password does', async ({ service, call, signIn }) => {
  const account = await makeAccount(service)
  const begin = (key: string) => call('POST', '/v1/auth/factors/totp', { key })
  assert.equal((await begin(account.token)).status, 201)
  await service.clock.advance(10 * minute)
  assertRefused(await begin(account.token), 403, 'forbidden', asked('password'))
  const other = (await signIn({ email: account.email, password })).body.token
  const shown = await call('POST', '/v1/auth/reauthenticate', { key: account.token, body: { password } })
  assert.equal(shown.status, 200)
  const until = new Date(service.app.clock.now().getTime() + 10 * minute).toISOString()
  assert.deepEqual(shown.body, { reauthenticated_until: until })
  assert.equal((await begin(account.token)).status, 201)

  await service.clock.advance(9 * minute)
  assert.equal((await begin(other)).status, 201)
  assert.equal((await call('DELETE', '/v1/auth/reauthenticate', { key: other })).status, 204)
  assertRefused(await begin(other), 403, 'forbidden', asked('password'))
  assert.equal((await begin(account.token)).status, 201, 'each session for itself')
})

test('a wrong or unfit password or code is a validation_error, and the session lives', async ({
  service,
  call,
  makePerson,
  me,
}) => {
  const [plain, person] = [await makeAccount(service), await makePerson()]
  const show = (key: string, body: object) => call('POST', '/v1/auth/reauthenticate', { key, body })
  const refused = async (key: string, body: object, param: string | null) =>
    assertRefused(await show(key, body), 400, 'validation_error', { param })
  await refused(plain.token, { password: 'not the password' }, 'password')
  await refused(plain.token, { code: '123456' }, 'code')
  await refused(person.token, { password }, 'password')
  await refused(person.token, { code: wrongCodeOf(service, person.secret) }, 'code')
  for (const body of [{}, { password, code: '123456' }, { password: 1 }])
    assert.equal((await show(plain.token, body)).status, 400)
  for (const { token } of [plain, person]) assert.equal((await me(token)).status, 200)
})

test('with a factor only a code counts, and it counts for sign-ins too', async ({
  service,
  call,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  await service.clock.advance(10 * minute)
  const renew = () => call('POST', '/v1/auth/factors/recovery-codes', { key: person.token })
  const show = (code: string) => call('POST', '/v1/auth/reauthenticate', { key: person.token, body: { code } })
  assertRefused(await renew(), 403, 'forbidden', asked('code'))
  const code = codeOf(service, person.secret)
  assert.equal((await show(code)).status, 200)
  assert.equal((await renew()).status, 200)
  assertRefused(await show(code), 400, 'validation_error', { param: 'code' })
  assertRefused(await sendCode(await challengeOf(person), code), 401, 'authentication_error', { code: 'wrong_code' })
})

test('a recovery code shows it once', async ({ service, call, makePerson }) => {
  const person = await makePerson()
  const body = { code: person.recoveryCodes[3]! }
  const show = () => call('POST', '/v1/auth/reauthenticate', { key: person.token, body })
  assert.equal((await show()).status, 200)
  assertRefused(await show(), 400, 'validation_error', { param: 'code' })
  assert.match((await mailsTo(service, person.email)).at(-1)!.text, /recovery code used/)
})

test('ten wrong passwords refuse the right one for fifteen minutes', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const show = (body: object) => call('POST', '/v1/auth/reauthenticate', { key: token, body })
  for (let n = 0; n < 10; n++) assert.equal((await show({ password: 'not the password' })).status, 400)
  assertRefused(await show({ password }), 429, 'rate_limit_error')
  await service.clock.advance(15 * minute)
  assert.equal((await show({ password })).status, 200)
})

test('it comes before formats, and a dry run asks too', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  await call('DELETE', '/v1/auth/reauthenticate', { key: token })
  for (const path of [
    '/v1/auth/factors/totp',
    '/v1/auth/factors/totp?dry_run=true',
    '/v1/auth/factors/totp?nonsense=1',
  ])
    assertRefused(await call('POST', path, { key: token, body: { nonsense: 1 } }), 403, 'forbidden', asked('password'))
})

test('an only member without a factor does what existed before without being asked', async ({ service, call }) => {
  const { token, orgId } = await makeAccount(service)
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
  await service.clock.advance(60 * minute)
  assert.equal((await call('POST', '/v1/auth/keys', { key: token })).status, 201)
  const { body: agent } = await call('POST', '/v1/agents', { key: token, body: { name: 'A', type: 'ai' } })
  assert.equal((await call('POST', '/v1/auth/keys/regenerate', { key: token })).status, 201)
  assert.equal((await call('POST', '/v1/keys', { key: token, body: { agent_id: agent.id } })).status, 201)
  assert.equal((await call('GET', '/v1/auth/export', { key: token })).status, 200)
  assert.equal((await call('DELETE', '/v1/auth/account', { key: token })).status, 204)
})

test('with a factor they ask', async ({ service, call, makePerson }) => {
  const { token, secret } = await makePerson()
  const made = await call('POST', '/v1/auth/keys', { key: token })
  assert.equal(made.status, 201)
  await service.clock.advance(60 * minute)
  const acts = [
    ['POST', '/v1/auth/keys'],
    ['POST', '/v1/auth/keys/regenerate'],
    ['POST', '/v1/auth/keys/scoped'],
    ['POST', '/v1/keys'],
    ['GET', '/v1/auth/export'],
    ['DELETE', '/v1/auth/account'],
  ] as const
  for (const [method, path] of acts)
    assertRefused(await call(method, path, { key: token }), 403, 'forbidden', asked('code'))
  assert.equal((await call('GET', '/v1/agents', { key: made.body.key })).status, 200, 'keys are untouched')
  const body = { code: codeOf(service, secret) }
  assert.equal((await call('POST', '/v1/auth/reauthenticate', { key: token, body })).status, 200)
  for (const [method, path] of acts)
    assert.notEqual((await call(method, path, { key: token })).body.error?.code, 'reauthentication_required', path)
})

import assert from 'node:assert/strict'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { sessionTest } from '../../src/testing/sessions.ts'

const test = sessionTest()

test('signing in answers 200 in the same shape, with a session of its own', async ({ service, signIn, me }) => {
  const account = await makeAccount(service)
  const { status, headers, body } = await signIn({ email: account.email, password })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'org', 'token'])
  assert.equal(body.org.id, account.orgId)
  assert.notEqual(body.token, account.token)
  assert.match(headers.get('set-cookie') ?? '', new RegExp(`^svc_session=${body.token};`))
  for (const token of [account.token, body.token]) assert.equal((await me(token)).status, 200)
})

test('the cookie is secure where the service is reached over https', async ({ service, signIn, onTestFinished }) => {
  const secure = await openProcess(service, { config: { baseUrl: 'https://calendar.example' } })
  onTestFinished(secure.close)
  const { headers } = await signIn({ email: (await makeAccount(service)).email, password }, secure)
  assert.match(headers.get('set-cookie') ?? '', /; Secure$/)
})

test('an unknown address and a wrong password are refused alike', async ({ service, signIn }) => {
  const { email } = await makeAccount(service)
  // Its owner has no account, and so no password.
  await makeOrganization(service)
  const answers = [
    await signIn({ email, password: `${password}!` }),
    await signIn({ email, password: 'short' }),
    await signIn({ email, password: password.toUpperCase() }),
    await signIn({ email: freshEmail('stranger'), password }),
    await signIn({ email: 'owner@example.com', password }),
  ]
  for (const answer of answers) assertRefused(answer, 401, 'authentication_error')
  assert.equal(new Set(answers.map(({ body }) => body.error.message)).size, 1)
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('set-cookie')),
    [null, null, null, null, null],
  )
})

test('signing in without an address or a password is a validation_error', async ({ signIn }) => {
  assertRefused(await signIn({ password }), 400, 'validation_error', { param: 'email' })
  assertRefused(await signIn({ email: freshEmail() }), 400, 'validation_error', { param: 'password' })
  assertRefused(await signIn({ email: 'x', password }), 400, 'validation_error', { param: 'email' })
})

test('ten failures of one address refuse every password for fifteen minutes, on every process', async ({
  service,
  second,
  signIn,
}) => {
  const { email } = await makeAccount(service)
  const other = await makeAccount(service)
  for (let n = 0; n < 10; n++) {
    const process = n % 2 ? second : service
    assertRefused(await signIn({ email, password: 'wrong password' }, process), 401, 'authentication_error')
  }
  for (const attempt of ['wrong password', password]) {
    const refused = await signIn({ email: email.toUpperCase(), password: attempt }, second)
    assertRefused(refused, 429, 'rate_limit_error')
    assert.equal(refused.headers.get('retry-after'), String(15 * 60))
  }
  assert.equal((await signIn({ email: other.email, password })).status, 200)
  await service.clock.advance(15 * 60_000)
  assert.equal((await signIn({ email, password })).status, 200)
})

test('of fifty guesses at once ten are checked', async ({ service, signIn }) => {
  const { email } = await makeAccount(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => signIn({ email, password: `guess number ${nth}` })),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 40)
  await service.clock.advance(15 * 60_000)
})

test('the right password among many wrong ones at once is refused, too', async ({ service, signIn }) => {
  const { email } = await makeAccount(service)
  const guesses = Array.from({ length: 40 }, (_, nth) => signIn({ email, password: `guess number ${nth}` }))
  // Checked behind all of them, but begun before there were ten failures.
  await Promise.race(guesses)
  assertRefused(await signIn({ email, password }), 429, 'rate_limit_error')
  await Promise.all(guesses)
  await service.clock.advance(15 * 60_000)
})

test('a client address has a hundred failed sign-ins, over all accounts', async ({ service, signIn }) => {
  await service.clock.advance(15 * 60_000)
  for (let n = 0; n < 100; n += 20) {
    const guesses = Array.from({ length: 20 }, () => signIn({ email: freshEmail('guess'), password }))
    for (const answer of await Promise.all(guesses)) assertRefused(answer, 401, 'authentication_error')
  }
  assertRefused(await signIn({ email: freshEmail('guess'), password }), 429, 'rate_limit_error')
  await service.clock.advance(15 * 60_000)
})

test('a form of another site neither signs in nor signs up', async ({ service, call, tos_version }) => {
  const { email } = await makeAccount(service)
  const headers = { origin: 'https://evil.example' }
  for (const path of ['/v1/auth/signin', '/v1/auth/signup']) {
    const body = path.endsWith('in') ? { email, password } : { email: freshEmail(), password, tos_version }
    assertRefused(await call('POST', path, { headers, body }), 403, 'forbidden')
  }
})

test('with Redis away people still sign in, work and sign out', async ({ service, signIn, me, onTestFinished }) => {
  const alone = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  onTestFinished(alone.close)
  const { email } = await makeAccount(service)
  const { token } = (await signIn({ email, password }, alone)).body
  const { status, headers } = await me(token, alone)
  assert.equal(status, 200)
  assert.match(headers.get('ratelimit') ?? '', /r=50000;/)
  assert.equal((await alone.call('POST', '/v1/auth/signout', { key: token })).status, 204)
  assertRefused(await me(token), 401, 'authentication_error')
})

test('the audit log has each sign-up, sign-in, failure and sign-out', async ({ service, call, signIn }) => {
  const { email, orgId, token } = await makeAccount(service)
  await signIn({ email, password: 'wrong password' })
  const other = (await signIn({ email, password })).body.token
  await call('POST', '/v1/auth/signout', { key: other })
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  await service.gate.flush()
  const { body } = await call('GET', '/v1/audit-log', { key })
  const entries = body.data.map((entry: Record<string, unknown>) => [entry.action, entry.status, entry.resource])
  const id = entries.find(([action]: string[]) => action === 'key.create')[2]
  assert.deepEqual(entries.toSorted(), [
    ['auth.failure', 401, null],
    ['auth.signin', 200, orgId],
    ['auth.signout', 204, orgId],
    ['auth.signup', 201, orgId],
    ['key.create', 201, id],
  ])
  assert.ok(body.data.every((entry: { ip: string }) => entry.ip === '127.0.0.1'))
})

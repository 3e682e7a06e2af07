import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService } from '../../src/testing/harness.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let elsewhere: TestProcess
let call: TestService['call']
let tos_version: string

beforeAll(async () => {
  service = await openTestService()
  elsewhere = await openProcess(service)
  call = service.call
  tos_version = await currentVersion(service)
})
afterAll(async () => {
  await elsewhere.close()
  await service.close()
})

const signUp = (body: object) => call('POST', '/v1/auth/signup', { body })
const signIn = (body: object, process: Pick<TestService, 'call'> = service) =>
  process.call('POST', '/v1/auth/signin', { body })
const me = (token: string, process: Pick<TestService, 'call'> = service) =>
  process.call('GET', '/v1/auth/me', { key: token })

test('signing up answers 201 with the organization, a token that works, its end, and the cookie', async () => {
  const email = freshEmail('Founder')
  const { status, headers, body } = await signUp({ email, password, name: 'Acme', tos_version })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'org', 'token'])
  const now = service.clock.now().toISOString()
  assert.deepEqual(body.org, {
    id: body.org.id,
    name: 'Acme',
    email,
    plan: 'free',
    verification_status: null,
    is_waitlisted: false,
    signup_source: 'console',
    email_verified: false,
    accepted_terms_version: tos_version,
    accepted_terms_at: now,
    created_at: now,
    updated_at: now,
  })
  assert.equal(body.expires_at, new Date(service.clock.now().getTime() + 12 * 3_600_000).toISOString())
  const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString())
  assert.equal(claims.sub, body.org.id)
  assert.equal(claims.exp, Date.parse(body.expires_at) / 1000)
  assert.deepEqual(headers.getSetCookie(), [`svc_session=${body.token}; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax`])
  assert.deepEqual((await me(body.token)).body, { org: body.org })
})

test('the cookie is secure where the service is reached over https', async () => {
  const secure = await openProcess(service, { config: { baseUrl: 'https://calendar.example' } })
  const { headers } = await signIn({ email: (await makeAccount(service)).email, password }, secure)
  assert.match(headers.get('set-cookie') ?? '', /; Secure$/)
  await secure.close()
})

test('an organization without a name is called after the address', async () => {
  const { body } = await signUp({ email: 'jane.doe@example.com', password, tos_version })
  assert.equal(body.org.name, 'jane.doe')
})

test('a sign-up that breaks a rule is refused with the field, and nothing is stored', async () => {
  const email = freshEmail()
  const cases: [param: string, body: object][] = [
    ['email', { password, tos_version }],
    ['email', { email: 'nobody', password, tos_version }],
    ['email', { email: 5, password, tos_version }],
    ['password', { email, tos_version }],
    ['password', { email, password: 'x'.repeat(11), tos_version }],
    ['password', { email, password: 'x'.repeat(129), tos_version }],
    ['name', { email, password, tos_version, name: '' }],
    ['tos_version', { email, password }],
    ['tos_version', { email, password, tos_version: '' }],
    ['tos_version', { email, password, tos_version: 1 }],
    ['plan', { email, password, tos_version, plan: 'pro' }],
  ]
  for (const [param, body] of cases) assertRefused(await signUp(body), 400, 'validation_error', { param })
  const stale = await signUp({ email, password, tos_version: 'old' })
  assert.equal(stale.body.error.current_version, tos_version)
  delete stale.body.error.current_version
  assertRefused(stale, 409, 'tos_version_stale', { param: 'tos_version' })
  assert.equal((await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.total, 0)
})

test('passwords of 12 and of 128 characters are taken', async () => {
  for (const length of [12, 128]) {
    const email = freshEmail()
    const long = 'ä'.repeat(length)
    assert.equal((await signUp({ email, password: long, tos_version })).status, 201)
    assert.equal((await signIn({ email, password: long })).status, 200)
  }
})

test('one address has one account, whatever its case and the blanks around it', async () => {
  const { email } = await makeAccount(service, { email: 'Some.One@Example.com' })
  for (const again of [email, 'some.one@example.COM', `  ${email} `]) {
    assertRefused(await signUp({ email: again, password, tos_version }), 409, 'email_taken', { param: 'email' })
    assert.equal((await signIn({ email: again, password })).status, 200)
  }
})

test('an address that an administrator gave to an organization is taken, too', async () => {
  await makeOrganization(service)
  assertRefused(await signUp({ email: 'owner@example.com', password, tos_version }), 409, 'email_taken', {
    param: 'email',
  })
})

test('of twenty sign-ups with one address at once, one gets it', async () => {
  const email = freshEmail()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      signUp({ email: nth % 2 ? email : email.toUpperCase(), password, tos_version }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 409, 'email_taken', { param: 'email' })
  }
  assert.equal((await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.total, 1)
})

test('signing in answers 200 in the same shape, with a session of its own', async () => {
  const account = await makeAccount(service)
  const { status, headers, body } = await signIn({ email: account.email, password })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'org', 'token'])
  assert.equal(body.org.id, account.orgId)
  assert.notEqual(body.token, account.token)
  assert.match(headers.get('set-cookie') ?? '', new RegExp(`^svc_session=${body.token};`))
  for (const token of [account.token, body.token]) assert.equal((await me(token)).status, 200)
})

test('an unknown address and a wrong password are refused alike', async () => {
  const { email } = await makeAccount(service)
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

test('signing in without an address or a password is a validation_error', async () => {
  assertRefused(await signIn({ password }), 400, 'validation_error', { param: 'email' })
  assertRefused(await signIn({ email: freshEmail() }), 400, 'validation_error', { param: 'password' })
  assertRefused(await signIn({ email: 'x', password }), 400, 'validation_error', { param: 'email' })
})

test('ten failures of one address close the door for fifteen minutes, on every process, to the right password too', async () => {
  const { email } = await makeAccount(service)
  const other = await makeAccount(service)
  for (let n = 0; n < 10; n++) {
    const process = n % 2 ? elsewhere : service
    assertRefused(await signIn({ email, password: 'wrong password' }, process), 401, 'authentication_error')
  }
  for (const attempt of ['wrong password', password]) {
    const refused = await signIn({ email: email.toUpperCase(), password: attempt }, elsewhere)
    assertRefused(refused, 429, 'rate_limit_error')
    assert.equal(refused.headers.get('retry-after'), String(15 * 60))
  }
  assert.equal((await signIn({ email: other.email, password })).status, 200)
  await service.clock.advance(15 * 60_000)
  assert.equal((await signIn({ email, password })).status, 200)
})

test('fifty guesses at once learn no more than ten do', async () => {
  const { email } = await makeAccount(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => signIn({ email, password: `guess number ${nth}` })),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 40)
  await service.clock.advance(15 * 60_000)
})

test('the right password among wrong ones, all sent at once, is refused with the rest', async () => {
  const { email } = await makeAccount(service)
  const guesses = Array.from({ length: 40 }, (_, nth) => signIn({ email, password: `guess number ${nth}` }))
  // Checked behind all of them, but begun before there were ten failures.
  await Promise.race(guesses)
  assertRefused(await signIn({ email, password }), 429, 'rate_limit_error')
  await Promise.all(guesses)
  await service.clock.advance(15 * 60_000)
})

test('failed sign-ins of one client address are limited over all accounts, more loosely', async () => {
  await service.clock.advance(15 * 60_000)
  for (let n = 0; n < 100; n += 20) {
    const guesses = Array.from({ length: 20 }, () => signIn({ email: freshEmail('guess'), password }))
    for (const answer of await Promise.all(guesses)) assertRefused(answer, 401, 'authentication_error')
  }
  assertRefused(await signIn({ email: freshEmail('guess'), password }), 429, 'rate_limit_error')
  await service.clock.advance(15 * 60_000)
})

test('signing out ends this session on every process, leaves others, and takes the cookie away', async () => {
  const { email, token } = await makeAccount(service)
  const other = (await signIn({ email, password })).body.token
  assert.equal((await me(token, elsewhere)).status, 200)
  const out = await call('POST', '/v1/auth/signout', { key: token })
  assert.equal(out.status, 204)
  assert.equal(out.body, '')
  assert.match(out.headers.get('set-cookie') ?? '', /^svc_session=; Path=\/; Max-Age=0;/)
  for (const process of [service, elsewhere]) {
    assertRefused(await me(token, process), 401, 'authentication_error')
    assert.equal((await me(other, process)).status, 200)
  }
  assertRefused(await call('POST', '/v1/auth/signout', { key: token }), 401, 'authentication_error')
})

test('a session lasts twelve hours', async () => {
  const { token } = await makeAccount(service)
  await service.clock.advance(12 * 3_600_000 - 1_000)
  assert.equal((await me(token)).status, 200)
  await service.clock.advance(1_000)
  assertRefused(await me(token), 401, 'authentication_error')
})

test('only a session opens session routes: keys, foreign and changed tokens are refused', async () => {
  const { key } = await makeOrganization(service)
  const { token } = await makeAccount(service)
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const stranger = await openTestService({ env: { SESSION_SECRETS: 'another-session-secret-of-32-characters' } })
  const foreign = (await makeAccount(stranger)).token
  await stranger.close()
  const sent: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${key}` },
    { authorization: `Bearer ${adminToken}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${unsigned}.${claims}.` },
    { authorization: `Bearer ${header}.${claims}.${signature.slice(0, -4)}AAAA` },
    { authorization: `Bearer ${foreign}` },
    { authorization: `Basic ${token}` },
    { authorization: '' },
    { cookie: 'svc_session=' },
    { cookie: `svc_session=${foreign}` },
    // The key does not become a session by the cookie beside it.
    { authorization: `Bearer ${key}`, cookie: `svc_session=${token}` },
  ]
  for (const headers of sent) assertRefused(await call('GET', '/v1/auth/me', { headers }), 401, 'authentication_error')
})

test('secrets can be replaced: the first signs, all verify', async () => {
  const { token } = await makeAccount(service)
  const old = service.app.config.sessionSecrets
  const renewed = await openProcess(service, { config: { sessionSecrets: ['x'.repeat(40), ...old] } })
  assert.equal((await me(token, renewed)).status, 200)
  const fresh = await makeAccount(renewed)
  assert.equal((await me(fresh.token, renewed)).status, 200)
  assertRefused(await me(fresh.token), 401, 'authentication_error')
  await renewed.close()
})

test('the cookie is as good as the token, but not for what another site asks for', async () => {
  const { cookie } = await makeAccount(service)
  const patch = (headers: Record<string, string>) =>
    call('PATCH', '/v1/auth/terms', { headers: { cookie: `a=b; ${cookie}; c=d`, ...headers }, body: { tos_version } })
  const { origin } = new URL(service.baseUrl)
  const allowed: Record<string, string>[] = [
    {},
    { origin },
    { 'sec-fetch-site': 'same-origin', origin: 'http://proxied.example' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of allowed) assert.equal((await patch(headers)).status, 200, JSON.stringify(headers))
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin },
  ]
  for (const headers of refused) assertRefused(await patch(headers), 403, 'forbidden')
  const read = await call('GET', '/v1/auth/me', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  assert.equal(read.status, 200)
})

test('another site can sign nobody in', async () => {
  const { email } = await makeAccount(service)
  const headers = { origin: 'https://evil.example' }
  for (const path of ['/v1/auth/signin', '/v1/auth/signup']) {
    const body = path.endsWith('in') ? { email, password } : { email: freshEmail(), password, tos_version }
    assertRefused(await call('POST', path, { headers, body }), 403, 'forbidden')
  }
})

test('session answers tell the quota and spend nothing of it', async () => {
  const { orgId, token } = await makeAccount(service)
  const pk = `pk=${orgId}`
  for (let n = 0; n < 3; n++) {
    const { headers } = await me(token)
    assert.equal(headers.get('ratelimit-policy'), `"quota";q=50000;w=2592000;${pk}`)
    assert.match(headers.get('ratelimit') ?? '', /^"quota";r=50000;t=2592000$/)
  }
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  await call('GET', '/v1/agents', { key })
  const bad = await call('PATCH', '/v1/auth/terms', { key: token, body: {} })
  assert.equal(bad.status, 400)
  assert.match(bad.headers.get('ratelimit') ?? '', /r=49999;/)
})

test('with Redis away people still sign in, work and sign out', async () => {
  const alone = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  const { email } = await makeAccount(service)
  const { token } = (await signIn({ email, password }, alone)).body
  const { status, headers } = await me(token, alone)
  assert.equal(status, 200)
  assert.match(headers.get('ratelimit') ?? '', /r=50000;/)
  assert.equal((await alone.call('POST', '/v1/auth/signout', { key: token })).status, 204)
  assertRefused(await me(token), 401, 'authentication_error')
  await alone.close()
})

test('signing up, in, wrongly and out stands in the audit log', async () => {
  const { email, orgId, token } = await makeAccount(service)
  await signIn({ email, password: 'wrong password' })
  const second = (await signIn({ email, password })).body.token
  await call('POST', '/v1/auth/signout', { key: second })
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

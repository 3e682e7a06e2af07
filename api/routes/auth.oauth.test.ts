import assert from 'node:assert/strict'
import { beginSignIn } from '../../src/accounts/oidc.ts'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { openFeedServer } from '../../src/testing/feedServer.ts'
import { adminToken, openTestService } from '../../src/testing/harness.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = identityTest()
test.beforeEach(async ({ service }) => {
  await service.clock.advance(60_000)
})

let nth = 0
const person = (email = freshEmail('oauth'), more: object = {}) => ({
  sub: `subject-${++nth}`,
  email,
  email_verified: true,
  ...more,
})

test('the way leads to the provider with PKCE, state and nonce, and leaves a cookie of ten minutes', async ({
  service,
  provider,
  start,
}) => {
  const { status, location, cookie } = await start()
  assert.equal(status, 302)
  const url = new URL(location)
  assert.equal(url.origin, provider.issuer)
  const { code_challenge, state, nonce, ...rest } = Object.fromEntries(url.searchParams)
  assert.deepEqual(rest, {
    client_id: 'calendar',
    response_type: 'code',
    redirect_uri: `${service.baseUrl}/v1/auth/oauth/acme/callback`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  for (const secret of [code_challenge, state, nonce]) assert.match(secret ?? '', /^[\w-]{43}$/)
  assert.match(cookie, /^svc_oauth=[\w.-]+; Path=\/v1\/auth\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/)
})

test('a new person gets an organization with a proven address, a session and its cookie', async ({
  call,
  tos_version,
  enter,
}) => {
  const who = person(undefined, { name: 'Jane Doe' })
  const { status, headers, body } = await enter(who)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'org', 'token'])
  const { org } = body
  assert.deepEqual(
    [org.name, org.email, org.email_verified, org.signup_source, org.plan, org.accepted_terms_version],
    ['Jane Doe', who.email, true, 'oauth', 'free', tos_version],
  )
  const cookies = headers.getSetCookie()
  assert.equal(cookies.length, 2)
  assert.ok(cookies[0]?.startsWith(`svc_session=${body.token}; Path=/;`))
  assert.match(cookies[1] ?? '', /^svc_oauth=; Path=\/v1\/auth\/oauth; Max-Age=0;/)
  assert.equal((await call('GET', '/v1/auth/me', { key: body.token })).body.org.id, org.id)
})

test('the same person comes back without terms, even with another address', async ({ enter }) => {
  const who = person()
  const first = await enter(who)
  const again = await enter({ ...who, email: freshEmail() }, '')
  assert.equal(again.status, 200)
  assert.equal(again.body.org.id, first.body.org.id)
  assert.notEqual(again.body.token, first.body.token)
})

test('a new account needs the current terms: stale ones are refused at once, none at the end', async ({
  call,
  tos_version,
  enter,
}) => {
  const answers = [await call('GET', '/v1/auth/oauth/acme?tos_version=old'), await enter(person(), '')]
  for (const answer of answers) {
    assert.equal(answer.body.error.current_version, tos_version)
    delete answer.body.error.current_version
    assertRefused(answer, 409, 'tos_version_stale', { param: 'tos_version' })
  }
})

test('a provider that is not configured is 404', async ({ call }) => {
  for (const path of ['nobody', 'nobody/callback', 'constructor', '__proto__']) {
    assertRefused(await call('GET', `/v1/auth/oauth/${path}`), 404, 'not_found')
  }
})

test('an address that the provider does not vouch for opens nothing', async ({ service, enter }) => {
  const known = await makeAccount(service)
  for (const more of [{ email_verified: false }, { email_verified: undefined }, { email_verified: 'true' }]) {
    for (const email of [known.email, freshEmail()]) {
      assertRefused(await enter(person(email, more)), 403, 'forbidden')
    }
  }
  assertRefused(await enter({ ...person(), email: undefined }), 403, 'forbidden')
  assertRefused(await enter({ ...person(), email: 'nobody' }), 403, 'forbidden')
})

test('without the cookie, with that of another sign-in, or with a wrong state nobody gets in', async ({
  call,
  provider,
  begin,
}) => {
  provider.claims = person()
  const [mine, other] = [await begin(), await begin()]
  const attempts: [path: string, headers: Record<string, string>][] = [
    [mine.path, {}],
    [mine.path, other.headers],
    [mine.path, { cookie: 'svc_oauth=nonsense' }],
    [mine.path.replace(/state=[^&]+/, 'state=wrong'), mine.headers],
    [mine.path.replace(/&?state=[^&]+/, ''), mine.headers],
    [mine.path.replace('/acme/', '/other/'), mine.headers],
  ]
  for (const [path, headers] of attempts) {
    assertRefused(await call('GET', path, { headers }), 400, 'validation_error', { param: 'state' })
  }
  assert.equal((await call('GET', mine.path, { headers: mine.headers })).status, 200)
})

test('a sign-in that was begun ten minutes ago is over', async ({ service, call, provider, begin }) => {
  provider.claims = person()
  const { path, headers } = await begin()
  await service.clock.advance(10 * 60_000)
  assertRefused(await call('GET', path, { headers }), 400, 'validation_error', { param: 'state' })
})

test('a wrong nonce, audience or code is refused', async ({ call, provider, begin, enter }) => {
  for (const wrong of [{ nonce: 'of-somebody-else' }, { nonce: undefined }, { aud: 'another-client' }]) {
    assertRefused(await enter({ ...person(), ...wrong }), 401, 'authentication_error')
  }
  provider.claims = person()
  const { path, headers } = await begin()
  const altered = path.replace(/code=[^&]+/, 'code=of-somebody-else')
  assertRefused(await call('GET', altered, { headers }), 401, 'authentication_error')
  const denied = path.replace(/code=[^&]+/, 'error=access_denied')
  assertRefused(await call('GET', denied, { headers }), 401, 'authentication_error')
})

test('the owner of the address comes into the account, and whoever held it without proof is out', async ({
  service,
  call,
  enter,
}) => {
  const account = await makeAccount(service)
  const { status, body } = await enter(person(account.email.toUpperCase()), '')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.org.id, body.org.email_verified], [account.orgId, true])
  assertRefused(await call('GET', '/v1/auth/me', { key: account.token }), 401, 'authentication_error')
  const signIn = await call('POST', '/v1/auth/signin', { body: { email: account.email, password } })
  assertRefused(signIn, 401, 'authentication_error')
  assert.equal((await call('GET', '/v1/auth/me', { key: body.token })).status, 200)
})

test('a second provider leaves a proven account its password', async ({ call, enter }) => {
  const who = person()
  const { body } = await enter(who)
  await enter({ ...person(), email: who.email }, '')
  assert.equal((await call('GET', '/v1/auth/me', { key: body.token })).status, 200)
})

test('who waits comes into the organization that waits', async ({ call, tos_version, enter }) => {
  const email = freshEmail()
  const { id } = (await call('POST', '/v1/waitlist', { body: { email } })).body.data
  const { body } = await enter(person(email))
  assert.deepEqual([body.org.id, body.org.is_waitlisted, body.org.accepted_terms_version], [id, true, tos_version])
})

test('the owner of an organization that an administrator made comes into it', async ({ service, enter }) => {
  const { id } = await makeOrganization(service)
  const { body } = await enter(person('owner@example.com'))
  assert.equal(body.org.id, id)
})

test('of ten arrivals of one new person at once, all come into one organization', async ({ call, provider, begin }) => {
  provider.claims = person()
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin()))
  const answers = await Promise.all(begun.map(({ path, headers }) => call('GET', path, { headers })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(200),
  )
  assert.equal(new Set(answers.map(({ body }) => body.org.id)).size, 1)
  const { total } = (await call('GET', `/v1/admin/orgs?email=${provider.claims.email}`, { key: adminToken })).body
  assert.equal(total, 1)
})

test('a provider that is away is told so', async ({ onTestFinished }) => {
  const away = { issuer: 'http://127.0.0.1:1', client_id: 'x', client_secret: 'y' }
  const alone = await openTestService({ env: { OIDC_PROVIDERS: JSON.stringify({ away }) } })
  onTestFinished(() => alone.close())
  const answer = await alone.call('GET', '/v1/auth/oauth/away')
  assertRefused(answer, 503, 'internal_error')
  // Those who wait for the same reading of its document.
  const together = await Promise.allSettled(Array.from({ length: 3 }, () => beginSignIn(alone.app, 'away')))
  for (const outcome of together) assert.equal(outcome.status === 'rejected' && outcome.reason.status, 503)
})

test('a provider that was away is asked again by the next sign-in', async ({ onTestFinished }) => {
  const server = await openFeedServer()
  onTestFinished(server.close)
  const issuer = new URL(server.url()).origin
  const late = { issuer, client_id: 'x', client_secret: 'y' }
  const alone = await openTestService({ env: { OIDC_PROVIDERS: JSON.stringify({ late }) } })
  onTestFinished(() => alone.close())
  const signIn = () => alone.call('GET', '/v1/auth/oauth/late', { redirect: 'manual' })
  server.answer = (_request, response) => response.writeHead(503).end()
  assert.deepEqual([(await signIn()).status, (await signIn()).status], [503, 503])
  const document = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
  server.answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  for (let n = 0; n < 2; n++) {
    const answer = await signIn()
    assert.equal(answer.status, 302)
    assert.ok(answer.headers.get('location')?.startsWith(`${document.authorization_endpoint}?`))
  }
  assert.equal(server.asked.length, 3, 'what was read is kept')
})

test('somebody on the way to connect a calendar comes back there, and nowhere else', async ({
  service,
  provider,
  start,
  begin,
  tos_version,
}) => {
  for (const path of [
    'https://evil.example.com',
    '//evil.example.com',
    '/v1/plans',
    '/connect/short',
    '/connect/links/1',
  ]) {
    assert.equal((await start(`?return_to=${encodeURIComponent(path)}`)).status, 400, path)
  }
  for (const path of ['/connect', `/connect/${'x'.repeat(43)}`]) {
    provider.claims = person()
    const back = await begin(`?tos_version=${tos_version}&return_to=${encodeURIComponent(path)}`)
    const answer = await service.call('GET', back.path, { headers: back.headers, redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${service.baseUrl}${path}`])
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^svc_session=/)
  }
})

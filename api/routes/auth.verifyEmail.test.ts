// The link that a sign-up mails: a person who follows it and shows that they signed up keeps everything.
import assert from 'node:assert/strict'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { openTestService } from '../../src/testing/harness.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: { TRUSTED_PROXIES: 'loopback' } })
  /** A sign-up with a key, and the token of the link that was mailed. */
  .extend('signUp', perFile, ({ service, call }) => async () => {
    const account = await makeAccount(service)
    const token = await linkTo(service, account.email)
    const { key } = (await call('POST', '/v1/auth/keys', { key: account.token })).body
    return { ...account, session: account.token, token, key }
  })
  .extend(
    'isProven',
    perFile,
    ({ call }) =>
      async (session: string) =>
        (await call('GET', '/v1/auth/me', { key: session })).body.org.email_verified,
  )
  .extend(
    'post',
    perFile,
    ({ call }) =>
      (fields: Record<string, string>, headers: Record<string, string> = {}) =>
        call('POST', path, {
          headers: { ...html, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          raw: new URLSearchParams(fields).toString(),
        }),
  )

const path = '/v1/auth/email/verify'

const html = { accept: 'text/html' }
test('a sign-up mails a link of a day on a line of its own', async ({ service, call, isProven }) => {
  const { email, session } = await makeAccount(service).then((account) => ({ ...account, session: account.token }))
  const [mail] = await mailsTo(service, email)
  assert.equal(mail?.subject, 'Is this your address?')
  assert.match(mail.text, new RegExp(`^${service.baseUrl}${path}\\?token=[\\w-]{32}$`, 'm'))
  const token = await linkTo(service, email)
  await service.clock.advance(24 * 3_600_000)
  assertRefused(await call('POST', path, { body: { token, password } }), 400, 'validation_error', { param: 'token' })
  const { body } = await call('POST', '/v1/auth/signin', { body: { email, password } })
  assert.equal(await isProven(body.token), false)
  assert.notEqual(session, body.token)
})

test('with the session of the sign-up, as bearer or cookie, or with its password, everything stays', async ({
  service,
  call,
  signUp,
  isProven,
}) => {
  for (const shown of ['bearer', 'cookie', 'password']) {
    const { email, session, cookie, token, key, orgId } = await signUp()
    const answer = await call('POST', path, {
      body: { token, ...(shown === 'password' && { password }) },
      ...(shown === 'bearer' && { key: session }),
      ...(shown === 'cookie' && { headers: { cookie } }),
    })
    assert.deepEqual([answer.status, answer.body.org?.id, answer.body.org?.email_verified], [200, orgId, true])
    assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
    assert.equal(await isProven(session), true)
    assert.equal((await mailsTo(service, email)).length, 1)
    const { data } = (await call('GET', '/v1/audit-log', { key })).body
    assert.deepEqual([data[0].action, data[0].resource, data[0].path], ['account.address_proven', orgId, path])
    const again = await call('POST', path, { body: { token }, key: session })
    assertRefused(again, 400, 'validation_error', { param: 'token' })
  }
})

test('nobody else proves it: not without either, with a wrong password, with a session of another account or from another site', async ({
  call,
  signUp,
  isProven,
}) => {
  const { session, cookie, token, key } = await signUp()
  const other = await signUp()
  const attempts = [{}, { key: other.session }, { headers: { cookie: other.cookie } }, { key: `${session}x` }]
  for (const attempt of attempts) {
    const answer = await call('POST', path, { body: { token }, ...attempt })
    assertRefused(answer, 400, 'validation_error', { param: 'password' })
  }
  const wrong = await call('POST', path, { body: { token, password: 'not the one' } })
  assertRefused(wrong, 400, 'validation_error', { param: 'password' })
  const foreign = await call('POST', path, { body: { token }, headers: { cookie, origin: 'https://evil.example' } })
  assertRefused(foreign, 403, 'forbidden')
  assertRefused(await call('POST', path, { body: { password } }), 400, 'validation_error', { param: 'token' })
  assert.equal(await isProven(session), false)
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
})

test('the link also takes the address back: a new password with it switches off what was made', async ({
  service,
  call,
  signUp,
}) => {
  const { email, token, key, session } = await signUp()
  const renewed = 'another battery staple'
  const set = await call('POST', '/v1/auth/password/reset', { body: { token, password: renewed } })
  assert.equal(set.status, 202)
  assertRefused(await call('GET', '/v1/agents', { key }), 401, 'authentication_error')
  assertRefused(await call('GET', '/v1/auth/me', { key: session }), 401, 'authentication_error')
  assert.equal((await mailsTo(service, email)).at(-1)?.subject, 'Parts of your organization were switched off')
  assertRefused(await call('POST', path, { body: { token, password: renewed } }), 400, 'validation_error', {
    param: 'token',
  })
})

test('opening the link changes nothing; the page asks who signed up for a press, others for a password', async ({
  call,
  signUp,
  isProven,
  post,
}) => {
  const { email, session, cookie, token, key } = await signUp()
  const page = async (headers: Record<string, string> = {}) => {
    const { status, body, headers: got } = await call('GET', `${path}?token=${token}`, { headers })
    assert.deepEqual(
      [status, got.get('content-type'), got.get('cache-control')],
      [200, 'text/html; charset=utf-8', 'no-store'],
    )
    assert.match(got.get('content-security-policy') ?? '', /default-src 'none'/)
    return body as string
  }
  const signedIn = await page({ cookie })
  assert.match(signedIn, new RegExp(`signed up with <strong>${email}</strong>`))
  assert.doesNotMatch(signedIn, /type="password"/)
  const stranger = await page()
  assert.equal(stranger.match(/type="password"/g)?.length, 2)
  assert.equal(await isProven(session), false)

  const wrong = await post({ token, password: 'not the one' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body, /role="alert">This is not the password/)
  assert.equal((await post({ token }, { cookie })).status, 200)
  assert.equal(await isProven(session), true)
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
  assert.match(await page({ cookie }), /role="alert">This link does not exist/)
  const late = await post({ token }, { cookie })
  assert.equal(late.status, 400)
  assert.match(late.body, /role="alert">This link does not exist/)
})

test('in a browser without script the forms do what they say', { skip: Boolean(withoutBrowser) }, async ({
  service,
  signUp,
  isProven,
  onTestFinished,
}) => {
  const browser = await openBrowser()
  for (const isSignedIn of [true, false]) {
    const { session, cookie, token } = await signUp()
    const context = await browser.newContext({ javaScriptEnabled: false })
    onTestFinished(() => context.close())
    const value = cookie.slice(cookie.indexOf('=') + 1)
    if (isSignedIn) await context.addCookies([{ name: 'svc_session', value, url: service.baseUrl }])
    const page = await context.newPage()
    await page.goto(`${service.baseUrl}${path}?token=${token}`)
    if (!isSignedIn) await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Yes, it is mine' }).click()
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
    assert.equal(await isProven(session), true)
    await context.close()
  }
})

test('another link can be asked for with a session, until the address is proven, five times an hour', async ({
  service,
  call,
  signUp,
}) => {
  const { email, session } = await signUp()
  const again = () => call('POST', '/v1/auth/email/link', { key: session })
  for (let n = 0; n < 5; n++) assert.equal((await again()).status, 202)
  const refused = await again()
  assertRefused(refused, 429, 'rate_limit_error')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await mailsTo(service, email)).length, 6)
  const proof = await call('POST', path, { body: { token: await linkTo(service, email) }, key: session })
  assert.equal(proof.status, 200)
  await service.clock.advance(3_600_000)
  assertRefused(await again(), 409, 'conflict')
})

test('one client address signs up 100 times an hour, one mail domain 200 times', async ({ onTestFinished }) => {
  const alone = await openTestService({ env: { TRUSTED_PROXIES: 'loopback' } })
  onTestFinished(() => alone.close())
  const tos_version = await currentVersion(alone)
  /** An address that is known is counted like any other, and costs no hash. */
  const from = (ip: string, email: string) =>
    alone.call('POST', '/v1/auth/signup', {
      body: { email, password, tos_version },
      headers: { 'x-forwarded-for': ip },
    })
  const known = 'known@big.example'
  assert.equal((await from('198.51.100.1', known)).status, 201)
  for (let n = 1; n < 100; n++) assert.equal((await from('198.51.100.1', known)).status, 409)
  const refused = await from('198.51.100.1', freshEmail('another'))
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '3600')
  for (let n = 0; n < 100; n++) assert.equal((await from('198.51.100.2', known)).status, 409)
  const crowded = await from('198.51.100.3', 'somebody@BIG.example')
  assertRefused(crowded, 429, 'rate_limit_error')
  assert.equal(crowded.headers.get('retry-after'), '3600')
  assert.equal((await from('198.51.100.3', 'somebody@small.example')).status, 201)
  await alone.clock.advance(3_600_000)
  assert.equal((await from('198.51.100.1', 'somebody@big.example')).status, 201)
})

test('with REQUIRE_PROVEN_ADDRESS an organization has a key once its address is proven', async ({ onTestFinished }) => {
  const strict = await openTestService({ env: { REQUIRE_PROVEN_ADDRESS: 'true' } })
  onTestFinished(() => strict.close())
  const { email, token: session, orgId } = await makeAccount(strict, { email: freshEmail('strict') })
  const admin = { key: 'admin-token-of-the-tests' }
  await strict.call('PATCH', `/v1/admin/orgs/${orgId}`, { ...admin, body: { plan: 'pro' } })
  for (const action of ['keys', 'keys/regenerate']) {
    const answer = await strict.call('POST', `/v1/auth/${action}`, { key: session })
    assertRefused(answer, 403, 'forbidden')
    assert.match(answer.body.error.message, /POST \/v1\/auth\/email\/link/)
  }
  const token = await linkTo(strict, email)
  assert.equal((await strict.call('POST', path, { key: session, body: { token } })).status, 200)
  const { status, body } = await strict.call('POST', '/v1/auth/keys', { key: session })
  assert.equal(status, 201)
  const agent = await strict.call('POST', '/v1/agents', { key: body.key, body: { name: 'A', type: 'ai' } })
  await strict.app.sql`update organizations set email_verified = false`
  const scoped = [
    await strict.call('POST', '/v1/auth/keys/scoped', { key: session, body: { agent_id: agent.body.id } }),
    await strict.call('POST', '/v1/keys', { key: body.key, body: { agent_id: agent.body.id } }),
  ]
  for (const answer of scoped) assertRefused(answer, 403, 'forbidden')

  const made = await strict.call('POST', '/v1/admin/orgs', {
    ...admin,
    body: { name: 'Made', email: freshEmail('made'), plan: 'pro' },
  })
  const own = made.body.api_key
  const its = await strict.call('POST', '/v1/agents', { key: own, body: { name: 'A', type: 'ai' } })
  assert.equal((await strict.call('POST', '/v1/keys', { key: own, body: { agent_id: its.body.id } })).status, 201)
  const sandbox = await strict.call('POST', '/v1/agent/sign-up', {
    body: { email: freshEmail('agent'), agent_name: 'A', tos_version: await currentVersion(strict) },
  })
  assert.equal((await strict.call('GET', '/v1/agents', { key: sandbox.body.api_key })).status, 200)
})

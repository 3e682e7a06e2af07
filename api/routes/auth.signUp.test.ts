import assert from 'node:assert/strict'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { sessionTest } from '../../src/testing/sessions.ts'

const test = sessionTest()

test('signing up answers 201 with the organization, a token that works, its end, and the cookie', async ({
  service,
  tos_version,
  signUp,
  me,
}) => {
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

test('an organization without a name is called after the address', async ({ tos_version, signUp }) => {
  const { body } = await signUp({ email: 'jane.doe@example.com', password, tos_version })
  assert.equal(body.org.name, 'jane.doe')
})

test('a sign-up that breaks a rule is refused with the field, and nothing is stored', async ({
  call,
  tos_version,
  signUp,
}) => {
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

test('passwords of 12 and of 128 characters are taken', async ({ tos_version, signUp, signIn }) => {
  for (const length of [12, 128]) {
    const email = freshEmail()
    const long = 'ä'.repeat(length)
    assert.equal((await signUp({ email, password: long, tos_version })).status, 201)
    assert.equal((await signIn({ email, password: long })).status, 200)
  }
})

test('one address has one account, whatever its case and the blanks around it', async ({
  service,
  tos_version,
  signUp,
  signIn,
}) => {
  const { email } = await makeAccount(service, { email: 'Some.One@Example.com' })
  for (const again of [email, 'some.one@example.COM', `  ${email} `]) {
    assertRefused(await signUp({ email: again, password, tos_version }), 409, 'email_taken', { param: 'email' })
    assert.equal((await signIn({ email: again, password })).status, 200)
  }
})

test('an address that an administrator gave to an organization is taken, too', async ({
  service,
  tos_version,
  signUp,
}) => {
  await makeOrganization(service)
  assertRefused(await signUp({ email: 'owner@example.com', password, tos_version }), 409, 'email_taken', {
    param: 'email',
  })
})

test('of twenty sign-ups with one address at once, one gets it', async ({ call, tos_version, signUp }) => {
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

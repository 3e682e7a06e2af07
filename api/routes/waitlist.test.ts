import assert from 'node:assert/strict'
import { currentVersion, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

let nth = 0
const freshEmail = () => `waiting${++nth}@example.com`
const freshAddress = () => ({ 'x-forwarded-for': `198.51.${++nth >> 8}.${nth & 255}` })

const test = serviceTest({ env: { TRUSTED_PROXIES: 'loopback' } })
  .extend('tos_version', perFile, ({ service }) => currentVersion(service))
  .extend(
    'join',
    perFile,
    ({ call }) =>
      (body: object, headers: Record<string, string> = freshAddress()) =>
        call('POST', '/v1/waitlist', { body, headers }),
  )
  .extend(
    'activate',
    perFile,
    ({ call }) =>
      (id: string, key = adminToken) =>
        call('POST', `/v1/admin/orgs/${id}/activate`, { key }),
  )
  .extend(
    'signUp',
    perFile,
    ({ call, tos_version }) =>
      (email: string, name?: string) =>
        call('POST', '/v1/auth/signup', { body: { email, password, tos_version, name } }),
  )
  .extend(
    'orgOf',
    perFile,
    ({ call }) =>
      async (email: string) =>
        (await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.data[0],
  )
  .extend(
    'acceptancesOf',
    perFile,
    ({ service }) =>
      (id: string) =>
        service.app.sql<{ version: string; source: string; acceptedAt: Date }[]>`
        select version, source, accepted_at from terms_acceptances
        where org_id in (select org_id from audit_entries where resource = ${id}) order by id`,
  )
  /** Puts terms in force; the first ones are in force again after the test. */
  .extend('publish', async ({ call, tos_version }, { onCleanup }) => {
    const publish = (version: string) =>
      call('POST', '/v1/admin/terms', {
        key: adminToken,
        body: { version, effective_at: '2026-06-01', url: 'https://example.com/terms', material: true },
      })
    onCleanup(async () => {
      await publish(tos_version)
    })
    return publish
  })

test('a first join answers 201 with its record and sends a mail, a second one answers 200 and sends none', async ({
  service,
  join,
}) => {
  const email = freshEmail()
  const first = await join({ email, name: 'Jane' })
  assert.equal(first.status, 201)
  assert.deepEqual(Object.keys(first.body), ['data', 'message'])
  const { data } = first.body
  assert.deepEqual(data, {
    id: data.id,
    name: 'Jane',
    email,
    is_waitlisted: true,
    waitlisted_at: service.clock.now().toISOString(),
    signup_source: 'waitlist',
  })
  await service.clock.advance(1_000)
  const again = await join({ email: ` ${email.toUpperCase()}`, name: 'Other' })
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.data, data)
  const mails = await mailsTo(service, email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['You are on the waitlist'],
  )
})

test('the name is that of the address unless it is given', async ({ join }) => {
  assert.equal((await join({ email: 'jane.doe+x@example.com' })).body.data.name, 'jane.doe+x')
  assert.equal((await join({ email: 'x@example.com' })).body.data.name, 'x')
})

test('a join that breaks a rule is refused with the field', async ({ call, join }) => {
  const email = freshEmail()
  const cases: [param: string, body: object][] = [
    ['email', {}],
    ['email', { email: 'nobody' }],
    ['email', { email: null }],
    ['name', { email, name: 'J' }],
    ['name', { email, name: 'n'.repeat(101) }],
    ['name', { email, name: null }],
    ['tos_version', { email, tos_version: '' }],
    ['company', { email, company: 'Acme' }],
  ]
  for (const [param, body] of cases) assertRefused(await join(body), 400, 'validation_error', { param })
  assert.equal((await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.total, 0)
  for (const name of ['JD', 'n'.repeat(100)]) assert.equal((await join({ email: freshEmail(), name })).status, 201)
})

test('terms are recorded when they are given, and refused when they are stale', async ({
  service,
  call,
  tos_version,
  join,
}) => {
  const stale = await join({ email: freshEmail(), tos_version: 'old' })
  assert.equal(stale.body.error.current_version, tos_version)
  delete stale.body.error.current_version
  assertRefused(stale, 409, 'tos_version_stale', { param: 'tos_version' })
  const email = freshEmail()
  await join({ email, tos_version })
  const [org] = (await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body.data
  assert.deepEqual([org.accepted_terms_version, org.plan], [tos_version, 'free'])
  const rows = await service.app.sql`select version, ip from terms_acceptances where source = 'waitlist'`
  assert.equal(rows.length, 1)
})

test('terms that are given with a repeated join are recorded, once', async ({
  service,
  call,
  tos_version,
  join,
  orgOf,
  acceptancesOf,
}) => {
  const email = freshEmail()
  const { id } = (await join({ email })).body.data
  await service.clock.advance(1_000)
  const at = service.clock.now()
  const again = await Promise.all([1, 2, 3].map(() => join({ email, tos_version })))
  for (const { status, body } of again) assert.deepEqual([status, body.data.id], [200, id])
  const org = await orgOf(email)
  assert.deepEqual([org.accepted_terms_version, org.accepted_terms_at], [tos_version, at.toISOString()])
  await service.clock.advance(1_000)
  await join({ email, tos_version })
  await join({ email })
  assert.deepEqual(await orgOf(email), org)
  assert.deepEqual([...(await acceptancesOf(id))], [{ version: tos_version, source: 'waitlist', acceptedAt: at }])
  const { body } = await call('POST', '/v1/auth/signup', { body: { email, password, tos_version } })
  const log = await call('POST', `/v1/admin/orgs/${id}/activate`, { key: adminToken }).then(async () => {
    const { key } = (await call('POST', '/v1/auth/keys', { key: body.token })).body
    return call('GET', '/v1/audit-log?action=org.update', { key })
  })
  const entry = log.body.data.at(-1)
  assert.deepEqual([entry.resource, entry.status, entry.path], [id, 200, '/v1/waitlist'])
})

test('a repeated join records newer terms, never older ones', async ({
  tos_version,
  join,
  orgOf,
  acceptancesOf,
  publish,
}) => {
  const email = freshEmail()
  const { id } = (await join({ email, tos_version })).body.data
  await publish('newer')
  const stale = await join({ email, tos_version })
  assert.deepEqual([stale.status, stale.body.error.type], [409, 'tos_version_stale'])
  assert.equal((await orgOf(email)).accepted_terms_version, tos_version)
  assert.equal((await join({ email, tos_version: 'newer' })).status, 200)
  assert.equal((await orgOf(email)).accepted_terms_version, 'newer')
  assert.deepEqual(
    (await acceptancesOf(id)).map(({ version }) => version),
    [tos_version, 'newer'],
  )
})

test('a join accepts no terms for an organization with an account or a key', async ({
  call,
  join,
  signUp,
  orgOf,
  publish,
}) => {
  const claimed = freshEmail()
  await join({ email: claimed })
  await signUp(claimed)
  const admins = freshEmail()
  const { org } = (
    await call('POST', '/v1/admin/orgs', { key: adminToken, body: { name: 'With a key', email: admins } })
  ).body
  await call('PATCH', `/v1/admin/orgs/${org.id}`, { key: adminToken, body: { is_waitlisted: true } })
  await publish('unasked')
  for (const email of [claimed, admins]) {
    const before = await orgOf(email)
    assert.equal((await join({ email, tos_version: 'unasked' })).status, 200)
    assert.deepEqual(await orgOf(email), before)
  }
})

test('a join with terms, an activation and a sign-up at once do not undo each other', async ({
  tos_version,
  join,
  activate,
  signUp,
  orgOf,
}) => {
  for (let n = 0; n < 5; n++) {
    const email = freshEmail()
    const { id } = (await join({ email })).body.data
    const [joined, signed] = await Promise.all([join({ email, tos_version }), signUp(email, 'Acme'), activate(id)])
    assert.ok(joined.status === 200 || joined.status === 409, JSON.stringify(joined.body))
    assert.ok(signed.status === 201, JSON.stringify(signed.body))
    const org = await orgOf(email)
    assert.deepEqual([org.name, org.is_waitlisted, org.accepted_terms_version], ['Acme', false, tos_version])
  }
})

test('the address of an active account is taken, whoever made it', async ({ service, join }) => {
  const { email } = await makeAccount(service)
  assertRefused(await join({ email: email.toUpperCase() }), 409, 'email_taken', { param: 'email' })
  await makeOrganization(service)
  assertRefused(await join({ email: 'owner@example.com' }), 409, 'email_taken', { param: 'email' })
})

test('of ten joins with one address at once, one is fresh and one mail goes out', async ({ service, join }) => {
  const email = freshEmail()
  const answers = await Promise.all(Array.from({ length: 10 }, () => join({ email })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 9)
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.equal((await mailsTo(service, email)).length, 1)
})

test('five joins a minute of one client address, ten an hour of one e-mail address', async ({ service, join }) => {
  const headers = freshAddress()
  for (let n = 0; n < 5; n++) assert.equal((await join({ email: freshEmail() }, headers)).status, 201)
  const refused = await join({ email: freshEmail() }, headers)
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '60')
  await service.clock.advance(60_000)
  assert.equal((await join({ email: freshEmail() }, headers)).status, 201)

  const email = freshEmail()
  for (let n = 0; n < 10; n++) assert.notEqual((await join({ email })).status, 429)
  const excess = await join({ email })
  assertRefused(excess, 429, 'rate_limit_error')
  assert.equal(excess.headers.get('retry-after'), '3600')
})

test('activation takes the organization off the list, and its owner is told once', async ({
  service,
  join,
  activate,
}) => {
  const email = freshEmail()
  const { id } = (await join({ email })).body.data
  await service.clock.advance(1_000)
  const answer = await activate(id)
  assert.equal(answer.status, 200)
  assert.deepEqual([answer.body.id, answer.body.is_waitlisted], [id, false])
  assert.equal(answer.body.updated_at, service.clock.now().toISOString())
  const again = await activate(id)
  assert.deepEqual([again.status, again.body], [200, answer.body])
  assert.deepEqual(
    (await mailsTo(service, email)).map(({ subject }) => subject),
    ['You are on the waitlist', 'Your organization is activated'],
  )
  assertRefused(await join({ email }), 409, 'email_taken', { param: 'email' })
})

test('of ten activations at once all answer 200, and one mail goes out', async ({ service, join, activate }) => {
  const email = freshEmail()
  const { id } = (await join({ email })).body.data
  const answers = await Promise.all(Array.from({ length: 10 }, () => activate(id)))
  assert.deepEqual(
    new Set(answers.map(({ status, body }) => `${status} ${body.is_waitlisted}`)),
    new Set(['200 false']),
  )
  assert.equal((await mailsTo(service, email)).length, 2)
})

test('activating needs the administrator and an organization', async ({ service, activate }) => {
  const { id, key } = await makeOrganization(service)
  assertRefused(await activate(id, key), 401, 'authentication_error')
  for (const unknown of ['org_01k9xr8m3fe8tbc4x9m2v7h5qd', 'x', id.replace('org_', 'agt_')]) {
    assertRefused(await activate(unknown), 404, 'not_found')
  }
})

test('an activated key works with the next request', async ({ service, call, activate }) => {
  const { id, key } = await makeOrganization(service)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: true } })
  assertRefused(await call('GET', '/v1/agents', { key }), 403, 'account_waitlisted')
  await activate(id)
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
})

test('somebody on the waitlist signs up to the same organization, and still waits', async ({
  call,
  tos_version,
  join,
  activate,
  signUp,
}) => {
  const email = freshEmail()
  const { id } = (await join({ email })).body.data
  const { status, body } = await signUp(email, 'Acme')
  assert.equal(status, 201)
  assert.deepEqual(
    [body.org.id, body.org.name, body.org.is_waitlisted, body.org.signup_source, body.org.accepted_terms_version],
    [id, 'Acme', true, 'waitlist', tos_version],
  )
  assertRefused(await call('POST', '/v1/auth/keys', { key: body.token }), 403, 'account_waitlisted')
  assert.equal((await call('GET', '/v1/auth/me', { key: body.token })).status, 200)
  assert.equal((await call('POST', '/v1/auth/signin', { body: { email, password } })).status, 200)
  assertRefused(await signUp(email), 409, 'email_taken', { param: 'email' })
  assert.equal((await join({ email })).status, 200)
  await activate(id)
  assert.equal((await call('POST', '/v1/auth/keys', { key: body.token })).status, 201)
})

test('of ten sign-ups to one waiting organization at once, one gets it', async ({ join, signUp }) => {
  const email = freshEmail()
  await join({ email })
  const answers = await Promise.all(Array.from({ length: 10 }, () => signUp(email)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 409, 'email_taken', { param: 'email' })
  }
})

test('the owner of an activated organization without an account sets a password through the mailed link', async ({
  service,
  call,
  join,
  activate,
}) => {
  const email = freshEmail()
  const { id } = (await join({ email })).body.data
  await activate(id)
  await call('POST', '/v1/auth/password/forgot', { body: { email } })
  const token = await linkTo(service, email)
  await call('POST', '/v1/auth/password/reset', { body: { token, password } })
  const { body } = await call('POST', '/v1/auth/signin', { body: { email, password } })
  assert.deepEqual([body.org.id, body.org.email_verified], [id, true])
})

import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, turnOnFactor, wrongCodeOf } from '../../src/testing/factors.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = factorTest()
const minute = 60_000

test('a factor is begun, confirmed with a code, listed and turned off', async ({ service, call }) => {
  const { token, email } = await makeAccount(service)
  const get = async () => (await call('GET', '/v1/auth/factors', { key: token })).body
  assert.deepEqual(await get(), { totp: { enabled: false, enabled_at: null }, recovery_codes_left: 0 })
  const begun = await call('POST', '/v1/auth/factors/totp', { key: token })
  assert.equal(begun.status, 201)
  assert.deepEqual(Object.keys(begun.body), ['secret', 'otpauth_url'])
  assert.match(begun.body.secret, /^[A-Z2-7]{32}$/)
  assert.equal(new URL(begun.body.otpauth_url).searchParams.get('secret'), begun.body.secret)
  assert.equal((await get()).totp.enabled, false, 'not before it is confirmed')

  const confirmed = await call('POST', '/v1/auth/factors/totp/confirm', {
    key: token,
    body: { code: codeOf(service, begun.body.secret) },
  })
  assert.equal(confirmed.status, 200)
  assert.deepEqual(Object.keys(confirmed.body), ['recovery_codes'])
  assert.equal(new Set(confirmed.body.recovery_codes).size, 10)
  assert.deepEqual(await get(), {
    totp: { enabled: true, enabled_at: service.app.clock.now().toISOString() },
    recovery_codes_left: 10,
  })

  assert.equal((await call('DELETE', '/v1/auth/factors/totp', { key: token })).status, 204)
  assert.deepEqual(await get(), { totp: { enabled: false, enabled_at: null }, recovery_codes_left: 0 })
  assert.equal((await call('POST', '/v1/auth/signin', { body: { email, password } })).status, 200)

  const mails = await mailsTo(service, email)
  const news = mails.filter(({ subject }) => subject === 'Your sign-in has changed').map(({ text }) => text)
  assert.equal(news.length, 2)
  assert.match(news[0]!, /second factor on, 2026-03-02T/)
  assert.match(news[1]!, /second factor off, 2026-03-02T/)
  for (const text of news) assert.match(text, /set a new password/)
  const { data } = (await call('GET', '/v1/audit-log', { key: token })).body
  const entries = data.filter(({ action }: { action: string }) => action.startsWith('factor.'))
  assert.deepEqual(
    entries.map(({ action, actor_account }: Record<string, string>) => [action, actor_account]),
    [
      ['factor.disable', email],
      ['factor.enable', email],
    ],
  )
  for (const { resource } of entries) assert.match(resource, /^mem_/)
})

test('a wrong code turns nothing on, and the right one still does', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const confirm = (code: string) => call('POST', '/v1/auth/factors/totp/confirm', { key: token, body: { code } })
  assertRefused(await confirm('123456'), 409, 'conflict')
  const { secret } = (await call('POST', '/v1/auth/factors/totp', { key: token })).body
  for (const code of [wrongCodeOf(service, secret), 'x7k2m-9pqrt', 'nonsense', codeOf(service, secret, 2)])
    assertRefused(await confirm(code), 400, 'validation_error', { param: 'code' })
  assert.equal(
    (await confirm(` ${codeOf(service, secret).slice(0, 3)} ${codeOf(service, secret).slice(3)}`)).status,
    200,
  )
  assertRefused(await confirm(codeOf(service, secret, 1)), 409, 'conflict')
  assertRefused(await call('POST', '/v1/auth/factors/totp', { key: token }), 409, 'conflict')
})

test('a secret is good for ten minutes, and a new one replaces it', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const begin = async () => (await call('POST', '/v1/auth/factors/totp', { key: token })).body.secret
  const confirm = (code: string) => call('POST', '/v1/auth/factors/totp/confirm', { key: token, body: { code } })
  const [first, second] = [await begin(), await begin()]
  assertRefused(await confirm(codeOf(service, first)), 400, 'validation_error', { param: 'code' })
  await service.clock.advance(10 * minute)
  assertRefused(await confirm(codeOf(service, second)), 409, 'conflict')
  await call('POST', '/v1/auth/reauthenticate', { key: token, body: { password } })
  assert.equal((await confirm(codeOf(service, await begin()))).status, 200)
})

test('turning it on ends the other sessions of the account, and no other account’s', async ({
  service,
  call,
  signIn,
  me,
}) => {
  const [{ token, email }, other] = [await makeAccount(service), await makeAccount(service)]
  const elsewhere = (await signIn({ email, password })).body.token
  await turnOnFactor(service, token)
  assertRefused(await me(elsewhere), 401, 'authentication_error')
  for (const alive of [token, other.token]) assert.equal((await me(alive)).status, 200)
  assert.equal((await call('GET', '/v1/auth/sessions', { key: token })).body.sessions.length, 1)
})

test('new recovery codes replace the old ones', async ({ call, makePerson, challengeOf, sendCode }) => {
  const person = await makePerson()
  const renewed = await call('POST', '/v1/auth/factors/recovery-codes', { key: person.token })
  assert.equal(renewed.status, 200)
  const codes: string[] = renewed.body.recovery_codes
  assert.equal(new Set([...codes, ...person.recoveryCodes]).size, 20)
  assert.equal((await call('GET', '/v1/auth/factors', { key: person.token })).body.recovery_codes_left, 10)
  assertRefused(await sendCode(await challengeOf(person), person.recoveryCodes[0]!), 401, 'authentication_error', {
    code: 'wrong_code',
  })
  assert.equal((await sendCode(await challengeOf(person), codes[9]!.toUpperCase())).status, 200)
  assert.equal((await call('GET', '/v1/auth/factors', { key: person.token })).body.recovery_codes_left, 9)
})

test('without a factor there is nothing to turn off or to renew', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  assertRefused(await call('DELETE', '/v1/auth/factors/totp', { key: token }), 404, 'not_found')
  assertRefused(await call('POST', '/v1/auth/factors/recovery-codes', { key: token }), 404, 'not_found')
})

test('secrets are sealed and recovery codes hashed where they are kept', async ({ service, makePerson }) => {
  const { email, secret, recoveryCodes } = await makePerson()
  const rows = await service.app.sql<{ account: string; codes: string }[]>`
    select to_jsonb(a)::text as account, (select jsonb_agg(r)::text from recovery_codes r where r.account_id = a.id) as codes
    from accounts a
    where a.email = ${email}`
  const [row] = rows
  assert.ok(!row!.account.includes(secret) && !row!.account.includes(Buffer.from(secret).toString('hex')))
  for (const code of recoveryCodes) {
    for (const text of [code, code.replace('-', '')])
      assert.ok(!row!.codes.includes(text) && !row!.codes.includes(Buffer.from(text).toString('hex')))
  }
})

test('answers with secrets are not kept under an Idempotency-Key', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const headers = { 'idempotency-key': 'the-same' }
  const [one, other] = [1, 2].map(() => call('POST', '/v1/auth/factors/totp', { key: token, headers }))
  assert.notEqual((await one!).body.secret, (await other!).body.secret)
  const [kept] = await service.app.sql`select count(*)::int as n from answers`
  assert.equal(kept?.n, 0)
})

test('an API key has no factor', async ({ call, key }) => {
  for (const [method, path] of [
    ['GET', '/v1/auth/factors'],
    ['POST', '/v1/auth/factors/totp'],
    ['GET', '/v1/auth/sessions'],
  ] as const)
    assertRefused(await call(method, path, { key }), 401, 'authentication_error')
})

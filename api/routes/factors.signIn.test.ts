import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, wrongCodeOf } from '../../src/testing/factors.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = factorTest()
const minute = 60_000
const wrong = { code: 'wrong_code' }
const over = { code: 'challenge_ended' }

test('the right password leads to a challenge, and its code to a session', async ({
  service,
  call,
  makePerson,
  me,
}) => {
  const person = await makePerson()
  const asked = await call('POST', '/v1/auth/signin', { body: { email: person.email, password } })
  const { challenge } = asked.body.error
  assertRefused(asked, 401, 'authentication_error', { code: 'second_factor_required', challenge })
  assert.match(
    asked.headers.get('set-cookie')!,
    new RegExp(`^svc_factor=${challenge}; Path=/v1/auth/signin; Max-Age=300; HttpOnly; SameSite=Lax$`),
  )
  const code = codeOf(service, person.secret)
  const entered = await call('POST', '/v1/auth/signin/factor', { body: { code, challenge } })
  assert.equal(entered.status, 200)
  assert.deepEqual(Object.keys(entered.body).sort(), ['expires_at', 'org', 'token'])
  assert.equal(entered.body.org.id, person.orgId)
  assert.match(entered.headers.get('set-cookie')!, /^svc_session=\S+;.*svc_factor=;.*Max-Age=0/)
  assert.equal((await me(entered.body.token)).status, 200)
  assertRefused(
    await call('POST', '/v1/auth/signin/factor', { body: { code: codeOf(service, person.secret, 1), challenge } }),
    401,
    'authentication_error',
    over,
  )
})

test('a browser sends the cookie in place of the challenge', async ({ service, call, makePerson }) => {
  const person = await makePerson()
  const asked = await call('POST', '/v1/auth/signin', { body: { email: person.email, password } })
  const cookie = asked.headers.get('set-cookie')!.split(';')[0]!
  const body = { code: codeOf(service, person.secret) }
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' }
  assertRefused(await call('POST', '/v1/auth/signin/factor', { headers: foreign, body }), 403, 'forbidden')
  assert.equal((await call('POST', '/v1/auth/signin/factor', { headers: { cookie }, body })).status, 200)
})

test('a wrong password shows nothing of the factor', async ({ makePerson, signIn }) => {
  const { email } = await makePerson()
  const answer = await signIn({ email, password: 'not the password' })
  assertRefused(answer, 401, 'authentication_error')
  assert.equal(answer.headers.get('set-cookie'), null)
})

test('a step is accepted once, and never after a later one', async ({ service, makePerson, challengeOf, sendCode }) => {
  const person = await makePerson()
  const at = (steps: number) => codeOf(service, person.secret, steps)
  const [used, next] = [at(0), at(1)]
  assert.equal((await sendCode(await challengeOf(person), used)).status, 200)
  const challenge = await challengeOf(person)
  for (const code of [used, at(-1)]) assertRefused(await sendCode(challenge, code), 401, 'authentication_error', wrong)
  assert.equal((await sendCode(challenge, next)).status, 200)
  assertRefused(await sendCode(await challengeOf(person), used), 401, 'authentication_error', wrong)
})

test('the code that confirmed the factor does not sign in', async ({ service, makePerson, challengeOf, sendCode }) => {
  const person = await makePerson()
  assertRefused(
    await sendCode(await challengeOf(person), codeOf(service, person.secret, -1)),
    401,
    'authentication_error',
    wrong,
  )
})

test('five wrong codes end a challenge', async ({ service, makePerson, challengeOf, sendCode }) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  for (let n = 0; n < 5; n++)
    assertRefused(await sendCode(challenge, wrongCodeOf(service, person.secret)), 401, 'authentication_error', wrong)
  assertRefused(await sendCode(challenge, codeOf(service, person.secret)), 401, 'authentication_error', over)
  assert.equal((await sendCode(await challengeOf(person), codeOf(service, person.secret))).status, 200)
})

test('a challenge lives for five minutes; any other text is refused', async ({
  service,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  await service.clock.advance(5 * minute)
  const code = codeOf(service, person.secret)
  for (const sent of [challenge, undefined, 'x'.repeat(43), person.token.slice(0, 200)])
    assertRefused(await sendCode(sent, code), 401, 'authentication_error', over)
})

test('ten wrong codes of an account refuse right ones for fifteen minutes, and re-authentication too', async ({
  service,
  second,
  call,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  const bystander = await makePerson()
  for (let n = 0; n < 2; n++) {
    const challenge = await challengeOf(person)
    for (let m = 0; m < 5; m++)
      assertRefused(await sendCode(challenge, wrongCodeOf(service, person.secret)), 401, 'authentication_error', wrong)
  }
  const challenge = await challengeOf(person)
  const body = { code: codeOf(service, person.secret) }
  for (const process of [service, second]) {
    assertRefused(
      await process.call('POST', '/v1/auth/signin/factor', { body: { ...body, challenge } }),
      429,
      'rate_limit_error',
    )
    assertRefused(
      await process.call('POST', '/v1/auth/reauthenticate', { key: person.token, body }),
      429,
      'rate_limit_error',
    )
  }
  assert.equal((await sendCode(await challengeOf(bystander), codeOf(service, bystander.secret))).status, 200)
  await service.clock.advance(15 * minute)
  assert.equal((await sendCode(await challengeOf(person), codeOf(service, person.secret))).status, 200)
  const { data } = (await call('GET', '/v1/audit-log?limit=100', { key: person.token })).body
  const count = (action: string) => data.filter((entry: { action: string }) => entry.action === action).length
  assert.deepEqual([count('auth.failure'), count('rate_limit.exceeded')], [10, 4])
})

test('a recovery code signs in once, and a mail tells', async ({
  service,
  call,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  const [code] = person.recoveryCodes
  const entered = await sendCode(await challengeOf(person), ` ${code!.toUpperCase()} `)
  assert.equal(entered.status, 200)
  assertRefused(await sendCode(await challengeOf(person), code!), 401, 'authentication_error', wrong)
  assert.match((await mailsTo(service, person.email)).at(-1)!.text, /recovery code used, 2026-03-02T/)
  const { data } = (await call('GET', '/v1/audit-log', { key: entered.body.token })).body
  assert.ok(data.some(({ action }: { action: string }) => action === 'factor.recovery_used'))
})

test('a new password leaves the factor on, and ends challenges of the old one', async ({
  service,
  call,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  await call('POST', '/v1/auth/email/link', { key: person.token })
  const token = await linkTo(service, person.email)
  assert.equal((await call('POST', '/v1/auth/email/verify', { key: person.token, body: { token } })).status, 200)
  await call('POST', '/v1/auth/password/forgot', { body: { email: person.email } })
  const reset = { token: await linkTo(service, person.email), password: 'another horse battery' }
  assert.equal((await call('POST', '/v1/auth/password/reset', { body: reset })).status, 202)
  const code = codeOf(service, person.secret)
  assertRefused(await sendCode(challenge, code), 401, 'authentication_error', over)
  const asked = await call('POST', '/v1/auth/signin', { body: { email: person.email, password: reset.password } })
  assert.equal(asked.body.error.code, 'second_factor_required')
  assert.equal((await sendCode(asked.body.error.challenge, code)).status, 200)
})

test('who proves an address that a stranger signed up with is not met by the stranger’s factor', async ({
  service,
  call,
  makePerson,
}) => {
  const stranger = await makePerson()
  await call('POST', '/v1/auth/password/forgot', { body: { email: stranger.email } })
  const reset = { token: await linkTo(service, stranger.email), password: 'another horse battery' }
  await call('POST', '/v1/auth/password/reset', { body: reset })
  const entered = await call('POST', '/v1/auth/signin', { body: { email: stranger.email, password: reset.password } })
  assert.equal(entered.status, 200)
  const { body } = await call('GET', '/v1/auth/factors', { key: entered.body.token })
  assert.deepEqual([body.totp.enabled, body.recovery_codes_left], [false, 0])
})

test('an account without a factor signs in as ever', async ({ service, signIn, sendCode }) => {
  const { email } = await makeAccount(service)
  const answer = await signIn({ email, password })
  assert.equal(answer.status, 200)
  assert.ok(!answer.headers.get('set-cookie')!.includes('svc_factor'))
  assertRefused(await sendCode(undefined, '123456'), 401, 'authentication_error', over)
})

// One code, one challenge, one set of recovery codes: whoever comes first, and on whichever process.
import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, wrongCodeOf } from '../../src/testing/factors.ts'

const test = factorTest()

const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length
const twenty = <T>(work: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, nth) => work(nth)))

test('one code in 20 sign-ins at once opens one session', async ({ service, second, makePerson, challengeOf }) => {
  const person = await makePerson()
  const challenges: string[] = []
  for (let n = 0; n < 20; n++) challenges.push(await challengeOf(person))
  const code = codeOf(service, person.secret)
  const answers = await twenty((n) =>
    [service, second][n % 2]!.call('POST', '/v1/auth/signin/factor', { body: { code, challenge: challenges[n] } }),
  )
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual([count(statuses, 200), count(statuses, 401)], [1, 19])
  for (const { status, body } of answers) if (status === 401) assert.equal(body.error.code, 'wrong_code')
  const { sessions } = (await service.call('GET', '/v1/auth/sessions', { key: person.token })).body
  assert.equal(sessions.length, 2)
})

test('one recovery code in 20 sign-ins at once opens one session', async ({
  service,
  second,
  makePerson,
  challengeOf,
}) => {
  const person = await makePerson()
  const challenges: string[] = []
  for (let n = 0; n < 20; n++) challenges.push(await challengeOf(person))
  const answers = await twenty((n) =>
    [service, second][n % 2]!.call('POST', '/v1/auth/signin/factor', {
      body: { code: person.recoveryCodes[0], challenge: challenges[n] },
    }),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(count(statuses, 200), 1)
  // Each of the others is a wrong code: beyond ten of them the account is refused.
  assert.equal(count(statuses, 401) + count(statuses, 429), 19)
  const { body } = await service.call('GET', '/v1/auth/factors', { key: person.token })
  assert.equal(body.recovery_codes_left, 9)
})

test('one challenge opens one session, with however many right codes', async ({
  service,
  second,
  makePerson,
  challengeOf,
}) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  const codes = [codeOf(service, person.secret), codeOf(service, person.secret, 1), ...person.recoveryCodes.slice(0, 2)]
  const answers = await Promise.all(
    codes.map((code, n) =>
      [service, second][n % 2]!.call('POST', '/v1/auth/signin/factor', { body: { code, challenge } }),
    ),
  )
  assert.equal(
    count(
      answers.map(({ status }) => status),
      200,
    ),
    1,
  )
})

test('one code re-authenticates once, or signs in', async ({ service, second, makePerson, challengeOf }) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  const code = codeOf(service, person.secret)
  const answers = await twenty((n) => {
    const { call } = [service, second][n % 2]!
    return n === 10
      ? call('POST', '/v1/auth/signin/factor', { body: { code, challenge } })
      : call('POST', '/v1/auth/reauthenticate', { key: person.token, body: { code } })
  })
  assert.equal(
    count(
      answers.map(({ status }) => status),
      200,
    ),
    1,
  )
})

test('guesses at once share the five attempts of their challenge', async ({
  service,
  second,
  makePerson,
  challengeOf,
}) => {
  const person = await makePerson()
  const challenge = await challengeOf(person)
  const code = wrongCodeOf(service, person.secret)
  const answers = await twenty((n) =>
    [service, second][n % 2]!.call('POST', '/v1/auth/signin/factor', { body: { code, challenge } }),
  )
  const codes = answers.map(({ body }) => body.error.code)
  assert.equal(codes.filter((one) => one === 'wrong_code').length, 5)
  assert.equal(codes.filter((one) => one === 'challenge_ended').length, 15)
})

test('a factor is confirmed once', async ({ service, second }) => {
  const { token } = await makeAccount(service)
  const { secret } = (await service.call('POST', '/v1/auth/factors/totp', { key: token })).body
  const body = { code: codeOf(service, secret) }
  const answers = await Promise.all(
    [0, 1, 2, 3].map((n) =>
      [service, second][n % 2]!.call('POST', '/v1/auth/factors/totp/confirm', { key: token, body }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  const { body: now } = await service.call('GET', '/v1/auth/factors', { key: token })
  assert.deepEqual([now.totp.enabled, now.recovery_codes_left], [true, 10])
})

test('recovery codes renewed twice at once are ten, and one set counts', async ({
  service,
  second,
  makePerson,
  challengeOf,
  sendCode,
}) => {
  const person = await makePerson()
  const answers = await Promise.all(
    [0, 1, 2, 3].map((n) =>
      [service, second][n % 2]!.call('POST', '/v1/auth/factors/recovery-codes', { key: person.token }),
    ),
  )
  for (const { status } of answers) assert.equal(status, 200)
  const { body } = await service.call('GET', '/v1/auth/factors', { key: person.token })
  assert.equal(body.recovery_codes_left, 10)
  const entered: number[] = []
  for (const answer of answers)
    entered.push((await sendCode(await challengeOf(person), answer.body.recovery_codes[0])).status)
  assert.equal(count(entered, 200), 1)
})

test('a sign-in that began before the factor was on ends with it', async ({ service, second, signIn, me }) => {
  const { token, email } = await makeAccount(service)
  const { secret } = (await service.call('POST', '/v1/auth/factors/totp', { key: token })).body
  const [confirmed, ...entered] = await Promise.all([
    service.call('POST', '/v1/auth/factors/totp/confirm', { key: token, body: { code: codeOf(service, secret) } }),
    ...[0, 1, 2, 3].map((n) => signIn({ email, password }, [service, second][n % 2]!)),
  ])
  assert.equal(confirmed!.status, 200)
  for (const { status, body } of entered) {
    if (status === 200) assert.equal((await me(body.token)).status, 401)
    else assert.equal(status, 401)
  }
  assert.equal((await me(token)).status, 200)
})

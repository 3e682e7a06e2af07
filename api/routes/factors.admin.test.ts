import assert from 'node:assert/strict'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { factorTest } from '../../src/testing/factors.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = factorTest().extend(
  'reset',
  { scope: 'file' },
  ({ call }) =>
    (email: string, key: string | undefined = adminToken) =>
      call('POST', '/v1/admin/accounts/reset-factor', { key, body: { email } }),
)

test('the administrator takes a factor away, sessions end, and a mail tells', async ({
  call,
  service,
  makePerson,
  challengeOf,
  sendCode,
  reset,
  me,
}) => {
  const person = await makePerson()
  const bystander = await makePerson()
  const challenge = await challengeOf(person)
  assert.equal((await reset(person.email.toUpperCase())).status, 204)
  assertRefused(await me(person.token), 401, 'authentication_error')
  assert.equal((await me(bystander.token)).status, 200)
  assertRefused(await sendCode(challenge, person.recoveryCodes[0]!), 401, 'authentication_error', {
    code: 'challenge_ended',
  })
  const entered = await call('POST', '/v1/auth/signin', { body: { email: person.email, password } })
  assert.equal(entered.status, 200)
  const { body } = await call('GET', '/v1/auth/factors', { key: entered.body.token })
  assert.deepEqual([body.totp.enabled, body.recovery_codes_left], [false, 0])
  assert.match((await mailsTo(service, person.email)).at(-1)!.text, /second factor reset, /)
  const { data } = (await call('GET', '/v1/audit-log', { key: entered.body.token })).body
  assert.ok(data.some(({ action }: { action: string }) => action === 'factor.reset'))
})

test('an unknown address, and anybody but the administrator, are refused', async ({ service, reset }) => {
  const { email, token } = await makeAccount(service)
  assertRefused(await reset(freshEmail('nobody')), 404, 'not_found', { param: 'email' })
  assertRefused(await reset(email, token), 401, 'authentication_error')
})

// The policy of an organization that requires a second factor: members without one reach only their own account.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, turnOnFactor } from '../../src/testing/factors.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = factorTest().extend(
  'require',
  { scope: 'file' },
  ({ service }) =>
    (orgId: string) =>
      service.app.sql`update organizations set require_second_factor = true where id = ${decodeId('org', orgId)!}`,
)

test('without a factor only the own account is open, and keys are not touched', async ({ service, call, require }) => {
  const { token, orgId, cookie, email } = await makeAccount(service)
  const { body: made } = await call('POST', '/v1/auth/keys', { key: token })
  await require(orgId)
  const refused = [
    ['GET', '/v1/calendars'],
    ['POST', '/v1/agents'],
    ['GET', '/v1/auth/export'],
    ['GET', '/v1/auth/keys'],
    ['DELETE', '/v1/auth/account'],
  ] as const
  for (const [method, path] of refused)
    assertRefused(await call(method, path, { key: token }), 403, 'forbidden', { code: 'second_factor_required' })
  const page = await call('GET', '/connect', { headers: { accept: 'text/html', cookie } })
  assert.equal(page.status, 403)
  const open = ['/v1/auth/me', '/v1/auth/sessions', '/v1/auth/factors'] as const
  for (const path of open) assert.equal((await call('GET', path, { key: token })).status, 200, path)
  assert.equal((await call('POST', '/v1/auth/signin', { body: { email, password } })).status, 200)
  assert.equal((await call('GET', '/v1/calendars', { key: made.key })).status, 200)

  await turnOnFactor(service, token)
  assert.equal((await call('GET', '/v1/calendars', { key: token })).status, 200, 'from the next request')
})

test('a factor that an organization requires is not turned off', async ({ service, call, makePerson, require }) => {
  const person = await makePerson()
  await require(person.orgId)
  const off = () => call('DELETE', '/v1/auth/factors/totp', { key: person.token })
  const refusal = { code: 'required_by_organization', organizations: [person.orgId] }
  assertRefused(await off(), 409, 'conflict', refusal)
  assertRefused(await off(), 409, 'conflict', refusal)
  const { body } = await call('GET', '/v1/auth/factors', { key: person.token })
  assert.deepEqual([body.totp.enabled, body.recovery_codes_left], [true, 10])
  await call('DELETE', '/v1/auth/reauthenticate', { key: person.token })
  assertRefused(await off(), 403, 'forbidden', { code: 'reauthentication_required', methods: ['code'] })
  const code = codeOf(service, person.secret)
  assert.equal((await call('POST', '/v1/auth/reauthenticate', { key: person.token, body: { code } })).status, 200)
})

// The policy of an organization that requires a second factor: members without one reach only their own account.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { openEventStream } from '../../src/testing/eventStream.ts'
import { codeOf, factorTest, turnOnFactor } from '../../src/testing/factors.ts'
import { makeTeam } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

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

test('open streams and long polls end for a member without a factor, and for one who was removed', async ({
  service,
  call,
  require,
}) => {
  const { orgId, owner, developer, viewer } = await makeTeam(service)
  const open = async (token: string) => {
    const stream = await openEventStream(`${service.baseUrl}/v1/changes/stream`, { authorization: `Bearer ${token}` })
    await stream.next()
    return async () => {
      const bye = await stream.next()
      return [bye && 'event' in bye && bye.event, await stream.next()]
    }
  }
  const poll = async (token: string) => {
    const { body } = await call('GET', '/v1/changes', { key: token })
    return call('GET', `/v1/changes?cursor=${body.cursor}&wait=55`, { key: token })
  }
  const gone = [await open(viewer.token), poll(viewer.token)] as const
  const kept = [await open(developer.token), poll(developer.token)] as const
  await untilWaiting(service.app, 4)
  assert.equal((await call('DELETE', `/v1/auth/members/${viewer.id}`, { key: owner.token })).status, 204)
  assert.deepEqual(await gone[0](), ['bye', undefined])
  assertRefused(await gone[1], 401, 'authentication_error')
  await require(orgId)
  assert.deepEqual(await kept[0](), ['bye', undefined])
  assertRefused(await kept[1], 403, 'forbidden', { code: 'second_factor_required' })
  assertRefused(await call('GET', '/v1/changes/stream', { key: developer.token }), 403, 'forbidden', {
    code: 'second_factor_required',
  })
})

test('an owner requires it with a factor of their own, and after re-authentication', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const set = (require_second_factor: boolean) =>
    call('PATCH', '/v1/auth/organization', { key: token, body: { require_second_factor } })
  assertRefused(await set(true), 409, 'conflict', { code: 'second_factor_missing' })
  const { secret } = await turnOnFactor(service, token)
  await call('DELETE', '/v1/auth/reauthenticate', { key: token })
  assertRefused(await set(true), 403, 'forbidden', { code: 'reauthentication_required', methods: ['code'] })
  assert.equal((await call('PATCH', '/v1/auth/organization', { key: token, body: { name: 'Named' } })).status, 200)
  await service.clock.advance(30_000)
  await call('POST', '/v1/auth/reauthenticate', { key: token, body: { code: codeOf(service, secret) } })
  const answer = await set(true)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.policy, { require_second_factor: true })
  const [{ require_second_factor }] = (await call('GET', '/v1/auth/memberships', { key: token })).body.data
  assert.equal(require_second_factor, true)
  assertRefused(await call('DELETE', '/v1/auth/factors/totp', { key: token }), 409, 'conflict', {
    code: 'required_by_organization',
    organizations: [answer.body.org.id],
  })
  assert.deepEqual((await set(false)).body.policy, { require_second_factor: false })
  assert.equal((await call('DELETE', '/v1/auth/factors/totp', { key: token })).status, 204)
})

test('the policy and the end of the own factor at once leave one of both', async ({ service, second, makePerson }) => {
  for (let n = 0; n < 4; n++) {
    const { token } = await makePerson()
    const [policy, off] = await Promise.all([
      service.call('PATCH', '/v1/auth/organization', { key: token, body: { require_second_factor: true } }),
      second.call('DELETE', '/v1/auth/factors/totp', { key: token }),
    ])
    assert.ok([200, 403, 409].includes(policy!.status), `${policy!.status}`)
    assert.deepEqual([policy!.status === 200, off!.status === 204].filter(Boolean), [true])
  }
})

test('the session and the list of members show the factor', async ({ call, makePerson }) => {
  const { token } = await makePerson()
  const session = (await call('GET', '/v1/auth/session', { key: token })).body
  assert.deepEqual([session.second_factor, session.reauthentication], [true, ['code']])
  const [member] = (await call('GET', '/v1/auth/members', { key: token })).body.data
  assert.equal(member.second_factor, true)
  await call('DELETE', '/v1/auth/reauthenticate', { key: token })
  assert.equal((await call('GET', '/v1/auth/session', { key: token })).body.reauthenticated_until, null)
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

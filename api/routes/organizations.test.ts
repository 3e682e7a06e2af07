// A person of several organizations: which one a request acts in, another one that they make, and the end of each.
import assert from 'node:assert/strict'
import { currentVersion, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeAgent, makeAgentKey } from '../../src/testing/factories.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { addGuest, peopleTest, proveAddress } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

const test = peopleTest()
const header = (id: string) => ({ 'x-organization-id': id })

test('a session says who, where and as what; another organization is chosen for it and for the next sign-ins', async ({
  call,
  makeTeam,
}) => {
  const { orgId, developer: person } = await makeTeam()
  const session = async (headers = {}) => (await call('GET', '/v1/auth/session', { key: person.token, headers })).body
  const here = await session()
  assert.deepEqual(Object.keys(here), [
    ...['id', 'account', 'org', 'member', 'second_factor', 'reauthenticated_until', 'reauthentication', 'expires_at'],
  ])
  assert.match(here.id, /^ses_[0-9a-z]{26}$/)
  assert.deepEqual(here.account, { email: person.email, has_password: true })
  assert.deepEqual([here.org.id, here.member], [orgId, { id: person.id, role: 'developer' }])
  assert.deepEqual([here.second_factor, here.reauthentication], [false, ['password']])
  const there = await session(header(person.ownOrgId))
  assert.deepEqual([there.org.id, there.member.role, there.id], [person.ownOrgId, 'owner', here.id])
  assert.equal((await session()).org.id, orgId, 'the header is of one request')
  const signedIn = async () =>
    (await call('POST', '/v1/auth/signin', { body: { email: person.email, password } })).body.org.id
  assert.equal(await signedIn(), orgId, 'the last one chosen')
  const choose = (organization_id: string) =>
    call('PATCH', '/v1/auth/session', { key: person.token, body: { organization_id } })
  assert.equal((await choose(person.ownOrgId)).body.org.id, person.ownOrgId)
  assert.deepEqual([(await session()).org.id, await signedIn()], [person.ownOrgId, person.ownOrgId])
  for (const id of ['org_none', person.id, 'org_01k9xr8m3fe8tbc4x9m2v7h5qd']) {
    assertRefused(await choose(id), 404, 'not_found', { param: 'organization_id' })
  }
})

test('the header is 404 for an organization of others, an unknown and a malformed one; it means nothing with a key', async ({
  call,
  key,
  makeTeam,
}) => {
  const [{ owner }, other] = [await makeTeam(), await makeTeam()]
  for (const id of [other.orgId, 'org_01k9xr8m3fe8tbc4x9m2v7h5qd', 'nonsense', 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd']) {
    for (const path of ['/v1/agents', '/v1/auth/me', '/v1/auth/members']) {
      const answer = await call('GET', path, { key: owner.token, headers: header(id) })
      assertRefused(answer, 404, 'not_found', { param: 'X-Organization-Id' })
    }
    assert.equal((await call('GET', '/v1/agents', { key, headers: header(id) })).status, 200)
    assertRefused(await call('GET', '/v1/auth/me', { key: 'e.e.e', headers: header(id) }), 401, 'authentication_error')
  }
})

test('memberships are listed, the first joined first', async ({ call, makeTeam }) => {
  const { orgId, admin } = await makeTeam()
  const { body } = await call('GET', '/v1/auth/memberships', { key: admin.token })
  assert.deepEqual(
    body.data.map((one: { org: { id: string; plan: string }; role: string }) => [one.org.id, one.org.plan, one.role]),
    [
      [admin.ownOrgId, 'free', 'owner'],
      [orgId, 'pro', 'admin'],
    ],
  )
  assert.deepEqual(Object.keys(body.data[0]), ['org', 'role', 'member_id', 'require_second_factor'])
  assert.deepEqual([body.data[1].member_id, body.data[1].require_second_factor], [admin.id, false])
})

test('a proven account makes further organizations, three on free plans at most, however many ask at once', async ({
  service,
  call,
  second,
}) => {
  const person = await makeAccount(service)
  const tos_version = await currentVersion(service)
  const open = (process = { call }, body: object = { name: 'Second', tos_version }) =>
    process.call('POST', '/v1/auth/organizations', { key: person.token, body })
  assertRefused(await open(), 403, 'forbidden', { code: 'address_unproven' })
  await proveAddress(service, person)
  const stale = await open({ call }, { name: 'Second', tos_version: 'v0' })
  assert.deepEqual([stale.status, stale.body.error.type], [409, 'tos_version_stale'])
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => open(nth % 2 ? { call } : second)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 429, 429, 429, 429])
  const made = answers.find(({ status }) => status === 201)!.body
  assert.deepEqual(Object.keys(made), ['org', 'member'])
  assert.deepEqual(
    [made.org.name, made.org.plan, made.org.email, made.org.email_verified, made.member.role],
    ['Second', 'free', person.email, true, 'owner'],
  )
  assert.equal((await open()).body.error.type, 'quota_exceeded')
  const log = await call('GET', '/v1/audit-log?action=org.create', { key: person.token, headers: header(made.org.id) })
  assert.deepEqual([log.body.data.length, log.body.data[0].resource], [1, made.org.id])
  assert.equal((await call('GET', '/v1/auth/me', { key: person.token })).body.org.id, person.orgId)
})

test('the name is changed by admins; the policy is shown', async ({ call, makeTeam }) => {
  const { admin, viewer } = await makeTeam()
  const renamed = await call('PATCH', '/v1/auth/organization', { key: admin.token, body: { name: 'Renamed' } })
  assert.deepEqual([renamed.status, renamed.body.org.name], [200, 'Renamed'])
  const { body } = await call('GET', '/v1/auth/organization', { key: viewer.token })
  assert.deepEqual(body, renamed.body)
  assert.deepEqual(body.policy, { require_second_factor: false })
  for (const sent of [{}, { name: '' }, { title: 'x' }]) {
    const { status } = await call('PATCH', '/v1/auth/organization', { key: admin.token, body: sent })
    assert.equal(status, 400)
  }
})

test('with others there the account is not deleted; the organization is, by its name, with a mail to everybody', async ({
  service,
  call,
  second,
  makeTeam,
}) => {
  const { orgId, owner, developer } = await makeTeam()
  const guest = await addGuest(service, orgId)
  assertRefused(await call('DELETE', '/v1/auth/account', { key: owner.token }), 409, 'conflict', {
    code: 'has_members',
  })
  const { name } = (await call('GET', '/v1/auth/organization', { key: owner.token })).body.org
  const erase = (confirm: string) =>
    call('DELETE', `/v1/auth/organization?confirm=${encodeURIComponent(confirm)}`, { key: owner.token })
  for (const wrong of ['', name.toUpperCase(), `${name} `]) {
    assertRefused(await erase(wrong), 400, 'validation_error', { param: 'confirm' })
  }
  assert.equal((await erase(name)).status, 204)
  for (const key of [owner.token, developer.token, guest.token]) {
    assertRefused(await second.call('GET', '/v1/auth/me', { key }), 401, 'authentication_error')
  }
  for (const { email } of [owner, developer, guest]) {
    const mail = (await mailsTo(service, email)).at(-1)
    assert.equal(mail?.subject, `You left ${name}`, email)
  }
  const back = await call('POST', '/v1/auth/signin', { body: { email: developer.email, password } })
  assert.deepEqual([back.status, back.body.org.id], [200, developer.ownOrgId])
  for (const { email } of [owner, guest]) {
    const gone = await call('POST', '/v1/auth/signin', { body: { email, password } })
    assertRefused(gone, 401, 'authentication_error')
  }
})

test('leaving everywhere erases the account; the last owner of any stays everywhere', async ({
  service,
  call,
  makeTeam,
}) => {
  const [team, other] = [await makeTeam(), await makeTeam()]
  const erase = (key: string) => call('DELETE', '/v1/auth/me', { key })
  const { developer } = team
  assertRefused(await erase(developer.token), 409, 'conflict', {
    code: 'last_owner',
    organizations: [developer.ownOrgId],
  })
  const { body } = await call('GET', '/v1/auth/memberships', { key: developer.token })
  assert.equal(body.data.length, 2, 'nothing was done')
  const guest = await addGuest(service, other.orgId, 'admin')
  assert.equal((await erase(guest.token)).status, 204)
  assertRefused(await call('GET', '/v1/auth/me', { key: guest.token }), 401, 'authentication_error')
  assert.match((await mailsTo(service, guest.email)).at(-1)!.text, /no longer a member/)
  assert.deepEqual([...(await service.app.sql`select from accounts where email = ${guest.email}`)], [])
})

test('the keys that a removed member made stay, and die with revoke_keys', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  for (const [query, status] of [
    ['', 200],
    ['?revoke_keys=true', 401],
  ] as const) {
    const { owner, developer } = await makeTeam()
    const agent = await makeAgent(service, owner.token)
    const key = await makeAgentKey(service, developer.token, agent.id)
    for (const process of [service, second])
      assert.equal((await process.call('GET', '/v1/calendars', { key })).status, 200)
    const removed = await call('DELETE', `/v1/auth/members/${developer.id}${query}`, { key: owner.token })
    assert.equal(removed.status, 204)
    for (const process of [service, second]) {
      assert.equal((await process.call('GET', '/v1/calendars', { key })).status, status)
    }
  }
})

test('a wait for changes ends when its member is removed: with the session that is there, and for the one that only looks in', async ({
  service,
  call,
  makeTeam,
}) => {
  const { orgId, owner, developer, viewer } = await makeTeam()
  await call('PATCH', '/v1/auth/session', { key: viewer.token, body: { organization_id: viewer.ownOrgId } })
  const headers = { 'x-organization-id': orgId }
  const { body } = await call('GET', '/v1/changes', { key: owner.token })
  const waiting = [developer, viewer].map(({ token }) =>
    call('GET', `/v1/changes?wait=50&cursor=${body.cursor}`, { key: token, headers }),
  )
  await untilWaiting(service.app, 2)
  for (const { id } of [developer, viewer]) await call('DELETE', `/v1/auth/members/${id}`, { key: owner.token })
  const [ended, removed] = await Promise.all(waiting)
  assertRefused(ended!, 401, 'authentication_error')
  assertRefused(removed!, 404, 'not_found', { param: 'X-Organization-Id' })
  assert.equal((await call('GET', '/v1/changes', { key: owner.token })).status, 200)
})

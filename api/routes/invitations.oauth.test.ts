// Accepting an invitation through a provider that vouches for its address.
import assert from 'node:assert/strict'
import { freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { invitationsPath, makeInvitation, makeTeam, membershipsOf } from '../../src/testing/invitations.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile } from '../../src/testing/test.ts'

const test = identityTest().extend('team', perFile, ({ service }) => makeTeam(service, { plan: 'custom' }))

let nth = 0
const person = (email: string, more: object = {}) => ({ sub: `invited-${++nth}`, email, email_verified: true, ...more })

test('a new person joins with an account that has no organization of its own', async ({
  service,
  enter,
  team,
  tos_version,
}) => {
  for (const query of [`&tos_version=${tos_version}`, '']) {
    const { email, token } = await makeInvitation(service, team, undefined, 'admin')
    const who = person(email.toUpperCase())
    const { status, headers, body } = await enter(who, `?invitation=${token}${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'member', 'org', 'token'])
    assert.deepEqual([body.org.id, body.member.role], [team.orgId, 'admin'])
    assert.ok(headers.getSetCookie()[0]?.startsWith(`svc_session=${body.token}; Path=/;`))
    assert.deepEqual(await membershipsOf(service, email), [[team.orgId, 'admin']])
    const again = await enter(who, '')
    assert.equal(again.body.org.id, team.orgId)
  }
})

test('a known person signs in and joins', async ({ service, enter, team }) => {
  const account = await makeAccount(service)
  const { token } = await makeInvitation(service, team, account.email)
  const { status, body } = await enter(person(account.email), `?invitation=${token}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.org.id, team.orgId)
  assert.deepEqual(await membershipsOf(service, account.email), [
    [account.orgId, 'owner'],
    [team.orgId, 'developer'],
  ])
})

test('another address, one that the provider does not vouch for, and the identity of another account join nothing', async ({
  service,
  call,
  enter,
  team,
  tos_version,
}) => {
  const { id, email, token } = await makeInvitation(service, team)
  const other = person(freshEmail())
  assert.equal((await enter(other)).status, 200)
  const query = `?invitation=${token}&tos_version=${tos_version}`
  for (const who of [
    person(freshEmail()),
    person(email, { email_verified: false }),
    { ...person(email), email: undefined },
    { ...other, email },
  ]) {
    assertRefused(await enter(who, query), 403, 'forbidden', { code: 'wrong_account' })
  }
  const { body } = await call('GET', `${invitationsPath}?status=pending&limit=200`, { key: team.token })
  assert.ok(body.data.some((one: { id: string }) => one.id === id))
  assert.equal((await service.app.sql`select from accounts where email = ${email}`).length, 0)
})

test('a dead link leads to no provider, and one that died on the way joins nothing', async ({
  service,
  call,
  begin,
  provider,
  start,
  team,
}) => {
  const refused = await start('?invitation=unknown')
  assert.equal(refused.status, 400)
  const { id, email, token } = await makeInvitation(service, team)
  provider.claims = person(email)
  const { path, headers } = await begin(`?invitation=${token}`)
  assert.equal((await call('DELETE', `${invitationsPath}/${id}`, { key: team.token })).status, 204)
  assertRefused(await call('GET', path, { headers }), 400, 'validation_error', { param: 'token' })
  assert.equal((await service.app.sql`select from accounts where email = ${email}`).length, 0)
})

test('a browser is shown that it has joined, or why not; its cookie does not hold the token', async ({
  service,
  call,
  begin,
  start,
  provider,
  team,
}) => {
  const { email, token } = await makeInvitation(service, team)
  const accept = 'text/html'
  const { cookie } = await start(`?invitation=${token}`)
  const claims = Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()
  assert.ok(claims.includes('invitation') && !claims.includes(token))
  for (const [who, status, text] of [
    [person(freshEmail()), 403, /for another address/],
    [person(email), 200, /You have joined/],
  ] as const) {
    provider.claims = who
    const { path, headers } = await begin(`?invitation=${token}`)
    const answer = await call('GET', path, { headers: { ...headers, accept } })
    assert.equal(answer.status, status)
    assert.match(answer.body, text)
  }
})

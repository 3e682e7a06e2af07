// Invitations to an organization that requires a second factor: whoever joins lands there, is told, and reaches what is their own.
import assert from 'node:assert/strict'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { codeOf, turnOnFactor } from '../../src/testing/factors.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { accept, makeInvitation, makeTeam, membershipsOf, signUpWith } from '../../src/testing/invitations.ts'
import { proveAddress } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile } from '../../src/testing/test.ts'

const test = identityTest().extend('team', perFile, async ({ service }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  await turnOnFactor(service, team.token)
  const body = { require_second_factor: true }
  const { status } = await service.call('PATCH', '/v1/auth/organization', { key: team.token, body })
  assert.equal(status, 200)
  return team
})

const person = (email: string) => ({ sub: email, email, email_verified: true })
const lacking = { code: 'second_factor_required' }

test('by session, by sign-up and through a provider people join, and then turn theirs on', async ({
  service,
  call,
  enter,
  team,
}) => {
  const account = await makeAccount(service)
  const byEmail = async (email = freshEmail()) => (await makeInvitation(service, team, email)).token
  const provided = freshEmail()
  const ways = [
    [200, await accept(service, await byEmail(account.email), { key: account.token })],
    [201, await signUpWith(service, await byEmail())],
    [200, await enter(person(provided), `?invitation=${await byEmail(provided)}`)],
  ] as const
  for (const [status, joined] of ways) {
    assert.equal(joined.status, status, JSON.stringify(joined.body))
    assert.deepEqual([joined.body.org.id, joined.body.member.role], [team.orgId, 'developer'])
    const key = joined.body.token ?? account.token
    const there = { key, headers: { 'x-organization-id': team.orgId } }
    for (const path of ['/v1/agents', '/v1/auth/members', '/v1/auth/organization', '/v1/calendar-connections'])
      assertRefused(await call('GET', path, there), 403, 'forbidden', lacking)
    assertRefused(await call('POST', '/v1/agents', there), 403, 'forbidden', lacking)
    for (const path of ['/v1/auth/session', '/v1/auth/me', '/v1/auth/sessions', '/v1/auth/factors'])
      assert.equal((await call('GET', path, there)).status, 200, path)
    const { data } = (await call('GET', '/v1/auth/memberships', there)).body
    assert.equal(data.find(({ org }: { org: { id: string } }) => org.id === team.orgId).require_second_factor, true)
    await turnOnFactor(service, key)
    assert.equal((await call('GET', '/v1/agents', there)).status, 200)
  }
})

test('elsewhere nothing changes for them, and they may leave without a factor', async ({ service, call, team }) => {
  const account = await makeAccount(service)
  const { token } = await makeInvitation(service, team, account.email)
  assert.equal((await accept(service, token, { key: account.token })).status, 200)
  assert.equal((await call('GET', '/v1/agents', { key: account.token })).status, 200)
  const headers = { 'x-organization-id': team.orgId }
  assert.equal((await call('DELETE', '/v1/auth/members/me', { key: account.token, headers })).status, 204)
})

test('a person with a factor gives its code before they join through a provider', async ({
  service,
  call,
  begin,
  provider,
  enter,
  team,
}) => {
  const account = await makeAccount(service)
  // Otherwise the provider would prove it, which ends a factor that a stranger may have turned on.
  await proveAddress(service, account)
  const { secret } = await turnOnFactor(service, account.token)
  await service.clock.advance(30_000)
  const { token } = await makeInvitation(service, team, account.email)
  const who = { ...person(account.email), sub: 'with-a-factor' }
  const waiting = await enter(who, `?invitation=${token}`)
  assert.deepEqual([waiting.status, waiting.body.error.code], [401, 'second_factor_required'])
  assert.equal((await membershipsOf(service, account.email)).length, 1)

  provider.claims = who
  const { path, headers } = await begin(`?invitation=${token}`)
  const page = await call('GET', path, { headers: { ...headers, accept: 'text/html' }, redirect: 'manual' })
  const back = `/invitations/${token}`
  const sent = new URL(page.headers.get('location')!)
  assert.deepEqual([page.status, sent.searchParams.get('return_to')], [303, back])
  const challenge = page.headers.getSetCookie().find((one) => one.startsWith('svc_factor='))!
  const entered = await call('POST', '/v1/auth/signin/factor', {
    body: { code: codeOf(service, secret), return_to: back },
    headers: { cookie: challenge.split(';')[0]!, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  })
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, service.baseUrl + back])
  const session = /svc_session=([^;]+)/.exec(entered.headers.getSetCookie().join('\n'))![1]!
  assert.equal((await accept(service, token, { key: session })).status, 200)
  assert.equal(
    (await call('GET', '/v1/agents', { key: session, headers: { 'x-organization-id': team.orgId } })).status,
    200,
  )
})

test('the page tells those who joined without a factor to turn theirs on, and nobody else', async ({
  service,
  call,
  team,
}) => {
  const told = /It requires a second factor.*\/console\/organization/s
  const htmlOf = async (path: string, key: string | undefined, body: object = {}) =>
    (await call('POST', path, { ...(key && { key }), body, headers: { accept: 'text/html' } })).body as string
  const fresh = await makeInvitation(service, team)
  const terms = { password, tos_version: await currentVersion(service) }
  assert.match(await htmlOf(`/invitations/${fresh.token}/signup`, undefined, terms), told)
  const [without, having] = [await makeAccount(service), await makeAccount(service)]
  await turnOnFactor(service, having.token)
  for (const { email, token: key } of [without, having]) {
    const { token } = await makeInvitation(service, team, email)
    const text = await htmlOf(`/invitations/${token}/accept`, key)
    assert.match(text, /You have joined/)
    assert.equal(told.test(text), key === without.token)
  }
})

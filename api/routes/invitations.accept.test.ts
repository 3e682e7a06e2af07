// Following the link of an invitation: only the account of its address joins.
import assert from 'node:assert/strict'
import { currentVersion, makeAccount, password } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { adminToken } from '../../src/testing/harness.ts'
import {
  accept,
  invitationsPath,
  invitationTest,
  join,
  lookUp,
  makeInvitation,
  makeTeam,
  membershipsOf,
  signIn,
  signUpWith,
} from '../../src/testing/invitations.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = invitationTest()

const isDead = (answer: Answer) => assertRefused(answer, 400, 'validation_error', { param: 'token' })

test('a look at a link says what it is to, and changes nothing', async ({ service, call, team }) => {
  const { id, email, token, body } = await makeInvitation(service, team)
  for (const _ of [1, 2]) {
    const { status, headers, body: seen } = await lookUp(service, token)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(seen, {
      organization: { name: 'Example Robotics' },
      email,
      role: 'developer',
      invited_by: team.email,
      expires_at: body.expires_at,
    })
  }
  const listed = await call('GET', `${invitationsPath}?status=pending&limit=1`, { key: team.token })
  assert.equal(listed.body.data[0].id, id)
})

test('every link that does not work gets one answer', async ({ service, call, team }) => {
  const [revoked, replaced, used, expired] = [
    await makeInvitation(service, team),
    await makeInvitation(service, team),
    await makeInvitation(service, team),
    await makeInvitation(service, await makeTeam(service)),
  ]
  await call('DELETE', `${invitationsPath}/${revoked.id}`, { key: team.token })
  await call('POST', `${invitationsPath}/${replaced.id}/resend`, { key: team.token })
  assert.equal((await signUpWith(service, used.token)).status, 201)
  const closed = await makeInvitation(service, await makeTeam(service))
  await service.app
    .sql`update organizations set pages_closed_at = now() where id in (select org_id from invitations where email = ${closed.email})`
  const dead = [
    revoked.token,
    replaced.token,
    used.token,
    closed.token,
    'A'.repeat(43),
    'malformed',
    '',
    'x'.repeat(5_000),
  ]
  const { token } = await makeAccount(service)
  const messages = new Set<string>()
  for (const one of dead) {
    for (const answer of [
      await lookUp(service, one),
      await signUpWith(service, one),
      await accept(service, one, { key: token }),
    ]) {
      isDead(answer)
      messages.add(answer.body.error.message)
    }
  }
  assert.equal(messages.size, 1)
  for (const one of [undefined, null, 7, {}]) isDead(await lookUp(service, one))
  await service.clock.advance(7 * 24 * 60 * 60_000)
  for (const answer of [await lookUp(service, expired.token), await signUpWith(service, expired.token)]) {
    isDead(answer)
    messages.add(answer.body.error.message)
  }
  assert.equal(messages.size, 1)
})

test('a person without an account signs up with the link, and belongs to that organization alone', async ({
  service,
  call,
  team,
}) => {
  const { email, token } = await makeInvitation(service, team, undefined, 'viewer')
  const { status, headers, body } = await signUpWith(service, token)
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(Object.keys(body).sort(), ['expires_at', 'member', 'org', 'token'])
  assert.equal(body.org.id, team.orgId)
  assert.match(body.member.id, /^mem_[0-9a-z]{26}$/)
  assert.equal(body.member.role, 'viewer')
  assert.ok(headers.getSetCookie()[0]?.startsWith(`svc_session=${body.token}; Path=/;`))
  assert.deepEqual(await membershipsOf(service, email), [[team.orgId, 'viewer']])
  assert.equal((await call('GET', '/v1/auth/me', { key: await signIn(service, email) })).body.org.id, team.orgId)
})

test('a sign-up needs a password and the current terms', async ({ service, team }) => {
  const { email, token } = await makeInvitation(service, team)
  const tos_version = await currentVersion(service)
  assertRefused(await accept(service, token), 400, 'validation_error', { param: 'password' })
  assertRefused(await accept(service, token, { password: 'short', tos_version }), 400, 'validation_error', {
    param: 'password',
  })
  assertRefused(await accept(service, token, { password }), 400, 'validation_error', { param: 'tos_version' })
  const stale = await accept(service, token, { password, tos_version: 'old' })
  assert.equal(stale.body.error.current_version, tos_version)
  assert.equal(stale.status, 409)
  const account = await makeAccount(service, { email })
  assertRefused(await signUpWith(service, token), 409, 'email_taken', { param: 'email' })
  assert.equal((await accept(service, token, { key: account.token })).status, 200)
})

test('the session of the address joins, keeps its own organization, and has its address proven', async ({
  service,
  call,
  team,
}) => {
  const account = await makeAccount(service)
  const { token } = await makeInvitation(service, team, account.email)
  const before = await call('GET', '/v1/auth/me', { key: account.token })
  assert.equal(before.body.org.email_verified, false)
  const { status, body } = await accept(service, token, { key: account.token })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['org', 'member'])
  assert.deepEqual([body.org.id, body.member.role], [team.orgId, 'developer'])
  const after = await call('GET', '/v1/auth/me', { key: account.token })
  assert.deepEqual([after.body.org.id, after.body.org.email_verified], [account.orgId, true])
  const headers = { 'x-organization-id': team.orgId }
  assert.equal((await call('GET', '/v1/auth/me', { key: account.token, headers })).body.org.id, team.orgId)
  isDead(await accept(service, token, { key: account.token }))
})

test('the session of another address is refused, and the invitation stays pending', async ({ service, call, team }) => {
  const { id, token } = await makeInvitation(service, team)
  const stranger = await makeAccount(service)
  for (const { token: key } of [stranger, team]) {
    assertRefused(await accept(service, token, { key }), 403, 'forbidden', { code: 'wrong_account' })
  }
  const me = await call('GET', '/v1/auth/me', { key: stranger.token })
  assert.equal(me.body.org.email_verified, false)
  const listed = await call('GET', `${invitationsPath}?status=pending&limit=200`, { key: team.token })
  assert.ok(listed.body.data.some((one: { id: string }) => one.id === id))
  assert.equal((await signUpWith(service, token)).status, 201)
})

test('signing up or in alone accepts nothing', async ({ service, team }) => {
  const { email } = await makeInvitation(service, team)
  const account = await makeAccount(service, { email })
  await signIn(service, email)
  assert.deepEqual(await membershipsOf(service, email), [[account.orgId, 'owner']])
})

test('a page of another site can accept nothing with a cookie', async ({ service, call, team }) => {
  const account = await makeAccount(service)
  const { token } = await makeInvitation(service, team, account.email)
  const headers = { cookie: account.cookie, origin: 'https://evil.example' }
  const answer = await call('POST', `${invitationsPath}/accept`, { body: { token }, headers })
  assertRefused(answer, 403, 'forbidden')
})

test('a plan that has shrunk has no seat for an old invitation', async ({ service, call }) => {
  const team = await makeTeam(service, { plan: 'pro' })
  for (const _ of [1, 2]) await join(service, team, 'viewer')
  const { token } = await makeInvitation(service, team)
  await call('PATCH', `/v1/admin/orgs/${team.orgId}`, { key: adminToken, body: { plan: 'free' } })
  assertRefused(await signUpWith(service, token), 429, 'quota_exceeded')
  await call('PATCH', `/v1/admin/orgs/${team.orgId}`, { key: adminToken, body: { plan: 'pro' } })
  assert.equal((await signUpWith(service, token)).status, 201)
})

test('a network looks up and accepts sixty times in a quarter of an hour', async ({ service, call }) => {
  const headers = { 'x-forwarded-for': '203.0.113.60' }
  const tryOnce = (door: string) => call('POST', `${invitationsPath}/${door}`, { body: { token: 'guess' }, headers })
  for (let tries = 0; tries < 30; tries++) for (const door of ['lookup', 'accept']) isDead(await tryOnce(door))
  for (const door of ['lookup', 'accept']) assertRefused(await tryOnce(door), 429, 'rate_limit_error')
  await service.clock.advance(15 * 60_000)
  isDead(await tryOnce('lookup'))
})

test('tokens are kept as digests alone', async ({ service, team }) => {
  const { email, token } = await makeInvitation(service, team)
  const rows = await service.app.sql<
    { row: string }[]
  >`select to_jsonb(i)::text as row from invitations i where email = ${email}`
  assert.equal(rows.length, 1)
  assert.ok(!rows[0]!.row.includes(token))
})

test('the metric counts what became of invitations', async ({ service, team }) => {
  const counted = async (outcome: string) => {
    const { values } = await service.app.metrics.registry.getSingleMetric('calendar_invitations_total')!.get()
    return values.find(({ labels }) => labels.outcome === outcome)?.value
  }
  const before = await counted('accepted')
  const { token } = await makeInvitation(service, team)
  assert.equal((await signUpWith(service, token)).status, 201)
  isDead(await signUpWith(service, token))
  assert.equal(await counted('accepted'), before! + 1)
  for (const outcome of ['created', 'dead_link']) assert.ok((await counted(outcome))! > 0, outcome)
})

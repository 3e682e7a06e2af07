// Invitations as the members of an organization make them.
import assert from 'node:assert/strict'
import { purgeOldInvitations } from '../../src/members/invitations.ts'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import {
  invitationsPath,
  invitationTest,
  invitationTo,
  invite,
  join,
  lookUp,
  makeInvitation,
  makeTeam,
  signIn,
  signUpWith,
} from '../../src/testing/invitations.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = invitationTest()

const dayMs = 24 * 60 * 60_000
const isoAfter = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString()

test('an owner invites a person, who gets a mail with the link', async ({ service, call, team }) => {
  const email = freshEmail('Grace')
  const now = service.clock.now()
  const { status, body } = await invite(service, team, ` ${email} `, 'viewer')
  assert.equal(status, 201, JSON.stringify(body))
  assert.match(body.id, /^inv_[0-9a-z]{26}$/)
  assert.deepEqual(body, {
    id: body.id,
    email: email.toLowerCase(),
    role: 'viewer',
    status: 'pending',
    invited_by: team.email,
    created_at: now.toISOString(),
    sent_at: now.toISOString(),
    expires_at: isoAfter(now, 7 * dayMs),
  })
  const [mail, ...others] = await mailsTo(service, email.toLowerCase())
  assert.deepEqual(others, [])
  assert.equal(mail!.subject, 'Invitation to Example Robotics')
  for (const said of [team.email, 'Example Robotics', 'viewer', '7 days', 'once', 'this address only', 'ignore']) {
    assert.ok(mail!.text.includes(said), said)
  }
  assert.ok(mail!.text.split('\n').every((line) => line.length < 79))
  const listed = await call('GET', `${invitationsPath}?status=pending`, { key: team.token })
  assert.deepEqual(
    listed.body.data.filter(({ id }: { id: string }) => id === body.id),
    [body],
  )
})

test('the name of an organization cannot write a mail of its own', async ({ service, team }) => {
  const other = await makeTeam(service, { plan: 'custom' })
  await service.app
    .sql`update organizations set name = ${`Win\r\nBcc: a@example.com ${'x'.repeat(100)}`} where email = ${other.email}`
  const { email } = await makeInvitation(service, other)
  const [mail] = await mailsTo(service, email)
  const name = `Win Bcc: a@example.com ${'x'.repeat(36)}…`
  assert.equal(mail!.subject, `Invitation to ${name}`)
  assert.equal([...name].length, 60)
  assert.ok(team)
})

test('invitations are listed newest first, by status, and ended ones for 30 days', async ({ service, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  const [gone, kept, used] = [
    await makeInvitation(service, team),
    await makeInvitation(service, team),
    await makeInvitation(service, team),
  ]
  assert.equal((await signUpWith(service, used.token)).status, 201)
  assert.equal((await call('DELETE', `${invitationsPath}/${gone.id}`, { key: team.token })).status, 204)
  const list = async (query = '') => {
    const { status, body } = await call('GET', `${invitationsPath}${query}`, { key: await signIn(service, team.email) })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const statuses = async (query = '') =>
    (await list(query)).data.map(({ id, status }: { id: string; status: string }) => [id, status])
  assert.deepEqual(await statuses(), [
    [used.id, 'accepted'],
    [kept.id, 'pending'],
    [gone.id, 'revoked'],
  ])
  assert.deepEqual(await statuses('?status=revoked'), [[gone.id, 'revoked']])
  const { total, limit, offset } = await list('?limit=1&offset=1')
  assert.deepEqual([total, limit, offset], [3, 1, 1])
  await service.clock.advance(7 * dayMs)
  assert.deepEqual(await statuses('?status=expired'), [[kept.id, 'expired']])
  assert.deepEqual(await statuses('?status=pending'), [])
  await service.clock.advance(23 * dayMs)
  assert.deepEqual(await statuses(), [[kept.id, 'expired']])
  await service.clock.advance(7 * dayMs)
  await purgeOldInvitations(service.app)
  assert.deepEqual(await statuses(), [])
  const [{ left }] = await service.app.sql<
    [{ left: number }]
  >`select count(*)::integer as left from invitations where email = ${kept.email}`
  assert.equal(left, 0)
})

test('a member is not invited, and an address only once at a time', async ({ service, call, team }) => {
  const conflict = { param: 'email' }
  assertRefused(await invite(service, team, team.email.toUpperCase()), 409, 'conflict', {
    ...conflict,
    code: 'already_member',
  })
  const { email, id } = await makeInvitation(service, team)
  const again = await invite(service, team, email)
  assertRefused(again, 409, 'conflict', { ...conflict, code: 'already_invited' })
  assert.equal((await call('DELETE', `${invitationsPath}/${id}`, { key: team.token })).status, 204)
  assert.equal((await invite(service, team, email)).status, 201)
  assert.equal((await mailsTo(service, email)).length, 2)
})

test('an expired invitation makes room for another, and is resent unless there is one', async ({ service, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  const [first, other] = [await makeInvitation(service, team), await makeInvitation(service, team)]
  await service.clock.advance(7 * dayMs)
  const key = await signIn(service, team.email)
  assert.equal((await lookUp(service, first.token)).status, 400)
  const second = await makeInvitation(service, { ...team, token: key }, first.email)
  const resend = (id: string) => call('POST', `${invitationsPath}/${id}/resend`, { key })
  assertRefused(await resend(first.id), 409, 'conflict', { param: 'email', code: 'already_invited' })
  const resent = await resend(other.id)
  assert.equal(resent.status, 200, JSON.stringify(resent.body))
  const now = service.clock.now()
  assert.deepEqual(resent.body, {
    ...other.body,
    sent_at: now.toISOString(),
    expires_at: isoAfter(now, 7 * dayMs),
  })
  assert.equal((await lookUp(service, second.token)).status, 200)
  assert.equal((await lookUp(service, await invitationTo(service, other.email))).status, 200)
})

test('another link ends the one before; a revoked or accepted invitation is not resent', async ({
  service,
  call,
  team,
}) => {
  const { id, email, token } = await makeInvitation(service, team)
  const resend = () => call('POST', `${invitationsPath}/${id}/resend`, { key: team.token })
  assert.equal((await resend()).status, 200)
  assertRefused(await lookUp(service, token), 400, 'validation_error', { param: 'token' })
  const next = await invitationTo(service, email)
  assert.notEqual(next, token)
  assert.equal((await signUpWith(service, next)).status, 201)
  const remove = (one: string) => call('DELETE', `${invitationsPath}/${one}`, { key: team.token })
  for (const answer of [await resend(), await remove(id)]) assertRefused(answer, 409, 'conflict')
  const revoked = await makeInvitation(service, team)
  for (const answer of [await remove(revoked.id), await remove(revoked.id)]) assert.equal(answer.status, 204)
  assertRefused(await call('POST', `${invitationsPath}/${revoked.id}/resend`, { key: team.token }), 409, 'conflict')
  assertRefused(await lookUp(service, revoked.token), 400, 'validation_error', { param: 'token' })
})

test('an unknown invitation, or one of another organization, is 404', async ({ service, call, team }) => {
  const { id } = await makeInvitation(service, await makeTeam(service))
  for (const one of [id, 'inv_none', team.orgId]) {
    for (const [method, path] of [
      ['DELETE', `${invitationsPath}/${one}`],
      ['POST', `${invitationsPath}/${one}/resend`],
    ]) {
      assertRefused(await call(method!, path!, { key: team.token }), 404, 'not_found')
    }
  }
})

test('admins invite up to their own role; developers, viewers and API keys do not', async ({ service, call, team }) => {
  const [admin, developer, viewer] = [
    await join(service, team, 'admin'),
    await join(service, team, 'developer'),
    await join(service, team, 'viewer'),
  ]
  const refusedFor = (answer: Parameters<typeof assertRefused>[0], required_role: string) => {
    assert.equal(answer.body.error.required_role, required_role)
    delete answer.body.error.required_role
    assertRefused(answer, 403, 'forbidden', { code: 'role' })
  }
  refusedFor(await invite(service, admin, freshEmail(), 'owner'), 'owner')
  assert.equal((await invite(service, admin, freshEmail(), 'admin')).status, 201)
  const { id } = await makeInvitation(service, team, undefined, 'owner')
  for (const [method, path] of [
    ['DELETE', `${invitationsPath}/${id}`],
    ['POST', `${invitationsPath}/${id}/resend`],
  ]) {
    refusedFor(await call(method!, path!, { key: admin.token }), 'owner')
  }
  for (const { token } of [developer, viewer]) {
    for (const [method, path] of [
      ['GET', invitationsPath],
      ['POST', invitationsPath],
      ['POST', `${invitationsPath}/${id}/resend`],
      ['DELETE', `${invitationsPath}/${id}`],
    ]) {
      refusedFor(await call(method!, path!, { key: token, ...(method === 'POST' && { body: {} }) }), 'admin')
    }
  }
  const { key } = await makeOrganization(service)
  assertRefused(await call('GET', invitationsPath, { key }), 401, 'authentication_error')
})

test('only an organization with a proven address invites, or one that the administrator made', async ({
  service,
  call,
}) => {
  const { token } = await makeAccount(service)
  assertRefused(await invite(service, { email: '', token }, freshEmail()), 403, 'forbidden', {
    code: 'address_unproven',
  })
  const email = freshEmail()
  const made = await call('POST', '/v1/admin/orgs', { key: adminToken, body: { name: 'Made', email } })
  assert.equal(made.status, 201)
  await call('POST', '/v1/auth/password/forgot', { body: { email } })
  const reset = { token: await linkTo(service, email), password }
  assert.equal((await call('POST', '/v1/auth/password/reset', { body: reset })).status, 202)
  assert.equal((await invite(service, { email, token: await signIn(service, email) }, freshEmail())).status, 201)
})

test('members and pending invitations share the seats of the plan', async ({ service, call }) => {
  const team = await makeTeam(service, { plan: 'free' })
  const first = await makeInvitation(service, team)
  const second = await makeInvitation(service, team)
  const full = await invite(service, team, freshEmail())
  assertRefused(full, 429, 'quota_exceeded')
  assert.ok(Number(full.headers.get('retry-after')) > 0)
  assertRefused(await invite(service, team, first.email), 409, 'conflict', { param: 'email', code: 'already_invited' })
  assert.equal((await call('DELETE', `${invitationsPath}/${first.id}`, { key: team.token })).status, 204)
  assert.equal((await signUpWith(service, second.token)).status, 201)
  assert.equal((await invite(service, team, freshEmail())).status, 201)
  assertRefused(await invite(service, team, freshEmail()), 429, 'quota_exceeded')
})

test('an address gets five mails an hour, and an organization makes a hundred invitations a day', async ({
  service,
  call,
}) => {
  const team = await makeTeam(service, { plan: 'custom' })
  const { id, email } = await makeInvitation(service, team)
  const resend = () => call('POST', `${invitationsPath}/${id}/resend`, { key: team.token })
  for (let sent = 1; sent < 5; sent++) assert.equal((await resend()).status, 200)
  assertRefused(await resend(), 429, 'rate_limit_error')
  assert.equal((await call('DELETE', `${invitationsPath}/${id}`, { key: team.token })).status, 204)
  assertRefused(await invite(service, team, email), 429, 'rate_limit_error')
  // Another organization has its own count.
  assert.equal((await invite(service, await makeTeam(service), email)).status, 201)
  // One was made, and one that was refused for its address has counted, too.
  for (let made = 2; made < 100; made++) assert.equal((await invite(service, team, freshEmail())).status, 201)
  assertRefused(await invite(service, team, freshEmail()), 429, 'rate_limit_error')
})

test('a dry run invites nobody, and a repetition with a key invites once', async ({ service, call, team }) => {
  const body = { email: freshEmail(), role: 'viewer' }
  const dry = await call('POST', `${invitationsPath}?dry_run=true`, { key: team.token, body })
  assert.equal(dry.status, 200, JSON.stringify(dry.body))
  assert.deepEqual(await mailsTo(service, body.email), [])
  const headers = { 'idempotency-key': 'once' }
  const [first, second] = [
    await call('POST', invitationsPath, { key: team.token, body, headers }),
    await call('POST', invitationsPath, { key: team.token, body, headers }),
  ]
  assert.deepEqual([first.status, second.status, second.body], [201, 201, first.body])
  assert.equal((await mailsTo(service, body.email)).length, 1)
})

test('the export has members and invitations once somebody was invited', async ({ service, call, team }) => {
  const exported = async () => (await call('GET', '/v1/auth/export', { key: team.token })).body
  const before = await exported()
  assert.deepEqual([before.members, before.invitations], [undefined, undefined])
  const { body } = await makeInvitation(service, team, undefined, 'viewer')
  const { memberId, email } = await join(service, team, 'admin')
  const { members, invitations } = await exported()
  assert.deepEqual(
    members.map((one: Record<string, unknown>) => [one.email, one.role]),
    [
      [team.email, 'owner'],
      [email, 'admin'],
    ],
  )
  assert.deepEqual(Object.keys(members[1]), ['id', 'email', 'role', 'joined_at'])
  assert.equal(members[1].id, memberId)
  assert.deepEqual(invitations[0], body)
  assert.equal(invitations[1].status, 'accepted')
})

test('a member who loses the right to invite leaves no invitation behind', async ({ service, call, team }) => {
  const { sql } = service.app
  const pending = async () =>
    (await call('GET', `${invitationsPath}?status=pending`, { key: team.token })).body.data.map(
      ({ id }: { id: string }) => id,
    )
  const admin = await join(service, team, 'owner')
  const [owners, admins] = [
    await makeInvitation(service, admin, undefined, 'owner'),
    await makeInvitation(service, admin, undefined, 'admin'),
  ]
  const other = await makeInvitation(service, team, undefined, 'owner')
  const setRole = (role: string) =>
    sql`update memberships set role = ${role} where account_id = (select id from accounts where email = ${admin.email})`
  assert.deepEqual(await pending(), [other.id, admins.id, owners.id])
  await setRole('admin')
  assert.deepEqual(await pending(), [other.id, admins.id])
  assert.equal((await lookUp(service, owners.token)).status, 400)
  await setRole('developer')
  assert.deepEqual(await pending(), [other.id])
  await setRole('owner')
  const last = await makeInvitation(service, admin, undefined, 'viewer')
  await sql`delete from memberships where account_id = (select id from accounts where email = ${admin.email})`
  assert.deepEqual(await pending(), [other.id])
  assert.equal((await lookUp(service, last.token)).status, 400)
})

test('each act is in the audit log, by the address of the member', async ({ service, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  const { id, email } = await makeInvitation(service, team)
  await call('POST', `${invitationsPath}/${id}/resend`, { key: team.token })
  const gone = await makeInvitation(service, team)
  await call('DELETE', `${invitationsPath}/${gone.id}`, { key: team.token })
  const token = await invitationTo(service, email)
  assert.equal((await signUpWith(service, token)).status, 201)
  const { body } = await call('GET', '/v1/audit-log?limit=100', { key: team.token })
  const acts = body.data.filter(({ action }: { action: string }) => action.startsWith('invitation.'))
  assert.deepEqual(
    acts.map((entry: Record<string, unknown>) => [entry.action, entry.resource, entry.actor_account]),
    [
      ['invitation.accept', id, email],
      ['invitation.revoke', gone.id, team.email],
      ['invitation.create', gone.id, team.email],
      ['invitation.resend', id, team.email],
      ['invitation.create', id, team.email],
    ],
  )
  assert.ok(!JSON.stringify(body).includes(token))
})

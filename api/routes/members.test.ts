// Members of an organization: who they are, their roles, and the end of a membership.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { password } from '../../src/testing/accounts.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { addGuest, peopleTest } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = peopleTest()

test('members are listed as they joined; only owners and admins see the second factor and the last visit', async ({
  call,
  makeTeam,
}) => {
  const { owner, admin, developer, viewer } = await makeTeam()
  const list = async (key: string) => (await call('GET', '/v1/auth/members', { key })).body
  const seen = await list(admin.token)
  assert.deepEqual([seen.total, seen.limit, seen.offset], [4, 50, 0])
  assert.deepEqual(
    seen.data.map((one: { email: string; role: string; you: boolean }) => [one.email, one.role, one.you]),
    [
      [owner.email, 'owner', false],
      [admin.email, 'admin', true],
      [developer.email, 'developer', false],
      [viewer.email, 'viewer', false],
    ],
  )
  assert.deepEqual(Object.keys(seen.data[0]), [
    'id',
    'email',
    'role',
    'joined_at',
    'you',
    'second_factor',
    'last_seen_at',
  ])
  assert.equal(seen.data[0].second_factor, false)
  assert.match(seen.data[0].last_seen_at, /^\d{4}-/)
  const plain = await list(viewer.token)
  assert.deepEqual(Object.keys(plain.data[0]), ['id', 'email', 'role', 'joined_at', 'you'])
  assertRefused(await call('GET', '/v1/auth/members', { key: 'svc_sk_none_at_all' }), 401, 'authentication_error')
})

test('a role is changed with a mail, up to the own one; an unknown member is 404', async ({
  service,
  call,
  makeTeam,
}) => {
  const { owner, admin, developer } = await makeTeam()
  const patch = (key: string, id: string, role: string) =>
    call('PATCH', `/v1/auth/members/${id}`, { key, body: { role } })
  const changed = await patch(admin.token, developer.id, 'admin')
  assert.deepEqual([changed.status, changed.body.role, changed.body.id], [200, 'admin', developer.id])
  const mail = (await mailsTo(service, developer.email)).at(-1)
  const { body: me } = await call('GET', '/v1/auth/me', { key: owner.token })
  assert.equal(mail?.subject, `Your role in ${me.org.name}`)
  assert.match(mail!.text, /is now admin\./)
  const above = { code: 'role', required_role: 'owner' }
  assertRefused(await patch(admin.token, developer.id, 'owner'), 403, 'forbidden', above)
  assertRefused(await patch(admin.token, owner.id, 'viewer'), 403, 'forbidden', above)
  for (const id of ['mem_none', 'me', developer.id.replace('mem', 'org')]) {
    assertRefused(await patch(admin.token, id, 'viewer'), 404, 'not_found')
  }
  assertRefused(await patch(owner.token, owner.id, 'admin'), 409, 'conflict', { code: 'last_owner' })
  assertRefused(await patch(owner.token, developer.id, 'boss'), 400, 'validation_error', { param: 'role' })
  assert.equal((await patch(owner.token, developer.id, 'owner')).status, 200)
  const log = await call('GET', '/v1/audit-log?action=member.update', { key: owner.token })
  assert.deepEqual(
    log.body.data.map((entry: { resource: string; actor_account: string }) => [entry.resource, entry.actor_account]),
    [
      [developer.id, owner.email],
      [developer.id, admin.email],
    ],
  )
})

test('a removal is in force before its answer, with a mail: the sessions there end, others no longer reach it', async ({
  service,
  call,
  second,
  makeTeam,
}) => {
  const { orgId, owner, developer, viewer } = await makeTeam()
  // The developer looks at the organization from another session, whose own organization is theirs.
  const elsewhere = await call('POST', '/v1/auth/signin', { body: { email: developer.email, password } })
  const key = elsewhere.body.token
  await call('PATCH', '/v1/auth/session', { key, body: { organization_id: developer.ownOrgId } })
  const named = { 'x-organization-id': orgId }
  assert.equal((await call('GET', '/v1/agents', { key, headers: named })).status, 200)
  const removed = await call('DELETE', `/v1/auth/members/${developer.id}`, { key: owner.token })
  assert.equal(removed.status, 204)
  for (const process of [service, second]) {
    assertRefused(await process.call('GET', '/v1/agents', { key: developer.token }), 401, 'authentication_error')
    const param = 'X-Organization-Id'
    assertRefused(await process.call('GET', '/v1/agents', { key, headers: named }), 404, 'not_found', { param })
    assert.equal((await process.call('GET', '/v1/agents', { key })).status, 200)
  }
  const mail = (await mailsTo(service, developer.email)).at(-1)
  assert.match(mail!.subject, /^You left /)
  assert.match(mail!.text, /no longer a member/)
  assertRefused(await call('DELETE', `/v1/auth/members/${developer.id}`, { key: owner.token }), 404, 'not_found')
  const log = await call('GET', '/v1/audit-log?action=member.remove', { key: owner.token })
  assert.deepEqual([log.body.data.length, log.body.data[0].resource], [1, developer.id])
  assertRefused(await call('DELETE', `/v1/auth/members/${owner.id}`, { key: viewer.token }), 403, 'forbidden', {
    code: 'role',
    required_role: 'admin',
  })
})

test('every member leaves, by me or the own id; the account goes with its last membership and its address is free', async ({
  service,
  call,
  makeTeam,
}) => {
  const { orgId, owner, developer, viewer } = await makeTeam()
  assert.equal((await call('DELETE', '/v1/auth/members/me', { key: viewer.token })).status, 204)
  assert.equal((await call('DELETE', `/v1/auth/members/${developer.id}`, { key: developer.token })).status, 204)
  assertRefused(await call('GET', '/v1/auth/me', { key: viewer.token }), 401, 'authentication_error')
  const again = await call('POST', '/v1/auth/signin', { body: { email: viewer.email, password } })
  assert.deepEqual([again.status, again.body.org.id], [200, viewer.ownOrgId])
  assertRefused(await call('DELETE', '/v1/auth/members/me', { key: owner.token }), 409, 'conflict', {
    code: 'last_owner',
  })
  const log = await call('GET', '/v1/audit-log?action=member.leave', { key: owner.token })
  assert.equal(log.body.data.length, 2)
  // A person without an organization of their own.
  const guest = await addGuest(service, orgId)
  const here = { key: guest.token }
  assert.equal((await call('GET', '/v1/auth/session', here)).body.account.email, guest.email)
  assert.equal((await call('DELETE', '/v1/auth/members/me', here)).status, 204)
  assertRefused(await call('GET', '/v1/auth/session', here), 401, 'authentication_error')
  const { body } = await call('GET', '/v1/auth/terms/current')
  const anew = { email: guest.email, password, tos_version: body.version }
  assert.equal((await call('POST', '/v1/auth/signup', { body: anew })).status, 201)
})

test('an Idempotency-Key of one who leaves is theirs alone: another member leaves with the same one', async ({
  call,
  makeTeam,
}) => {
  const { owner, developer, viewer } = await makeTeam()
  const leave = (key: string) =>
    call('DELETE', '/v1/auth/members/me', { key, headers: { 'idempotency-key': 'leaving' } })
  for (const { token } of [viewer, developer]) assert.equal((await leave(token)).status, 204)
  const { body } = await call('GET', '/v1/auth/members', { key: owner.token })
  assert.deepEqual(
    body.data.map(({ role }: { role: string }) => role),
    ['owner', 'admin'],
  )
})

test('of two owners who remove, demote or leave at once one succeeds, on two processes', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  const ways = [
    (id: string) => ({ method: 'DELETE', path: `/v1/auth/members/${id}` }),
    (id: string) => ({ method: 'PATCH', path: `/v1/auth/members/${id}`, body: { role: 'viewer' } }),
    () => ({ method: 'DELETE', path: '/v1/auth/members/me' }),
  ]
  for (const way of ways) {
    for (let round = 0; round < 3; round++) {
      const { orgId, owner, admin } = await makeTeam()
      await call('PATCH', `/v1/auth/members/${admin.id}`, { key: owner.token, body: { role: 'owner' } })
      const ask = (process: Pick<typeof service, 'call'>, key: string, target: string) => {
        const { method, path, ...body } = way(target)
        return process.call(method, path, { key, ...body })
      }
      const answers = await Promise.all([ask(service, owner.token, admin.id), ask(second, admin.token, owner.id)])
      const won = answers.filter(({ status }) => status < 300)
      const lost = answers.find(({ status }) => status >= 300)!
      assert.equal(won.length, 1, JSON.stringify(answers.map(({ status, body }) => [status, body])))
      assert.ok(
        [401, 403, 404].includes(lost.status) || lost.body.error.code === 'last_owner',
        JSON.stringify(lost.body),
      )
      const [left] = await service.app.sql<{ owners: number; email: string; owner: string }[]>`
        select count(*)::int as owners, min(o.email) as email, min(a.email) as owner
        from memberships m join organizations o on o.id = m.org_id join accounts a on a.id = m.account_id
        where m.role = 'owner' and o.id = ${decodeId('org', orgId)!}`
      assert.deepEqual([left!.owners, left!.email], [1, left!.owner], 'the address is that of the owner')
    }
  }
})

test('the audit log shows and finds the acting member on request, also after they have left', async ({
  call,
  makeTeam,
}) => {
  const { owner, developer } = await makeTeam()
  const made = await call('POST', '/v1/agents', { key: developer.token, body: { name: 'A', type: 'ai' } })
  await call('DELETE', `/v1/auth/members/${developer.id}`, { key: owner.token })
  const read = async (query: string) => (await call('GET', `/v1/audit-log?${query}`, { key: owner.token })).body.data
  const [entry] = await read(`include_member=true&resource=${made.body.id}`)
  assert.deepEqual([entry.actor_member, entry.actor_role], [developer.id, 'developer'])
  const found = await read(`actor_member=${developer.id}`)
  assert.ok(found.some(({ resource }: { resource: string }) => resource === made.body.id))
  assert.ok(found.every((one: object) => !('actor_member' in one) && !('actor_role' in one)))
  assert.deepEqual(await read(`actor_member=${owner.id}&action=agent.create`), [])
  assert.deepEqual(await read('actor_member=mem_nobody'), [])
})

test('the Idempotency-Key of a member gives nobody else the answer about their own account', async ({
  call,
  makeTeam,
}) => {
  const { orgId, admin, developer } = await makeTeam()
  const choose = (key: string) =>
    call('PATCH', '/v1/auth/session', { key, body: { organization_id: orgId }, headers: { 'idempotency-key': 'mine' } })
  const accounts: string[] = []
  for (const { token } of [admin, developer, admin]) accounts.push((await choose(token)).body.account.email)
  assert.deepEqual(accounts, [admin.email, developer.email, admin.email])
})

// A member who loses a right while they use it, on two processes: nothing that begins afterwards succeeds, and nothing of theirs is left over.
import assert from 'node:assert/strict'
import { decodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { accept, makeInvitation, membershipsOf, signUpWith } from '../../src/testing/invitations.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { addGuest, peopleTest } from '../../src/testing/people.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = peopleTest()

test('a key that is made while its maker is removed with their keys is revoked or was never made', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  for (let round = 0; round < 3; round++) {
    const { owner, admin } = await makeTeam()
    const agent = await makeAgent(service, owner.token)
    const make = (nth: number) => {
      const process = nth % 2 ? service : second
      return nth % 3
        ? process.call('POST', '/v1/auth/keys', { key: admin.token, body: { name: `Key ${nth}` } })
        : process.call('POST', '/v1/keys', { key: admin.token, body: { agent_id: agent.id } })
    }
    const first = Array.from({ length: 4 }, (_, nth) => make(nth))
    const removed = call('DELETE', `/v1/auth/members/${admin.id}?revoke_keys=true`, { key: owner.token })
    const answers = await Promise.all([...first, ...Array.from({ length: 8 }, (_, nth) => make(nth))])
    assert.equal((await removed).status, 204)
    for (const { status, body } of answers) {
      assert.ok([201, 401, 404].includes(status), `${status} ${JSON.stringify(body)}`)
      if (status === 201) assert.equal((await second.call('GET', '/v1/time', { key: body.key })).status, 401)
    }
    const { keys } = (await call('GET', '/v1/auth/keys', { key: owner.token })).body
    assert.deepEqual(
      keys.filter(({ created_by }: { created_by: { email: string } | null }) => created_by?.email === admin.email),
      [],
    )
  }
})

test('no request succeeds that begins after a demotion, a removal, the end of a session or of a key', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  const { owner, admin, developer } = await makeTeam()
  const own = { key: owner.token }
  const { body: made } = await call('POST', '/v1/auth/keys', { ...own, body: { name: 'CI' } })
  const { body: session } = await call('GET', '/v1/auth/session', { key: admin.token })
  const demote = () => call('PATCH', `/v1/auth/members/${developer.id}`, { ...own, body: { role: 'viewer' } })
  const cases = [
    [developer.token, demote, 403],
    [developer.token, () => call('DELETE', `/v1/auth/members/${developer.id}`, own), 401],
    [admin.token, () => call('DELETE', `/v1/auth/sessions/${session.id}`, { key: admin.token }), 401],
    [made.key, () => call('DELETE', `/v1/auth/keys/${made.id}`, own), 401],
  ] as const
  for (const [nth, [key, end, refused]] of cases.entries()) {
    let isOver = false
    const late: number[] = []
    const use = async ({ call: ask }: Pick<typeof service, 'call'>) => {
      for (let more = 3; more > 0; ) {
        const beganAfter = isOver
        // Of a viewer every change is refused, so the second case reads.
        const { status } =
          nth === 1
            ? await ask('GET', '/v1/agents', { key })
            : await ask('POST', '/v1/agents', { key, body: { name: 'A', type: 'ai' } })
        if (beganAfter) {
          late.push(status)
          more--
        }
      }
    }
    const users = [service, second, service, second].map(use)
    const ended = await end()
    isOver = true
    assert.ok(ended.status < 300, `${nth}: ${JSON.stringify(ended.body)}`)
    await Promise.all(users)
    assert.deepEqual([...new Set(late)], [refused], `${nth}`)
  }
})

test('an invitation that is accepted while its sender is removed has joined or is dead', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  for (let round = 0; round < 4; round++) {
    const { orgId, owner, admin } = await makeTeam()
    const account = await makeAccount(service, { email: freshEmail('guest') })
    const { id, token } = await makeInvitation(service, admin, account.email)
    const [accepted, removed] = await Promise.all([
      accept(second, token, { key: account.token }),
      call('DELETE', `/v1/auth/members/${admin.id}`, { key: owner.token }),
    ])
    assert.equal(removed.status, 204)
    assert.ok([200, 400].includes(accepted.status), JSON.stringify(accepted.body))
    const { data } = (await call('GET', '/v1/auth/invitations', { key: owner.token })).body
    const { status } = data.find((one: { id: string }) => one.id === id)
    assert.equal(status, accepted.status === 200 ? 'accepted' : 'revoked')
    const joined = (await membershipsOf(service, account.email)).some(([where]) => where === orgId)
    assert.equal(joined, accepted.status === 200)
  }
  const { orgId, admin } = await makeTeam()
  const { token } = await makeInvitation(service, admin)
  const [org, member] = [decodeId('org', orgId)!, decodeId('mem', admin.id)!]
  const late = await whileOpen(service.app.sql, {
    change: async (sql) => {
      await sql`update organizations set revision = revision + 1 where id = ${org}`
      await sql`delete from memberships where org_id = ${org} and id = ${member}`
    },
    work: () => signUpWith(service, token),
  })
  assertRefused(late, 400, 'validation_error', { param: 'token' })
})

test('of two owners of two organizations who erase their accounts at once one stays, as the owner of both', async ({
  service,
  second,
  call,
  makeTeam,
}) => {
  const [team, other] = [await makeTeam(), await makeTeam()]
  const orgIds = [team.orgId, other.orgId]
  const erase = ({ call: ask }: Pick<typeof service, 'call'>, key: string) => ask('DELETE', '/v1/auth/me', { key })
  /** An owner of both, whose session is in the second one. */
  const makeOwner = async (inviter: typeof team.owner | Awaited<ReturnType<typeof addGuest>>) => {
    const guest = await addGuest(service, team.orgId, 'owner')
    const { token } = await makeInvitation(service, inviter, guest.email, 'owner')
    assert.equal((await accept(service, token, { key: guest.token })).status, 200)
    await call('PATCH', '/v1/auth/session', { key: guest.token, body: { organization_id: other.orgId } })
    return guest
  }
  let owner = await makeOwner(other.owner)
  for (const { orgId, owner: founder } of [team, other]) {
    const headers = { 'x-organization-id': orgId }
    const body = { role: 'viewer' }
    const demoted = await call('PATCH', `/v1/auth/members/${founder.id}`, { key: owner.token, headers, body })
    assert.equal(demoted.status, 200, JSON.stringify(demoted.body))
  }
  for (let round = 0; round < 4; round++) {
    const rival = await makeOwner(owner)
    const answers = await Promise.all([erase(service, owner.token), erase(second, rival.token)])
    const won = answers.findIndex(({ status }) => status === 204)
    const [gone, left] = won === 0 ? [owner, rival] : [rival, owner]
    assertRefused(answers[1 - won]!, 409, 'conflict', { code: 'last_owner', organizations: orgIds })
    assert.deepEqual(await membershipsOf(service, gone.email), [])
    assert.deepEqual(
      await membershipsOf(service, left.email),
      orgIds.map((orgId) => [orgId, 'owner']),
      'nothing was done',
    )
    for (const orgId of orgIds) {
      const shown = await call('GET', '/v1/auth/organization', {
        key: left.token,
        headers: { 'x-organization-id': orgId },
      })
      assert.equal(shown.body.org.email, left.email)
    }
    owner = left
  }
})

test('an owner who is demoted while they delete or rename the organization does neither', async ({
  service,
  call,
  makeTeam,
}) => {
  const { orgId, owner, developer } = await makeTeam()
  await call('PATCH', `/v1/auth/members/${developer.id}`, { key: owner.token, body: { role: 'owner' } })
  const before = (await call('GET', '/v1/auth/organization', { key: owner.token })).body.org
  const [org, member] = [decodeId('org', orgId)!, decodeId('mem', developer.id)!]
  const ways = [
    ['DELETE', `/v1/auth/organization?confirm=${encodeURIComponent(before.name)}`, undefined, 403],
    ['PATCH', '/v1/auth/organization', { name: 'Renamed' }, 401],
  ] as const
  for (const [method, path, body, status] of ways) {
    await service.app.sql`update memberships set role = 'owner' where org_id = ${org} and id = ${member}`
    const answer = await whileOpen(service.app.sql, {
      change: async (sql) => {
        await sql`update organizations set revision = revision + 1 where id = ${org}`
        await sql`update memberships set role = 'viewer' where org_id = ${org} and id = ${member}`
      },
      work: () => call(method, path, { key: developer.token, ...(body && { body }) }),
    })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
  }
  assert.deepEqual((await call('GET', '/v1/auth/organization', { key: owner.token })).body.org, before)
})

test('an account that joins or loses an organization while its person erases it leaves all of them', async ({
  service,
  call,
  makeTeam,
}) => {
  const [team, other] = [await makeTeam(), await makeTeam()]
  const [org, otherOrg] = [team, other].map(({ orgId }) => decodeId('org', orgId)!) as [Uuid, Uuid]
  for (const isJoining of [true, false]) {
    const { email, token, accountId } = await addGuest(service, team.orgId)
    const join = (sql: TestService['app']['sql']) => sql`
      insert into memberships (org_id, id, account_id, role, joined_at)
      values (${otherOrg}, ${newId()}, ${accountId}, 'viewer', ${service.clock.now()})`
    const leave = (sql: TestService['app']['sql']) => sql`
      delete from memberships where org_id = ${org} and account_id = ${accountId}`
    if (!isJoining) await join(service.app.sql)
    const erased = await whileOpen(service.app.sql, {
      change: async (sql) => {
        await sql`update organizations set revision = revision + 1 where id = ${org}`
        await (isJoining ? join : leave)(sql)
      },
      work: () => call('DELETE', '/v1/auth/me', { key: token }),
    })
    assert.equal(erased.status, 204, `${isJoining} ${JSON.stringify(erased.body)}`)
    assert.deepEqual([...(await service.app.sql`select from accounts where email = ${email}`)], [], `${isJoining}`)
  }
})

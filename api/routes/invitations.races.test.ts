// Several at once: each race has one winner, whatever the order.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { turnOnFactor } from '../../src/testing/factors.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'
import {
  accept,
  invitationsPath,
  invitationTest,
  invite,
  join,
  makeInvitation,
  makeTeam,
  membershipsOf,
  signUpWith,
} from '../../src/testing/invitations.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = invitationTest()

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('two who follow one link at once make one membership', async ({ service, second, team }) => {
  const account = await makeAccount(service)
  const { token, email } = await makeInvitation(service, team, account.email)
  const answers = await Promise.all(
    [service, second, service, second].map((process) => accept(process, token, { key: account.token })),
  )
  assert.deepEqual(statusesOf(answers), [200, 400, 400, 400])
  assert.equal((await membershipsOf(service, email)).length, 2)
})

test('two who sign up with one link at once make one account', async ({ service, second, team }) => {
  const { token, email } = await makeInvitation(service, team)
  const answers = await Promise.all([service, second, second].map((process) => signUpWith(process, token)))
  assert.equal(
    answers.filter(({ status }) => status === 201).length,
    1,
    JSON.stringify(answers.map(({ body }) => body)),
  )
  for (const { status } of answers) assert.ok([201, 400, 409].includes(status))
  const rows = await service.app.sql`select from accounts where email = ${email}`
  assert.equal(rows.length, 1)
})

test('of accepting and revoking one wins', async ({ service, second, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  for (let round = 0; round < 8; round++) {
    const account = await makeAccount(service)
    const { id, token } = await makeInvitation(service, team, account.email)
    const [accepted, revoked] = await Promise.all([
      accept(second, token, { key: account.token }),
      call('DELETE', `${invitationsPath}/${id}`, { key: team.token }),
    ])
    assert.ok(
      (accepted.status === 200 && revoked.status === 409) || (accepted.status === 400 && revoked.status === 204),
      `${accepted.status} ${revoked.status}`,
    )
    assert.equal((await membershipsOf(service, account.email)).length, accepted.status === 200 ? 2 : 1)
  }
})

test('twenty invitations for the last seat: one is made', async ({ service, second }) => {
  const team = await makeTeam(service, { plan: 'custom', limits: { members: 3 } })
  await makeInvitation(service, team)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => invite(nth % 2 ? service : second, team, freshEmail())),
  )
  assert.deepEqual(statusesOf(answers), [201, ...Array(19).fill(429)])
})

test('twenty acceptances for the last seat: one joins', async ({ service, second, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  const links = []
  for (let nth = 0; nth < 20; nth++) links.push(await makeInvitation(service, team))
  await call('PATCH', `/v1/admin/orgs/${team.orgId}`, { key: adminToken, body: { limits: { members: 2 } } })
  const answers = await Promise.all(links.map(({ token }, nth) => signUpWith(nth % 2 ? service : second, token)))
  assert.deepEqual(statusesOf(answers), [201, ...Array(19).fill(429)])
})

test('one address is invited once, by several at once', async ({ service, second, team }) => {
  const email = freshEmail()
  const answers = await Promise.all([service, second, service, second].map((process) => invite(process, team, email)))
  assert.deepEqual(statusesOf(answers), [201, 409, 409, 409])
})

test('an account that is erased while it accepts has joined, or is refused', async ({ service, second, call }) => {
  const team = await makeTeam(service, { plan: 'custom' })
  for (let round = 0; round < 4; round++) {
    const account = await makeAccount(service)
    const { token } = await makeInvitation(service, team, account.email)
    const [erased, accepted] = await Promise.all([
      call('DELETE', '/v1/auth/account', { key: account.token }),
      accept(second, token, { key: account.token }),
    ])
    assert.equal(erased.status, 204)
    assert.ok([200, 401].includes(accepted.status), `${accepted.status} ${JSON.stringify(accepted.body)}`)
    const joined = await membershipsOf(service, account.email)
    assert.deepEqual(joined, accepted.status === 200 ? [[team.orgId, 'developer']] : [])
  }
})

/** A member who belongs to nothing else, and the statement that erases their account. */
async function makeLeaver(service: TestService) {
  const team = await makeTeam(service, { plan: 'custom' })
  const { email, token, memberId } = await join(service, team, 'viewer')
  const [org, member] = [decodeId('org', team.orgId)!, decodeId('mem', memberId)!]
  const erase = (sql: TestService['app']['sql']) =>
    sql`delete from memberships where org_id = ${org} and id = ${member}`
  return { email, token, erase }
}

test('a link that is asked for while its account is erased is not mailed', async ({ service, call }) => {
  const { email, erase } = await makeLeaver(service)
  const before = (await mailsTo(service, email)).length
  const work = () => call('POST', '/v1/auth/password/forgot', { body: { email } })
  const asked = await whileOpen(service.app.sql, { change: erase, work })
  assert.equal(asked.status, 202, JSON.stringify(asked.body))
  assert.equal((await mailsTo(service, email)).length, before)
})

test('a sign-in with a second factor while its account is erased is refused', async ({ service, call }) => {
  const { email, token, erase } = await makeLeaver(service)
  await turnOnFactor(service, token)
  const work = () => call('POST', '/v1/auth/signin', { body: { email, password } })
  assertRefused(await whileOpen(service.app.sql, { change: erase, work }), 401, 'authentication_error')
})

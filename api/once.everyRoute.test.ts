// Every mutation with an Idempotency-Key, sent twice: the second time it is answered as the first time.

import assert from 'node:assert/strict'
import { onTestFinished } from 'vitest'
import {
  connectionMutationsOf,
  openAccounts,
  someProvider,
  waitingConnectionMutations,
} from '../src/testing/connectionMutations.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../src/testing/factories.ts'
import type { TestService } from '../src/testing/harness.ts'
import { invitationMutationsOf } from '../src/testing/invitations.ts'
import { type Asked, mutationsOf } from '../src/testing/mutations.ts'
import { addGuest, makeTeam, memberMutations } from '../src/testing/people.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { takesKeys } from './http/route.ts'
import { routes } from './routes.ts'

const test = serviceTest({ env: someProvider })
  .extend('accounts', perFile, ({ service: _ }, { onCleanup }) => openAccounts(onCleanup))
  .extend('all', perFile, async ({ service, accounts }) => {
    const connections = await connectionMutationsOf(service, accounts)
    const { changeConnectionOnPage, signOutOfConnections, ...others } = connections
    return {
      asked: { ...(await mutationsOf(service)), ...(await invitationMutationsOf(service)), ...others },
      forms: { changeConnectionOnPage: changeConnectionOnPage!, signOutOfConnections: signOutOfConnections! },
    }
  })
  .extend('asked', perFile, ({ all }) => all.asked)

test('each mutation is answered the same when it is asked again, and is done once', async ({
  service,
  second,
  asked,
}) => {
  for (const [name, { method, path, key, body }] of Object.entries(asked)) {
    const headers = { 'idempotency-key': name }
    const first = await service.call(method, path, { key, body, headers })
    assert.ok(first.status < 300, `${name}: ${first.status} ${JSON.stringify(first.body)}`)
    assert.equal(first.headers.get('idempotent-replayed'), null, name)
    const [entries] = await service.app.sql`select count(*)::int as n from audit_entries`
    const again = await second.call(method, path, { key, body, headers })
    assert.deepEqual([again.status, again.body], [first.status, first.body], name)
    assert.equal(again.headers.get('content-type'), first.headers.get('content-type'), name)
    assert.equal(again.headers.get('idempotent-replayed'), 'true', name)
    assert.equal(again.headers.get('idempotency-original-request-id'), first.headers.get('x-request-id'), name)
    assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'), name)
    const [after] = await service.app.sql`select count(*)::int as n from audit_entries`
    assert.equal(after?.n, entries?.n, `${name} was done again`)
  }
})

test('where only sessions are let in, another member with the same key does not get the answer', async ({
  service,
  call,
}) => {
  const accounts = await openAccounts(onTestFinished)
  const asked = { ...(await connectionMutationsOf(service, accounts)), ...(await invitationMutationsOf(service)) }
  const ofSessions = routes
    .filter(({ access, success }) => access === 'session' && success.status < 300)
    .map(({ operationId }) => operationId)
  const others = new Map<string, string>()
  for (const [name, { method, path, key = '', body }] of Object.entries(asked)) {
    if (!ofSessions.includes(name)) continue
    if (!others.has(key)) {
      const { org } = (await call('GET', '/v1/auth/session', { key })).body
      others.set(key, (await addGuest(service, org.id, 'owner')).token)
    }
    const answers = []
    for (const token of [key, others.get(key)!])
      answers.push(await call(method, path, { key: token, body, headers: { 'idempotency-key': name } }))
    assert.ok(answers[0]!.status < 400, `${name}: ${JSON.stringify(answers[0]!.body)}`)
    assert.equal(answers[1]!.headers.get('idempotent-replayed'), null, name)
    assert.notEqual(answers[1]!.body?.error?.code, 'idempotency_key_reused', name)
  }
  assert.equal(others.size, 2)
})

test('each of two admins who make a key with one Idempotency-Key gets a key of their own', async ({
  service,
  call,
}) => {
  const { owner, admin } = await makeTeam(service)
  const made = []
  for (const { token } of [owner, admin, owner]) {
    const headers = { 'idempotency-key': 'the-same' }
    made.push((await call('POST', '/v1/auth/keys', { key: token, body: { name: 'CI' }, headers })).body)
  }
  assert.deepEqual(
    made.map(({ created_by }) => created_by.email),
    [owner.email, admin.email, owner.email],
  )
  assert.deepEqual([made[0].key === made[2].key, made[0].key === made[1].key], [true, false])
})

/** Those of sessions have a test of their own, and so have codes and terms. The last two end what could ask again. */
const elsewhere = [
  ...['createOrganizationKey', 'regenerateOrganizationKey', 'endOrganizationKeyOverlap', 'updateOrganizationKey'],
  ...['rotateOrganizationKey', 'revokeOrganizationKey', 'createAgentKeyFromConsole', 'requestEmailLink'],
  ...['verifyAgent', 'acceptTerms', 'acceptTermsWithKey', 'publishTerms'],
  ...['endSession', 'endOtherSessions', 'resetFactor'],
  ...['signOut', 'deleteAccount'],
  ...memberMutations,
  ...waitingConnectionMutations,
]

test('a form that leads to another page keeps no answer', async ({ service, second, all }) => {
  const { changeConnectionOnPage: form, signOutOfConnections: signOut } = all.forms
  const ask = async ({ call }: Pick<TestService, 'call'>, { method, path, key }: Asked) => {
    const answer = await call(method, path, { key, headers: { 'idempotency-key': 'form' }, redirect: 'manual' })
    assert.equal(answer.headers.get('idempotent-replayed'), null)
    return [answer.status, answer.headers.get('location')]
  }
  const connections = [303, `${service.baseUrl}/connect`]
  assert.deepEqual(await ask(service, form), connections)
  assert.deepEqual(await ask(second, form), connections)
  assert.deepEqual(await ask(service, signOut), connections)
  assert.deepEqual(await ask(second, signOut), [401, null])
})

test('every mutation is among them', ({ all }) => {
  const named = [...Object.keys(all.asked), ...Object.keys(all.forms), ...elsewhere]
  const mutations = routes.filter(takesKeys).map(({ operationId }) => operationId)
  assert.deepEqual(named.toSorted(), mutations.toSorted())
})

test('an agent key has keys of its own, which no other agent meets', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const made = []
  for (let n = 0; n < 2; n++) {
    const agent = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, agent.id)
    const agentKey = await makeAgentKey(service, key, agent.id)
    const body = { title: `Of ${n}`, start_time: ahead(service, 60), end_time: ahead(service, 90) }
    const path = `/v1/calendars/${calendar.id}/events`
    const headers = { 'idempotency-key': 'the-same' }
    const answer = await call('POST', path, { key: agentKey, body, headers })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('idempotent-replayed'), null)
    made.push(answer.body.id)
  }
  assert.notEqual(made[0], made[1])
})

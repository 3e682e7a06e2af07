import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { sessionTest } from '../../src/testing/sessions.ts'

const test = sessionTest()
const minute = 60_000
const unknown = 'ses_01k9xr8m3fe8tbc4x9m2v7h5qd'

test('the sessions of an account are listed, newest first', async ({ service, call }) => {
  const { email, token } = await makeAccount(service)
  const openedAt = service.app.clock.now().toISOString()
  await service.clock.advance(minute)
  const headers = { 'user-agent': `Mozilla/5.0 ${'x'.repeat(300)}` }
  const other = (await call('POST', '/v1/auth/signin', { body: { email, password }, headers })).body.token
  await makeAccount(service)
  const { status, body } = await call('GET', '/v1/auth/sessions', { key: token })
  assert.equal(status, 200)
  const [second, first] = body.sessions
  assert.equal(body.sessions.length, 2)
  assert.deepEqual(Object.keys(first), ['id', 'created_at', 'last_seen_at', 'ip', 'user_agent', 'current'])
  assert.deepEqual([first.current, second.current], [true, false])
  assert.deepEqual([first.created_at, first.last_seen_at], [openedAt, openedAt])
  assert.equal(second.user_agent, headers['user-agent'].slice(0, 200))
  assert.match(first.id, /^ses_/)
  assert.ok(first.ip)
  const seen = (await call('GET', '/v1/auth/sessions', { key: other })).body.sessions
  assert.deepEqual(
    seen.map(({ current }: { current: boolean }) => current),
    [true, false],
  )
})

test('one session is ended at once on every process, and another account’s is unknown', async ({
  service,
  second,
  call,
  signIn,
  me,
}) => {
  const [{ email, token }, stranger] = [await makeAccount(service), await makeAccount(service)]
  const other = (await signIn({ email, password })).body.token
  const [{ id }] = (await call('GET', '/v1/auth/sessions', { key: token })).body.sessions
  assert.equal((await me(other, second)).status, 200)
  assertRefused(await call('DELETE', `/v1/auth/sessions/${id}`, { key: stranger.token }), 404, 'not_found')
  assert.equal((await call('DELETE', `/v1/auth/sessions/${id}`, { key: token })).status, 204)
  for (const process of [service, second]) assertRefused(await me(other, process), 401, 'authentication_error')
  for (const gone of [id, unknown, 'ses_x', stranger.orgId])
    assertRefused(await call('DELETE', `/v1/auth/sessions/${gone}`, { key: token }), 404, 'not_found')
  const { data } = (await call('GET', '/v1/audit-log', { key: token })).body
  const revoked = data.filter(({ action }: { action: string }) => action === 'session.revoke')
  assert.deepEqual(
    revoked.map(({ resource }: { resource: string }) => resource),
    [id],
  )
})

test('with an Idempotency-Key, ending a session again is answered as before', async ({ service, call, signIn }) => {
  const { email, token } = await makeAccount(service)
  await signIn({ email, password })
  const [{ id }] = (await call('GET', '/v1/auth/sessions', { key: token })).body.sessions
  const headers = { 'idempotency-key': 'once' }
  for (let n = 0; n < 2; n++)
    assert.equal((await call('DELETE', `/v1/auth/sessions/${id}`, { key: token, headers })).status, 204)
})

test('a session may end itself', async ({ service, call, me }) => {
  const { token } = await makeAccount(service)
  const [{ id }] = (await call('GET', '/v1/auth/sessions', { key: token })).body.sessions
  assert.equal((await call('DELETE', `/v1/auth/sessions/${id}`, { key: token })).status, 204)
  assertRefused(await me(token), 401, 'authentication_error')
})

test('the others are ended, and this one lives on', async ({ service, call, signIn, me }) => {
  const [{ email, token }, bystander] = [await makeAccount(service), await makeAccount(service)]
  const others = [(await signIn({ email, password })).body.token, (await signIn({ email, password })).body.token]
  for (let n = 0; n < 2; n++) assert.equal((await call('DELETE', '/v1/auth/sessions', { key: token })).status, 204)
  for (const other of others) assertRefused(await me(other), 401, 'authentication_error')
  for (const alive of [token, bystander.token]) assert.equal((await me(alive)).status, 200)
  assert.equal((await call('GET', '/v1/auth/sessions', { key: token })).body.sessions.length, 1)
})

test('the last use is written ten minutes after the one before', async ({ service, call, me }) => {
  const { token } = await makeAccount(service)
  const openedAt = service.app.clock.now()
  const lastSeen = async () => {
    await service.gate.flush()
    const [row] = await service.app.sql<
      { at: Date }[]
    >`select max(last_seen_at) as at from sessions where expires_at > app_now()`
    return row!.at.getTime() - openedAt.getTime()
  }
  await service.clock.advance(9 * minute)
  await me(token)
  assert.equal(await lastSeen(), 0)
  await service.clock.advance(minute)
  await me(token)
  assert.equal(await lastSeen(), 10 * minute)
  const { sessions } = (await call('GET', '/v1/auth/sessions', { key: token })).body
  assert.equal(Date.parse(sessions[0].last_seen_at) - openedAt.getTime(), 10 * minute)
})

test('a new password takes the one of now, and ends the other sessions', async ({ service, call, signIn, me }) => {
  const { email, token } = await makeAccount(service)
  const other = (await signIn({ email, password })).body.token
  await call('POST', '/v1/auth/password/forgot', { body: { email } })
  const link = await linkTo(service, email)
  const change = (current_password: string, next: string) =>
    call('POST', '/v1/auth/password/change', { key: token, body: { current_password, password: next } })
  const next = 'another horse battery'
  assertRefused(await change('not the password', next), 400, 'validation_error', { param: 'current_password' })
  assertRefused(await change(password, 'short'), 400, 'validation_error', { param: 'password' })
  assert.equal((await me(other)).status, 200, 'nothing has changed yet')
  assert.equal((await change(password, next)).status, 204)
  assertRefused(await me(other), 401, 'authentication_error')
  assert.equal((await me(token)).status, 200)
  assertRefused(await signIn({ email, password }), 401, 'authentication_error')
  assert.equal((await signIn({ email, password: next })).status, 200)
  const late = await call('POST', '/v1/auth/password/reset', {
    body: { token: link, password: 'a third horse battery' },
  })
  assert.match(late.body.message, /^Nothing was changed/)
  const mail = (await mailsTo(service, email)).at(-1)!
  assert.equal(mail.subject, 'Your sign-in has changed')
  assert.match(mail.text, /password changed, 2026-03-02T/)
})

test('of two new passwords at once one is set', async ({ service, second, signIn }) => {
  const { email, token } = await makeAccount(service)
  const answers = await Promise.all(
    ['one horse battery', 'two horse battery'].map((next, n) =>
      [service, second][n]!.call('POST', '/v1/auth/password/change', {
        key: token,
        body: { current_password: password, password: next },
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [204, 400])
  const entered = [
    await signIn({ email, password: 'one horse battery' }),
    await signIn({ email, password: 'two horse battery' }),
  ]
  assert.deepEqual(entered.map(({ status }) => status).toSorted(), [200, 401])
})

test('ten wrong passwords refuse the right one for fifteen minutes', async ({ service, call }) => {
  const { token } = await makeAccount(service)
  const change = (current_password: string) =>
    call('POST', '/v1/auth/password/change', {
      key: token,
      body: { current_password, password: 'another horse battery' },
    })
  for (let n = 0; n < 10; n++) assert.equal((await change('not the password')).status, 400)
  assertRefused(await change(password), 429, 'rate_limit_error')
  await service.clock.advance(15 * minute)
  assert.equal((await change(password)).status, 204)
})

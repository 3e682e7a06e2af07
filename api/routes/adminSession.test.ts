// The administrator in the console: a cookie instead of the token, and the state of the queues.
import assert from 'node:assert/strict'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest().extend('enter', perFile, ({ call }) => async () => {
  const answer = await call('POST', '/v1/admin/session', { body: { token: adminToken } })
  assert.deepEqual([answer.status, answer.body], [204, ''])
  return answer.headers.get('set-cookie')!
})

test('the token opens a session of one hour for our own pages', async ({ service, call, enter }) => {
  const set = await enter()
  assert.match(set, /^svc_admin=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/)
  const cookie = set.split(';')[0]!
  const list = (headers: Record<string, string> = {}) =>
    call('GET', '/v1/admin/orgs', { headers: { cookie, ...headers } })
  assert.equal((await list()).status, 200)
  const board = await fetch(`${service.baseUrl}/admin/queues`, { headers: { cookie } })
  assert.equal(board.status, 200)
  await board.body?.cancel()
  // A token that is sent decides, also when it is wrong.
  assertRefused(await list({ authorization: 'Bearer wrong' }), 401, 'authentication_error')
  for (const wrong of [`${cookie}x`, cookie.replace(/=\d/, '=9'), 'svc_admin=', 'svc_admin=9999999999999.']) {
    assertRefused(await call('GET', '/v1/admin/orgs', { headers: { cookie: wrong } }), 401, 'authentication_error')
  }
  await service.clock.advance(3_600_000)
  assertRefused(await list(), 401, 'authentication_error')
})

test('other sites read and change nothing with the cookie, and open no session', async ({ service, call, enter }) => {
  const cookie = (await enter()).split(';')[0]!
  const body = { name: 'New', email: 'new@example.com' }
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    const ask = (method: string, path: string, more: object = {}) =>
      call(method, path, { headers: { cookie, ...headers }, ...more })
    assertRefused(await ask('POST', '/v1/admin/orgs', { body }), 403, 'forbidden')
    assertRefused(await ask('GET', '/v1/admin/orgs'), 403, 'forbidden')
    assertRefused(await ask('POST', '/v1/admin/session', { body: { token: adminToken } }), 403, 'forbidden')
    assertRefused(await ask('DELETE', '/v1/admin/session'), 403, 'forbidden')
    assert.equal((await fetch(`${service.baseUrl}/admin/queues`, { headers: { cookie, ...headers } })).status, 403)
  }
  const form = { cookie, 'content-type': 'text/plain' }
  const unasked = await fetch(`${service.baseUrl}/v1/admin/orgs`, {
    method: 'POST',
    headers: form,
    body: JSON.stringify(body),
  })
  assert.equal(unasked.status, 403)
  assert.equal((await call('POST', '/v1/admin/orgs', { headers: { cookie }, body })).status, 201)
})

test('to leave makes the browser forget the cookie; guesses are limited', async ({ call }) => {
  const left = await call('DELETE', '/v1/admin/session')
  assert.equal(left.status, 204)
  assert.match(left.headers.get('set-cookie')!, /^svc_admin=; Path=\/; Max-Age=0; /)
  const guess = (token: string) => call('POST', '/v1/admin/session', { body: { token } })
  for (let nth = 0; nth < 50; nth++) assertRefused(await guess('wrong'), 401, 'authentication_error')
  assertRefused(await guess('wrong'), 429, 'rate_limit_error')
  assertRefused(await guess(adminToken), 429, 'rate_limit_error')
})

test('each queue says what it holds', async ({ service, call, onTestFinished }) => {
  // The address of this test has guessed too often.
  const key = adminToken
  await service.clock.advance(600_000)
  const { status, body } = await call('GET', '/v1/admin/queues', { key })
  assert.equal(status, 200)
  const names = body.queues.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, [...service.app.bell.queues.keys()])
  const { name, ...counts } = body.queues[0]
  assert.deepEqual(counts, { waiting: 0, active: 0, delayed: 0, failed: 0, oldest_seconds: 0 })
  const queue = service.app.bell.queues.get('mail')!
  onTestFinished(() => queue.obliterate({ force: true }))
  await queue.add('mail', {}, { timestamp: service.clock.now().getTime() - 5_000 })
  const mail = (await call('GET', '/v1/admin/queues', { key })).body.queues.find(
    (one: { name: string }) => one.name === 'mail',
  )
  assert.deepEqual(mail, { name: 'mail', waiting: 1, active: 0, delayed: 0, failed: 0, oldest_seconds: 5 })
})

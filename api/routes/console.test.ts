import assert from 'node:assert/strict'
import { freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeCalendar, makeEvent, makeWebhook } from '../../src/testing/factories.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { openReceiver } from '../../src/testing/receiver.ts'

const test = identityTest()

test('the providers that are set up are listed, without any secret', async ({ call }) => {
  const { status, body } = await call('GET', '/v1/auth/providers')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    sign_in: [
      { id: 'acme', name: 'Acme' },
      { id: 'other', name: 'Other' },
    ],
    calendars: [],
  })
})

test('each step of the checklist is done by what exists', async ({ service, call, onTestFinished }) => {
  const { token } = await makeAccount(service, { email: freshEmail('list') })
  const none = {
    address: false,
    key: false,
    agent: false,
    calendar: false,
    event: false,
    webhook: false,
    delivery: false,
  }
  const done: Record<string, boolean> = { ...none }
  const read = async () => (await call('GET', '/v1/auth/checklist', { key: token })).body
  const nowDone = async (...steps: string[]) => {
    for (const step of steps) done[step] = true
    assert.deepEqual(await read(), done)
  }
  const first = await read()
  assert.deepEqual({ ...first, address: false }, none)
  done.address = first.address
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  await nowDone('key')
  const agent = await makeAgent(service, key)
  await nowDone('agent')
  const calendar = await makeCalendar(service, key, agent.id)
  await nowDone('calendar')
  const event = await makeEvent(service, key, calendar.id)
  await nowDone('event')
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  await makeWebhook(service, key, receiver.url, ['event.deleted'])
  await nowDone('webhook')
  await call('DELETE', `/v1/events/${event.id}`, { key })
  await service.drain()
  done.event = false
  await nowDone('delivery')
})

test('a sign-in through a provider may lead to a page of the console, and to no other place', async ({
  service,
  provider,
  call,
  begin,
  start,
  tos_version,
}) => {
  for (const path of [
    '/console',
    '/console/',
    '/console/calendar?view=week&date=2026-12-01',
    '/console/agents/agt_1?x=%2F',
  ]) {
    provider.claims = { sub: `console ${path}`, email: freshEmail('console'), email_verified: true }
    const back = await begin(`?tos_version=${tos_version}&return_to=${encodeURIComponent(path)}`)
    const { status, headers } = await call('GET', back.path, { headers: back.headers, redirect: 'manual' })
    assert.deepEqual([status, headers.get('location')], [303, `${service.baseUrl}${path}`])
    assert.ok(headers.getSetCookie().some((cookie) => cookie.startsWith('svc_session=')))
  }
  for (const path of [
    '/consoles',
    '/console\\x',
    '/console/\r\nx: y',
    '/console/ a',
    '//console',
    'console',
    '/CONSOLE/x',
    `/console/${'a'.repeat(1_000)}`,
  ]) {
    assert.equal((await start(`?return_to=${encodeURIComponent(path)}`)).status, 400, path)
  }
})

test('a failure on the way to the console leads to its sign-in page with the type of the error', async ({
  service,
  provider,
  call,
  begin,
}) => {
  const failed = (type: string) => `${service.baseUrl}/console/sign-in?failed=${type}`
  const shown = async (path: string, headers = {}) => {
    const answer = await call('GET', path, { headers, redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const to = 'return_to=%2Fconsole%2Fkeys'
  provider.claims = { sub: 'unvouched', email: freshEmail('console'), email_verified: false }
  const unvouched = await begin(`?${to}`)
  assert.deepEqual(await shown(unvouched.path, unvouched.headers), [303, failed('forbidden')])
  const denied = await begin(`?${to}`)
  const state = new URL(`http://x${denied.path}`).searchParams.get('state')
  const callback = `/v1/auth/oauth/acme/callback?error=access_denied&state=${state}`
  assert.deepEqual(await shown(callback, denied.headers), [303, failed('authentication_error')])
  assert.deepEqual(await shown(`/v1/auth/oauth/acme?tos_version=old&${to}`), [303, failed('tos_version_stale')])
  assert.deepEqual(await shown(`/v1/auth/oauth/nobody?${to}`), [303, failed('not_found')])
  const started = await begin(`?${to}`)
  const wrong = await call('GET', started.path.replace(/state=[^&]+/, 'state=wrong'), {
    ...started,
    redirect: 'manual',
  })
  assert.deepEqual([wrong.status, wrong.headers.get('location')], [303, failed('validation_error')])
  // Without the console every answer is as it was; so is one whose browser is not known.
  assert.equal((await call('GET', '/v1/auth/oauth/acme?tos_version=old')).status, 409)
  assert.equal((await call('GET', callback)).status, 400)
  const plain = await begin('')
  assert.equal((await call('GET', plain.path, { headers: plain.headers })).status, 403)
})

import assert from 'node:assert/strict'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import { makeOrganization } from '../../src/testing/factories.ts'
import { adminToken, openTestService } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { sessionTest } from '../../src/testing/sessions.ts'

const test = sessionTest()

test('signing out ends this session on every process, leaves others, and takes the cookie away', async ({
  service,
  call,
  second,
  signIn,
  me,
}) => {
  const { email, token } = await makeAccount(service)
  const other = (await signIn({ email, password })).body.token
  assert.equal((await me(token, second)).status, 200)
  const out = await call('POST', '/v1/auth/signout', { key: token })
  assert.equal(out.status, 204)
  assert.equal(out.body, '')
  assert.match(out.headers.get('set-cookie') ?? '', /^svc_session=; Path=\/; Max-Age=0;/)
  for (const process of [service, second]) {
    assertRefused(await me(token, process), 401, 'authentication_error')
    assert.equal((await me(other, process)).status, 200)
  }
  assertRefused(await call('POST', '/v1/auth/signout', { key: token }), 401, 'authentication_error')
})

test('a session lasts twelve hours', async ({ service, me }) => {
  const { token } = await makeAccount(service)
  await service.clock.advance(12 * 3_600_000 - 1_000)
  assert.equal((await me(token)).status, 200)
  await service.clock.advance(1_000)
  assertRefused(await me(token), 401, 'authentication_error')
})

test('only a session opens session routes: keys, foreign and changed tokens are refused', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { token } = await makeAccount(service)
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const stranger = await openTestService({ env: { SESSION_SECRETS: 'another-session-secret-of-32-characters' } })
  const foreign = (await makeAccount(stranger)).token
  await stranger.close()
  const sent: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${key}` },
    { authorization: `Bearer ${adminToken}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${unsigned}.${claims}.` },
    { authorization: `Bearer ${header}.${claims}.${signature.slice(0, -4)}AAAA` },
    { authorization: `Bearer ${foreign}` },
    { authorization: `Basic ${token}` },
    { authorization: '' },
    { cookie: 'svc_session=' },
    { cookie: `svc_session=${foreign}` },
    // A cookie next to a key does not make it a session.
    { authorization: `Bearer ${key}`, cookie: `svc_session=${token}` },
  ]
  for (const headers of sent) assertRefused(await call('GET', '/v1/auth/me', { headers }), 401, 'authentication_error')
})

test('secrets can be replaced: the first signs, all verify', async ({ service, me, onTestFinished }) => {
  const { token } = await makeAccount(service)
  const old = service.app.config.sessionSecrets
  const renewed = await openProcess(service, { config: { sessionSecrets: ['x'.repeat(40), ...old] } })
  onTestFinished(renewed.close)
  assert.equal((await me(token, renewed)).status, 200)
  const fresh = await makeAccount(renewed)
  assert.equal((await me(fresh.token, renewed)).status, 200)
  assertRefused(await me(fresh.token), 401, 'authentication_error')
})

test('the cookie is as good as the token, but changes nothing for another site', async ({
  service,
  call,
  tos_version,
}) => {
  const { cookie } = await makeAccount(service)
  const patch = (headers: Record<string, string>) =>
    call('PATCH', '/v1/auth/terms', { headers: { cookie: `a=b; ${cookie}; c=d`, ...headers }, body: { tos_version } })
  const { origin } = new URL(service.baseUrl)
  const allowed: Record<string, string>[] = [
    {},
    { origin },
    { 'sec-fetch-site': 'same-origin', origin: 'http://proxied.example' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of allowed) assert.equal((await patch(headers)).status, 200, JSON.stringify(headers))
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin },
  ]
  for (const headers of refused) assertRefused(await patch(headers), 403, 'forbidden')
  const read = await call('GET', '/v1/auth/me', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  assert.equal(read.status, 200)
})

test('requests of a session spend nothing of the quota, and answer what is left of it', async ({
  service,
  call,
  me,
}) => {
  const { orgId, token } = await makeAccount(service)
  const pk = `pk=${orgId}`
  for (let n = 0; n < 3; n++) {
    const { headers } = await me(token)
    assert.equal(headers.get('ratelimit-policy'), `"quota";q=50000;w=2592000;${pk}`)
    assert.match(headers.get('ratelimit') ?? '', /^"quota";r=50000;t=2592000$/)
  }
  const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
  await call('GET', '/v1/agents', { key })
  const bad = await call('PATCH', '/v1/auth/terms', { key: token, body: {} })
  assert.equal(bad.status, 400)
  assert.match(bad.headers.get('ratelimit') ?? '', /r=49999;/)
})

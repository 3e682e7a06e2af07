// An account that signs in through a provider alone shows through the provider that its person is there.
import assert from 'node:assert/strict'
import { freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import { turnOnFactor } from '../../src/testing/factors.ts'
import { identityTest } from '../../src/testing/identityProvider.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const minute = 60_000
const purpose = '?purpose=reauthenticate'

let nth = 0
const person = () => ({ sub: `again-${++nth}`, email: freshEmail('again'), email_verified: true })

const test = identityTest()
  .extend(
    'seconds',
    { scope: 'file' },
    ({ service }) =>
      (minutesAgo = 0) =>
        Math.floor(service.app.clock.now().getTime() / 1000) - minutesAgo * 60,
  )
  /** From our start to the way back from the provider, with the session's token. */
  .extend(
    'again',
    { scope: 'file' },
    ({ call, provider }) =>
      async (token: string, claims: Record<string, unknown>) => {
        const started = await call('GET', `/v1/auth/oauth/acme${purpose}`, { key: token, redirect: 'manual' })
        assert.equal(started.status, 302)
        const url = new URL(started.headers.get('location')!)
        assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0'])
        provider.claims = claims
        const response = await fetch(url, { redirect: 'manual' })
        const back = new URL(response.headers.get('location')!)
        const cookie = started.headers.get('set-cookie')!.split(';')[0]!
        return call('GET', back.pathname + back.search, { headers: { cookie } })
      },
  )

test('the provider asks again, and its word counts for ten minutes', async ({
  service,
  call,
  enter,
  again,
  seconds,
}) => {
  const somebody = person()
  const { token } = (await enter(somebody)).body
  await service.clock.advance(10 * minute)
  const begin = () => call('POST', '/v1/auth/factors/totp', { key: token })
  assertRefused(await begin(), 403, 'forbidden', { code: 'reauthentication_required', methods: ['provider'] })
  const answer = await again(token, { ...somebody, auth_time: seconds() })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    reauthenticated_until: new Date(service.app.clock.now().getTime() + 10 * minute).toISOString(),
  })
  assert.equal((await begin()).status, 201)
})

test('another identity, and a sign-in there that is too long ago, are refused', async ({
  service,
  call,
  enter,
  again,
  seconds,
}) => {
  const [somebody, other] = [person(), person()]
  const { token } = (await enter(somebody)).body
  await enter(other)
  await service.clock.advance(10 * minute)
  assertRefused(await again(token, { ...other, auth_time: seconds() }), 403, 'forbidden')
  assertRefused(await again(token, { ...somebody, auth_time: seconds(11) }), 403, 'forbidden')
  assertRefused(await again(token, { ...somebody, auth_time: undefined }), 403, 'forbidden')
  assertRefused(await call('POST', '/v1/auth/factors/totp', { key: token }), 403, 'forbidden', {
    code: 'reauthentication_required',
    methods: ['provider'],
  })
  assert.equal((await call('GET', '/v1/auth/me', { key: token })).status, 200, 'the session lives')
})

test('it needs a session, of an account without password and factor', async ({ service, call, start, enter }) => {
  assert.equal((await start(purpose)).status, 401)
  const { token } = await makeAccount(service)
  const begin = (key: string) => call('GET', `/v1/auth/oauth/acme${purpose}`, { key, redirect: 'manual' })
  assertRefused(await begin(token), 400, 'validation_error', { param: 'purpose' })
  const entered = (await enter(person())).body.token
  await turnOnFactor(service, entered)
  assertRefused(await begin(entered), 400, 'validation_error', { param: 'purpose' })
  assert.equal((await start('?purpose=nonsense')).status, 400)
})

test('a provider leads to the challenge, with return_to to its page', async ({
  service,
  call,
  provider,
  begin,
  enter,
}) => {
  const somebody = person()
  await turnOnFactor(service, (await enter(somebody)).body.token)
  const asked = await enter(somebody)
  const { challenge } = asked.body.error
  assertRefused(asked, 401, 'authentication_error', { code: 'second_factor_required', challenge })
  provider.claims = somebody
  const { path, headers } = await begin('?return_to=/connect')
  const led = await call('GET', path, { headers, redirect: 'manual' })
  assert.equal(led.status, 303)
  assert.equal(led.headers.get('location'), `${service.baseUrl}/v1/auth/signin/factor?return_to=%2Fconnect`)
  assert.match(led.headers.get('set-cookie')!, /svc_factor=[\w-]{43}; Path=\/v1\/auth\/signin; Max-Age=300; HttpOnly/)
  assert.ok(!led.headers.get('set-cookie')!.includes('svc_session'))
})

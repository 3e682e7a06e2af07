import assert from 'node:assert/strict'
import { sha256 } from '../../src/sealing/sealer.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { takeSignInLink } from './signInLink.ts'

const minute = 60_000
const [email, password] = ['demo@example.com', 'a password of the demo']

const test = serviceTest().extend(
  'offer',
  { scope: 'file' },
  ({ service, organization }) =>
    (token: string, of: object = {}) =>
      takeSignInLink(service.app, {
        ...{ kind: 'sign_in_link', org_id: organization.id, email, password },
        ...{ token_hash: sha256(token).toString('hex'), valid_for_ms: 15 * minute, ...of },
      }),
)

test('a link signs the owner of the demo organization in, once, and says afterwards what to do', async ({
  offer,
  call,
  service,
  organization,
  key,
}) => {
  const open = (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.baseUrl}/console/welcome/${token}`, { method, headers, redirect: 'manual' })
  const assertDead = async (token: string, headers?: Record<string, string>) => {
    const page = await open(token, headers)
    assert.equal(page.status, 404)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.match(await page.text(), /does not work any more[\s\S]*Open the console/)
  }
  await assertDead('none-was-offered')

  offer('first')
  offer('second')
  await assertDead('first')
  await assertDead('wrong')
  await assertDead('second', { 'sec-purpose': 'prefetch' })
  assert.equal((await open('second', {}, 'HEAD')).status, 404)
  assert.equal((await open('second', {}, 'POST')).status, 405)
  const both = await Promise.all([open('second'), open('second')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 404])
  const answer = both.find(({ status }) => status === 303)!
  assert.equal(answer.headers.get('location'), '/console')
  assert.match(answer.headers.get('set-cookie')!, /^svc_session=\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  await assertDead('second')

  const [cookie] = answer.headers.get('set-cookie')!.split(';')
  const { body } = await call('GET', '/v1/auth/session', { headers: { cookie: cookie! } })
  assert.deepEqual([body.account.email, body.org.id, body.member.role], [email, organization.id, 'owner'])
  assert.equal((await call('POST', '/v1/auth/signin', { body: { email, password } })).status, 200)
  const { data } = (await call('GET', '/v1/audit-log', { key })).body
  const signIns = data.filter(({ action }: { action: string }) => action === 'auth.signin')
  assert.deepEqual(
    new Set(signIns.map(({ path }: { path: string }) => path)),
    new Set(['/console/welcome', '/v1/auth/signin']),
  )

  // The owner of an earlier start stays, with the password that they have now.
  offer('later', { password: 'another password' })
  assert.equal((await open('later')).status, 303)
  assert.equal((await call('POST', '/v1/auth/signin', { body: { email, password } })).status, 200)

  offer('late')
  await service.clock.set(new Date(service.clock.now().getTime() + 15 * minute))
  await assertDead('late')
})

test('an organization that has members gets no owner from a link, and messages of other forms are ignored', async ({
  offer,
  service,
}) => {
  takeSignInLink(service.app, { kind: 'sign_in_link' })
  takeSignInLink(service.app, 'ready')
  offer('stranger', { email: 'stranger@example.com' })
  const page = await fetch(`${service.baseUrl}/console/welcome/stranger`, { redirect: 'manual' })
  assert.equal(page.status, 404)
})

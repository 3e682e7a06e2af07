// The page behind the link of an invitation, as a browser without a script uses it.
import assert from 'node:assert/strict'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { newAddress } from '../../src/testing/guests.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { invitationsPath, invitationTest, makeInvitation, membershipsOf } from '../../src/testing/invitations.ts'

const test = invitationTest()

/** A browser that is at the page of a link. */
function openVisitor(service: TestService, token: string) {
  const address = newAddress()
  const jar = { cookie: '' }
  const visit = async (to = '', fields?: Record<string, string>) => {
    const answer = await fetch(`${service.baseUrl}/invitations/${token}${to}`, {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-forwarded-for': address,
        ...(jar.cookie && { cookie: jar.cookie }),
        ...(fields && { origin: 'null', 'sec-fetch-site': 'same-origin' }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set) jar.cookie = set.split(';')[0]!
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const formTokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return { visit, jar, formTokenIn }
}

test('the page says what the invitation is to, and opening it changes nothing', async ({ service, call, team }) => {
  const { id, email, token } = await makeInvitation(service, team)
  const { visit } = openVisitor(service, token)
  const { status, headers, text } = await visit()
  assert.equal(status, 200)
  for (const shown of ['Join Example Robotics', 'developer', team.email, email, 'Sign in', 'Sign up']) {
    assert.ok(text.includes(shown), shown)
  }
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.match(headers.get('content-security-policy')!, /script-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
  assert.doesNotMatch(text, /<script/)
  const { body } = await call('GET', `${invitationsPath}?status=pending&limit=200`, { key: team.token })
  assert.ok(body.data.some((one: { id: string }) => one.id === id))
})

test('the page is the same whether or not the address has an account', async ({ service, team }) => {
  const { email, token } = await makeInvitation(service, team)
  const before = await openVisitor(service, token).visit()
  await makeAccount(service, { email })
  const after = await openVisitor(service, token).visit()
  assert.equal(after.text, before.text)
})

test('a person without an account signs up on the page, and the link has ended', async ({ service, call, team }) => {
  const { token } = await makeInvitation(service, team)
  const { visit, jar } = openVisitor(service, token)
  const tos_version = await currentVersion(service)
  const short = await visit('/signup', { password: 'short', tos_version })
  assert.equal(short.status, 400)
  assert.match(short.text, /role="alert"/)
  const { status, text } = await visit('/signup', { password, tos_version })
  assert.equal(status, 201)
  assert.match(text, /You have joined/)
  const me = await call('GET', '/v1/auth/me', { headers: { cookie: jar.cookie } })
  assert.equal(me.body.org.id, team.orgId)
  for (const answer of [await visit(), await visit('/signup', { password, tos_version })]) {
    assert.equal(answer.status, 404)
    assert.match(answer.text, /does not work/)
  }
})

test('a person with an account signs in, and accepts then', async ({ service, team }) => {
  const { email } = await makeAccount(service)
  const { token } = await makeInvitation(service, team, email)
  const { visit, formTokenIn } = openVisitor(service, token)
  const taken = await visit('/signup', { password, tos_version: await currentVersion(service) })
  assert.equal(taken.status, 409)
  assert.match(taken.text, /has an account already/)
  const wrong = await visit('/signin', { password: 'something else' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /The e-mail address or the password is wrong/)
  const signedIn = await visit('/signin', { password })
  assert.deepEqual(
    [signedIn.status, signedIn.headers.get('location')],
    [303, `${service.baseUrl}/invitations/${token}`],
  )
  const page = await visit()
  assert.match(page.text, /Accept the invitation/)
  assert.equal((await visit('/accept', { form_token: 'wrong' })).status, 403)
  const { status, text } = await visit('/accept', { form_token: formTokenIn(page.text) })
  assert.equal(status, 200)
  assert.match(text, /You have joined/)
  assert.deepEqual((await membershipsOf(service, email)).at(-1), [team.orgId, 'developer'])
})

test('a person who is signed in as somebody else may sign out, and nothing more', async ({ service, team }) => {
  const { token } = await makeInvitation(service, team)
  const { visit, jar } = openVisitor(service, token)
  const other = await makeAccount(service)
  jar.cookie = other.cookie
  const page = await visit()
  assert.equal(page.status, 403)
  assert.ok(page.text.includes(other.email))
  assert.equal((await visit('/accept', {})).status, 403)
  const out = await visit('/signout', {})
  assert.deepEqual([out.status, out.headers.get('location')], [303, `${service.baseUrl}/invitations/${token}`])
  assert.equal((await visit()).status, 200)
})

test('a link that does not work is 404, whatever the reason, to people and to programs', async ({
  service,
  call,
  team,
}) => {
  const { id, token } = await makeInvitation(service, team)
  await call('DELETE', `${invitationsPath}/${id}`, { key: team.token })
  const pages = []
  for (const one of [token, 'A'.repeat(43), 'malformed']) {
    const { status, text } = await openVisitor(service, one).visit()
    assert.equal(status, 404)
    pages.push(text)
    assert.equal((await call('GET', `/invitations/${one}`)).body.error.type, 'not_found')
  }
  assert.equal(new Set(pages).size, 1)
})

test('the token is in no record', async ({ service, call, team }) => {
  const email = freshEmail()
  const account = await makeAccount(service, { email })
  const { id, token } = await makeInvitation(service, team, email)
  const { visit, formTokenIn } = openVisitor(service, token)
  await visit('/signin', { password: 'something else' })
  await visit('/signin', { password })
  await visit('/accept', { form_token: formTokenIn((await visit()).text) })
  await service.gate.flush()
  const logs = [team, account].map(({ token: key }) => call('GET', '/v1/audit-log?limit=200', { key }))
  const entries = (await Promise.all(logs)).flatMap(({ body }) => body.data as { path: string; action: string }[])
  const ofPage = entries.filter(({ path }) => path.startsWith('/invitations/'))
  assert.deepEqual(ofPage.map(({ action, path }) => [action, path]).sort(), [
    ['account.address_proven', `/invitations/${id}`],
    ['auth.failure', `/invitations/${id}`],
    ['auth.signin', `/invitations/${id}`],
    ['invitation.accept', `/invitations/${id}`],
  ])
  assert.ok(!JSON.stringify(entries).includes(token))
})

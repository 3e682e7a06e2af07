// The way of a browser through the second factor: from the form of the password to the form of the code, and on.
import assert from 'node:assert/strict'
import { password } from '../../src/testing/accounts.ts'
import { codeOf, factorTest, wrongCodeOf } from '../../src/testing/factors.ts'

const html = { accept: 'text/html' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const test = factorTest()
  /** Sends a form of one of our pages. */
  .extend(
    'submit',
    { scope: 'file' },
    ({ call }) =>
      (path: string, fields: Record<string, string>, cookie?: string) =>
        call('POST', path, {
          raw: new URLSearchParams(fields).toString(),
          headers: { ...html, ...form, ...(cookie && { cookie }) },
          redirect: 'manual',
        }),
  )
  .extend('signInOnPage', { scope: 'file' }, ({ submit }) => async (email: string) => {
    const { status, headers } = await submit('/connect/signin', { email, password })
    assert.equal(status, 303)
    return { location: new URL(headers.get('location')!), cookie: headers.get('set-cookie')!.split(';')[0]! }
  })

test('the form of the code follows that of the password, and leads on', async ({
  service,
  call,
  makePerson,
  signInOnPage,
  submit,
}) => {
  const person = await makePerson()
  const { location, cookie } = await signInOnPage(person.email)
  assert.match(cookie, /^svc_factor=[\w-]{43}$/)
  const shown = await call('GET', location.pathname + location.search, { headers: { ...html, cookie } })
  assert.equal(shown.status, 200)
  assert.match(shown.body, /<label for="code">Code<\/label>/)
  assert.match(shown.body, /<button>Verify<\/button>/)
  assert.match(shown.body, /name="return_to" value="\/connect"/)
  assert.equal(shown.headers.get('cache-control'), 'no-store')

  const again = await submit(
    location.pathname,
    { code: wrongCodeOf(service, person.secret), return_to: '/connect' },
    cookie,
  )
  assert.equal(again.status, 401)
  assert.match(again.body, /role="alert"/)
  assert.match(again.body, /name="return_to" value="\/connect"/)

  const entered = await submit(
    location.pathname,
    { code: codeOf(service, person.secret), return_to: '/connect' },
    cookie,
  )
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, `${service.baseUrl}/connect`])
  const session = /svc_session=([^;]+)/.exec(entered.headers.get('set-cookie')!)![0]
  assert.equal((await call('GET', '/connect', { headers: { ...html, cookie: session } })).status, 200)
})

test('a sign-in that has ended shows the way back, without another form', async ({ service, makePerson, submit }) => {
  const person = await makePerson()
  const fields = { code: codeOf(service, person.secret), return_to: '/connect' }
  const over = await submit('/v1/auth/signin/factor', fields, `svc_factor=${'x'.repeat(43)}`)
  assert.equal(over.status, 401)
  assert.match(over.body, /href="\/connect">Sign in again/)
  assert.ok(!over.body.includes('<form'))
})

test('the page leads to no other site', async ({ service, call, makePerson, signInOnPage, submit }) => {
  const person = await makePerson()
  const { cookie } = await signInOnPage(person.email)
  const shown = await call('GET', '/v1/auth/signin/factor?return_to=//evil.example', { headers: html })
  assert.ok(!shown.body.includes('evil'))
  const fields = { code: codeOf(service, person.secret), return_to: 'https://evil.example/' }
  const entered = await submit('/v1/auth/signin/factor', fields, cookie)
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, `${service.baseUrl}/connect`])
})

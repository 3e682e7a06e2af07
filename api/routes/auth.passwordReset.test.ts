import assert from 'node:assert/strict'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { openTestService } from '../../src/testing/harness.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const path = '/v1/auth/password/reset'
const renewed = 'another battery staple'

const test = serviceTest()
  .extend(
    'forgot',
    perFile,
    ({ call }) =>
      (email: unknown) =>
        call('POST', '/v1/auth/password/forgot', { body: { email } }),
  )
  .extend(
    'reset',
    perFile,
    ({ call }) =>
      (token: string, to: unknown = renewed) =>
        call('POST', path, { body: { token, password: to } }),
  )
  .extend(
    'signIn',
    perFile,
    ({ call }) =>
      (email: string, by: string) =>
        call('POST', '/v1/auth/signin', { body: { email, password: by } }),
  )

test('a known and an unknown address are answered alike, after the same time; only one gets a mail', async ({
  service,
  forgot,
}) => {
  const { email } = await makeAccount(service)
  const answers = []
  for (const address of [email, freshEmail('nobody'), ` ${email.toUpperCase()} `]) {
    const startedAt = performance.now()
    const { status, body } = await forgot(address)
    answers.push({ status, body })
    assert.ok(performance.now() - startedAt >= 195, 'no answer comes before the others')
  }
  assert.equal(answers[0]!.status, 202)
  assert.deepEqual(Object.keys(answers[0]!.body), ['message'])
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const subjects = (await mailsTo(service, email)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Is this your address?', 'Set a new password', 'Set a new password'])
})

test('the link is on a line of its own, whatever its length', async ({ service, forgot }) => {
  const { email } = await makeAccount(service)
  await forgot(email)
  const mail = (await mailsTo(service, email)).at(-1)
  const link = new RegExp(`^${service.baseUrl}${path}\\?token=[\\w-]{32}$`, 'm')
  assert.match(mail?.text ?? '', link)
  assert.equal(mail?.subject, 'Set a new password')
})

test('a new password replaces the old one, signs out every session everywhere, and proves the address', async ({
  service,
  second,
  forgot,
  reset,
  signIn,
}) => {
  const { email, token } = await makeAccount(service)
  const later = (await signIn(email, password)).body.token
  await forgot(email)
  const answer = await reset(await linkTo(service, email))
  assert.equal(answer.status, 202)
  assert.deepEqual(Object.keys(answer.body), ['message'])
  for (const key of [token, later]) {
    assertRefused(await second.call('GET', '/v1/auth/me', { key }), 401, 'authentication_error')
  }
  assertRefused(await signIn(email, password), 401, 'authentication_error')
  const { status, body } = await signIn(email, renewed)
  assert.deepEqual([status, body.org.email_verified], [200, true])
})

test('a link works once, for thirty minutes, and not after another link was followed', async ({
  service,
  forgot,
  reset,
  signIn,
}) => {
  const { email } = await makeAccount(service)
  await forgot(email)
  const used = await linkTo(service, email)
  await service.clock.advance(1_000)
  await forgot(email)
  const other = await linkTo(service, email)
  assert.notEqual(used, other)
  assert.equal((await reset(used)).body.message, 'The password is set. Sign in with it.')
  for (const link of [used, other, 'x'.repeat(32)]) {
    assertNothingChanged(await reset(link, unseen))
  }
  assert.equal((await signIn(email, renewed)).status, 200, 'as the first link set it')
  await forgot(email)
  const late = await linkTo(service, email)
  await service.clock.advance(30 * 60_000)
  assertNothingChanged(await reset(late, unseen))
  await forgot(email)
  const last = await linkTo(service, email)
  await service.clock.advance(30 * 60_000 - 1)
  assert.equal((await reset(last)).status, 202)
})

const unseen = 'never to be seen again'

/** Answered like a good one, but for what it says. */
function assertNothingChanged({ status, body }: Answer) {
  assert.equal(status, 202)
  assert.match(body.message, /^Nothing was changed: /)
}

test('of ten requests with one link at once, one sets the password', async ({ service, forgot, reset, signIn }) => {
  const { email } = await makeAccount(service)
  await forgot(email)
  const token = await linkTo(service, email)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => reset(token, `password number ${nth}`)))
  const hasSet = ({ body }: { body: { message: string } }) => body.message.startsWith('The password is set.')
  const won = answers.findIndex(hasSet)
  assert.equal(answers.filter(hasSet).length, 1)
  assert.equal((await signIn(email, `password number ${won}`)).status, 200)
})

test('what is no address, token or password is a validation_error', async ({ service, call, forgot, reset }) => {
  for (const email of [undefined, 'nobody', 5]) {
    assertRefused(await forgot(email), 400, 'validation_error', { param: 'email' })
  }
  const { email } = await makeAccount(service)
  await forgot(email)
  const token = await linkTo(service, email)
  for (const bad of [undefined, 'too short', 'x'.repeat(129), 5]) {
    assertRefused(await call('POST', path, { body: { token, password: bad } }), 400, 'validation_error', {
      param: 'password',
    })
  }
  assertRefused(await call('POST', path, { body: { password } }), 400, 'validation_error', { param: 'token' })
  // The link is still good.
  assert.equal((await reset(token)).status, 202)
})

test('one address is sent five mails an hour, and the answer stays the same after that', async ({
  service,
  forgot,
}) => {
  const { email } = await makeAccount(service)
  for (let n = 0; n < 8; n++) assert.equal((await forgot(email)).status, 202)
  const mails = await mailsTo(service, email)
  assert.equal(mails.filter(({ subject }) => subject === 'Set a new password').length, 5)
})

test('the link leads to a page whose form sets the password', async ({ service, call, forgot, signIn }) => {
  const { email } = await makeAccount(service)
  await service.clock.advance(60 * 60_000)
  await forgot(email)
  const token = await linkTo(service, email)
  const page = await call('GET', `${path}?token=${token}`)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.match(page.body, new RegExp(`<input type="hidden" name="token" value="${token}">`))
  assert.match(page.body, new RegExp(`<form method="post" action="${path}">`))
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const post = (fields: Record<string, string>) =>
    call('POST', path, { headers, raw: new URLSearchParams(fields).toString() })
  const short = await post({ token, password: 'too short' })
  assert.equal(short.status, 400)
  assert.match(short.body, /role="alert">password: /)
  assert.match(short.body, new RegExp(`value="${token}"`))
  const done = await post({ token, password: renewed })
  assert.equal(done.status, 202)
  assert.match(done.body, /The password is set/)
  const again = await post({ token, password: renewed })
  assert.equal(again.status, 202)
  assert.match(again.body, /role="alert">Nothing was changed/)
  assert.doesNotMatch(again.body, /<form/)
  assert.equal((await signIn(email, renewed)).status, 200)
})

test('a client that sends too many passwords is told when to come again, on a page, too', async ({
  onTestFinished,
}) => {
  const fresh = await openTestService()
  onTestFinished(fresh.close)
  const send = (accept: string) =>
    fresh.call('POST', path, { body: { token: 'x', password: renewed }, headers: { accept } })
  for (let nth = 0; nth < 120; nth++) assert.equal((await send('application/json')).status, 202)
  for (const accept of ['application/json', 'text/html']) {
    const refused = await send(accept)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '900'], accept)
  }
})

test('the page shows a token as text, whatever is in it', async ({ call }) => {
  const { body } = await call('GET', `${path}?token=${encodeURIComponent('"><script>alert(1)</script>')}`)
  assert.doesNotMatch(body, /<script>alert/)
})

test('a client that tries too often without a password is told when to come again, on a page, too', async ({
  service,
  call,
}) => {
  const ask = (accept: string) => call('POST', path, { body: {}, headers: { accept } })
  let page = await ask('text/html')
  for (let tries = 0; page.status === 400 && tries < 150; tries++) page = await ask('text/html')
  const asJson = await ask('application/json')
  assertRefused(asJson, 429, 'rate_limit_error')
  assert.equal(page.status, 429)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(page.headers.get('retry-after'), asJson.headers.get('retry-after'))
  await service.clock.advance(15 * 60_000)
  assert.equal((await ask('text/html')).status, 400)
})

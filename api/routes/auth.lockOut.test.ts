// Somebody signs up with an address that is not theirs and prepares the account; then its owner proves the address.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, test } from 'vitest'
import { decodeId } from '../../src/shapes/ids.ts'
import { openDb } from '../../src/stores/postgres.ts'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent, makeWebhook } from '../../src/testing/factories.ts'
import { adminToken, directly, openTestService, type TestService } from '../../src/testing/harness.ts'
import { linkTo, mailsTo } from '../../src/testing/mailbox.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let provider: OAuth2Server
let service: TestService
let elsewhere: TestProcess
let receiver: Receiver
let call: TestService['call']
let claims: Record<string, unknown>

beforeAll(async () => {
  provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, '127.0.0.1')
  provider.service.on('beforeTokenSigning', (token: { payload: object }) => Object.assign(token.payload, claims))
  const acme = { issuer: provider.issuer.url, client_id: 'calendar', client_secret: 'secret-of-the-tests' }
  service = await openTestService({ env: { OIDC_PROVIDERS: JSON.stringify({ acme }) } })
  elsewhere = await openProcess(service)
  receiver = await openReceiver()
  call = service.call
})
afterAll(async () => {
  await elsewhere.close()
  await service.close()
  await receiver.close()
  await provider.stop()
})

const renewed = 'another battery staple'
const newKey = async (token: string) => (await call('POST', '/v1/auth/keys', { key: token })).body.key as string

/** What a stranger can make with an address that they never proved. */
async function prepare() {
  const account = await makeAccount(service)
  await call('PATCH', `/v1/admin/orgs/${account.orgId}`, { key: adminToken, body: { plan: 'pro' } })
  const key = await newKey(account.token)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Chat' } })
  assert.equal(page.status, 201)
  // Known to both processes, so that both have to be told.
  for (const secret of [key, agentKey]) {
    for (const process of [service, elsewhere]) {
      assert.equal((await process.call('GET', '/v1/calendars', { key: secret })).status, 200)
    }
  }
  await service.drain()
  receiver.received.length = 0
  return { ...account, key, agentKey, agent, calendar, event, webhook, page: page.body }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

const feedOf = ({ ical_url }: { ical_url: string }) => call('GET', new URL(ical_url).pathname)

/** Nothing of the stranger's works, everything of the owner's does. */
async function assertLockedOut(before: Prepared, token: string) {
  const { key, agentKey, agent, calendar, event, webhook, page, email, orgId } = before
  for (const process of [service, elsewhere]) {
    for (const secret of [key, agentKey]) {
      assertRefused(await process.call('GET', '/v1/calendars', { key: secret }), 401, 'authentication_error')
    }
    assertRefused(await process.call('GET', '/v1/auth/me', { key: before.token }), 401, 'authentication_error')
  }
  assertRefused(await call('GET', `/book/${page.slug}/slots`), 404, 'not_found')
  assertRefused(await feedOf(calendar), 404, 'not_found')

  const own = await newKey(token)
  const read = async (path: string) => (await call('GET', path, { key: own })).body
  assert.deepEqual([(await read(`/v1/agents/${agent.id}`)).id, (await read('/v1/keys')).keys], [agent.id, []])
  const shown = await read(`/v1/calendars/${calendar.id}`)
  assert.notEqual(shown.ical_url, calendar.ical_url)
  const feed = await feedOf(shown)
  assert.equal(feed.status, 200)
  assert.match(feed.body, new RegExp(event.id), 'the events stay')
  assert.deepEqual(
    { ...(await read(`/v1/webhooks/${webhook.id}`)), secret: webhook.secret },
    { ...webhook, active: false },
  )
  assert.equal((await read(`/v1/booking-pages/${page.id}`)).active, false)
  await makeEvent(service, own, calendar.id, { start_time: ahead(service, 300), end_time: ahead(service, 330) })
  await service.drain()
  assert.equal(receiver.received.length, 0)

  const mail = (await mailsTo(service, email)).at(-1)
  assert.equal(mail?.subject, 'What was switched off in your organization')
  for (const line of [
    '- 1 key of the organization, revoked',
    '- 1 key of an agent, revoked',
    '- 1 webhook, switched off',
    '- 1 booking page, switched off',
    '- 1 address of a feed, replaced',
  ]) {
    assert.ok(mail.text.split('\n').includes(line), mail.text)
  }
  assert.ok(mail.text.split('\n').every((line) => line.length < 79))

  const log = (await read('/v1/audit-log?limit=100')).data as { action: string; resource: string; path: string }[]
  const proof = log.filter(({ path }) => path.includes('/reset') || path.includes('/callback'))
  const logged = (action: string) => proof.filter((entry) => entry.action === action).map(({ resource }) => resource)
  assert.deepEqual([logged('account.address_proven'), logged('account.locked_out')], [[orgId], [orgId]])
  assert.equal(logged('key.delete').length, 2)
  assert.deepEqual(logged('webhook.update'), [webhook.id])
  assert.deepEqual(logged('calendar.update'), [calendar.id, calendar.id], 'its page and its feed')

  for (const [path, id] of [
    ['webhooks', webhook.id],
    ['booking-pages', page.id],
  ]) {
    const on = await call('PATCH', `/v1/${path}/${id}`, { key: own, body: { active: true } })
    assert.deepEqual([on.status, on.body.active], [200, true])
  }
  assert.equal((await call('GET', `/book/${page.slug}/slots`)).status, 200)
}

async function mailedReset(email: string): Promise<string> {
  await call('POST', '/v1/auth/password/forgot', { body: { email } })
  return linkTo(service, email)
}

const reset = (token: string, to = renewed) =>
  call('POST', '/v1/auth/password/reset', { body: { token, password: to } })

async function signedIn(email: string): Promise<string> {
  const { status, body } = await call('POST', '/v1/auth/signin', { body: { email, password: renewed } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.org.email_verified, true)
  return body.token
}

async function enterThrough(email: string) {
  claims = { sub: email, email, email_verified: true }
  const tos = await currentVersion(service)
  const start = await fetch(`${service.baseUrl}/v1/auth/oauth/acme?tos_version=${tos}`, { redirect: 'manual' })
  const back = await fetch(start.headers.get('location')!, { redirect: 'manual' })
  const { pathname, search } = new URL(back.headers.get('location')!)
  return call('GET', pathname + search, { headers: { cookie: start.headers.get('set-cookie')!.split(';')[0]! } })
}

test('a new password by the mailed link switches off what was made before', async () => {
  const before = await prepare()
  const answer = await reset(await mailedReset(before.email))
  assert.match(answer.body.message, /^The password is set\. .* switched off; a mail lists it\.$/)
  await assertLockedOut(before, await signedIn(before.email))
})

test('so does a sign-in through a provider of identities, which opens a session that works', async () => {
  const before = await prepare()
  const { status, body } = await enterThrough(before.email)
  assert.deepEqual([status, body.org?.id, body.org?.email_verified], [200, before.orgId, true])
  await assertLockedOut(before, body.token)
  const old = await call('POST', '/v1/auth/signin', { body: { email: before.email, password } })
  assertRefused(old, 401, 'authentication_error')
})

test('the sandbox of an agent ends with a new password, and stays with the code', async () => {
  const signUp = async (email: string) =>
    (
      await call('POST', '/v1/agent/sign-up', {
        body: { email, agent_name: 'Planner', tos_version: await currentVersion(service) },
      })
    ).body
  const stolen = freshEmail('stolen')
  const { api_key } = await signUp(stolen)
  await reset(await mailedReset(stolen))
  assertRefused(await call('GET', '/v1/agents', { key: api_key }), 401, 'authentication_error')
  assert.match((await mailsTo(service, stolen)).at(-1)!.text, /^- 1 key of the organization, revoked$/m)
  assert.equal((await call('GET', '/v1/agents', { key: await newKey(await signedIn(stolen)) })).body.total, 1)

  const own = freshEmail('own')
  const kept = await signUp(own)
  const code = /^(\d{6})$/m.exec((await mailsTo(service, own)).at(-1)!.text)![1]
  const verified = await call('POST', '/v1/agent/verify', { key: kept.api_key, body: { otp: code } })
  assert.equal(verified.status, 200)
  await reset(await mailedReset(own))
  assert.equal((await call('GET', '/v1/agents', { key: kept.api_key })).status, 200, 'it was proven before')
  const { data } = (await call('GET', '/v1/audit-log', { key: kept.api_key })).body
  const proofs = data.filter(({ action }: { action: string }) => action === 'account.address_proven')
  assert.deepEqual(
    proofs.map(({ path }: { path: string }) => path),
    ['/v1/agent/verify'],
  )
})

test('an address is proven once: a later new password leaves keys alone, and an administrator vouches for theirs', async () => {
  const { email, token } = await makeAccount(service)
  await newKey(token)
  await reset(await mailedReset(email))
  const key = await newKey(await signedIn(email))
  await reset(await mailedReset(email))
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)

  const owner = freshEmail('customer')
  const made = await call('POST', '/v1/admin/orgs', { key: adminToken, body: { name: 'Customer', email: owner } })
  assert.equal((await reset(await mailedReset(owner))).body.message, 'The password is set. Sign in with it.')
  assert.equal((await call('GET', '/v1/agents', { key: made.body.api_key })).status, 200)
  assert.equal((await mailsTo(service, owner)).length, 1)
})

test('of several proofs at once one locks out, and one mail tells of it', async () => {
  for (let round = 0; round < 3; round++) {
    const { email, token, orgId } = await makeAccount(service)
    await newKey(token)
    const [first, second] = [await mailedReset(email), await mailedReset(email)]
    await Promise.all([reset(first), reset(second), reset(second), enterThrough(email)])
    const told = (await mailsTo(service, email)).filter(({ subject }) => subject.startsWith('What was switched off'))
    assert.equal(told.length, 1)
    const [proofs] = await service.app.sql`
      select count(*)::integer as count from audit_entries
      where org_id = ${decodeId('org', orgId)!} and action = 'account.address_proven'`
    assert.equal(proofs!.count, 1)
  }
})

test('whatever the stranger makes in the moment of the proof does not outlive it', async () => {
  for (let round = 0; round < 4; round++) {
    const before = await prepare()
    const link = await mailedReset(before.email)
    const off = await call('PATCH', `/v1/booking-pages/${before.page.id}`, { key: before.key, body: { active: false } })
    assert.equal(off.status, 200)
    const { key, token, agent, calendar } = before
    const attempts = [service, elsewhere].flatMap((process) => [
      () => process.call('POST', '/v1/auth/keys/regenerate', { key: token }),
      () => process.call('POST', '/v1/auth/keys/scoped', { key: token, body: { agent_id: agent.id } }),
      () => process.call('POST', '/v1/keys', { key, body: { agent_id: agent.id } }),
      () =>
        process.call('POST', '/v1/webhooks', {
          key,
          body: { url: `${receiver.url}/${round}`, events: ['event.created'] },
        }),
      () => process.call('POST', '/v1/agents', { key, body: { name: 'Late', type: 'ai' } }),
      () => process.call('POST', `/v1/calendars`, { key, body: { name: 'Late', timezone: 'UTC' } }),
      () => process.call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Late' } }),
      () => process.call('PATCH', `/v1/booking-pages/${before.page.id}`, { key, body: { active: true } }),
      () => process.call('POST', '/v1/auth/signin', { body: { email: before.email, password } }),
    ])
    const begun = attempts.map((attempt) => attempt())
    const proof = reset(link)
    const answers = await Promise.all([...begun, ...attempts.map((attempt) => attempt())])
    assert.equal((await proof).status, 202)
    const org_id = decodeId('org', before.orgId)!
    const { sql } = service.app
    const [living] = await sql`
      select (select count(*) from api_keys where org_id = ${org_id} and revoked_at is null)::integer as keys,
        (select count(*) from webhook_subscriptions where org_id = ${org_id} and active)::integer as webhooks,
        (select count(*) from booking_pages where org_id = ${org_id} and active and deleted_at is null)::integer as pages`
    assert.deepEqual({ ...living }, { keys: 0, webhooks: 0, pages: 0 })
    for (const { body } of answers) {
      if (typeof body?.token === 'string') {
        assertRefused(await call('GET', '/v1/auth/me', { key: body.token }), 401, 'authentication_error')
      }
      if (typeof body?.ical_url === 'string') assertRefused(await feedOf(body), 404, 'not_found')
      if (typeof body?.key === 'string') {
        assertRefused(await call('GET', '/v1/agents', { key: body.key }), 401, 'authentication_error')
      }
    }
  }
})

test('a sign-in that is under way while the password is replaced opens no session that outlives it', async () => {
  const { email } = await makeAccount(service)
  const link = await mailedReset(email)
  const { sql, config } = service.app
  // Whoever opens a session waits for what the test holds, with the old password already found right.
  await sql`
    create function wait_for_the_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(15); return new; end'`
  await sql`create trigger waits before insert on sessions for each row execute function wait_for_the_test()`
  const held = openDb(directly(config.databaseUrl), { connections: 1, deadlineMs: 60_000, name: 'test lock' })
  await held`select pg_advisory_lock(15)`
  const entering = elsewhere.call('POST', '/v1/auth/signin', { body: { email, password } })
  await until(async () => (await sql`select from pg_locks where locktype = 'advisory' and not granted`).length === 1)
  assert.equal((await reset(link)).status, 202)
  await held`select pg_advisory_unlock(15)`
  const { status, body } = await entering
  assert.equal(status, 200)
  assertRefused(await call('GET', '/v1/auth/me', { key: body.token }), 401, 'authentication_error')
  await sql`drop trigger waits on sessions`
  await held.end({ timeout: 1 })
})

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await pause(20)
}

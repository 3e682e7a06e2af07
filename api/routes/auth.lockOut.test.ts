// Somebody signs up with an address that is not theirs and prepares the account; then its owner proves the address.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId } from '../../src/shapes/ids.ts'
import { openDb } from '../../src/stores/postgres.ts'
import { currentVersion, freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import { changesOf } from '../../src/testing/changes.ts'
import { adminToken, directly } from '../../src/testing/harness.ts'
import { lockOutTest } from '../../src/testing/lockOut.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = lockOutTest()

test('a new password by the mailed link switches off what was made before', async ({
  prepare,
  assertLockedOut,
  mailedReset,
  reset,
  signedIn,
}) => {
  const before = await prepare()
  const answer = await reset(await mailedReset(before.email))
  assert.match(answer.body.message, /^The password is set\. .* switched off; a mail lists it\.$/)
  await assertLockedOut(before, await signedIn(before.email))
})

test('so does a sign-in through a provider of identities, which opens a session that works', async ({
  call,
  enterThrough,
  prepare,
  assertLockedOut,
}) => {
  const before = await prepare()
  const { status, body } = await enterThrough(before.email)
  assert.deepEqual([status, body.org?.id, body.org?.email_verified], [200, before.orgId, true])
  await assertLockedOut(before, body.token)
  const old = await call('POST', '/v1/auth/signin', { body: { email: before.email, password } })
  assertRefused(old, 401, 'authentication_error')
})

test('the sandbox of an agent ends with a new password, and stays with the code', async ({
  service,
  call,
  newKey,
  mailedReset,
  reset,
  signedIn,
}) => {
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

test('a new password leaves keys alone once the address is proven, or if an administrator made the organization', async ({
  service,
  call,
  newKey,
  mailedReset,
  reset,
  signedIn,
}) => {
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

test('several proofs at once lock out once, and send one mail', async ({
  service,
  enterThrough,
  newKey,
  mailedReset,
  reset,
}) => {
  for (let round = 0; round < 3; round++) {
    const { email, token, orgId } = await makeAccount(service)
    await newKey(token)
    const [first, last] = [await mailedReset(email), await mailedReset(email)]
    await Promise.all([reset(first), reset(last), reset(last), enterThrough(email)])
    const told = (await mailsTo(service, email)).filter(({ subject }) => subject.endsWith('were switched off'))
    assert.equal(told.length, 1)
    const [proofs] = await service.app.sql`
      select count(*)::integer as count from audit_entries
      where org_id = ${decodeId('org', orgId)!} and action = 'account.address_proven'`
    assert.equal(proofs!.count, 1)
  }
})

test('whatever the stranger makes during the proof ends with it', async ({
  service,
  call,
  second,
  receiver,
  prepare,
  feedOf,
  mailedReset,
  reset,
}) => {
  for (let round = 0; round < 4; round++) {
    const before = await prepare()
    const link = await mailedReset(before.email)
    const off = await call('PATCH', `/v1/booking-pages/${before.page.id}`, { key: before.key, body: { active: false } })
    assert.equal(off.status, 200)
    const { key, token, agent, calendar } = before
    const attempts = [service, second].flatMap((process) => [
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

test('what changes during the proof is told in order: the last entry of a calendar and a page shows them as they are', async ({
  service,
  call,
  second,
  prepare,
  newKey,
  signedIn,
  mailedReset,
  reset,
}) => {
  for (let round = 0; round < 3; round++) {
    const { email, key, orgId, calendar, page } = await prepare()
    const link = await mailedReset(email)
    const edits = Array.from({ length: 10 }, (_, nth) => {
      const process = nth % 2 ? second : service
      return [
        process.call('PATCH', `/v1/calendars/${calendar.id}`, { key, body: { name: `Edit ${nth}` } }),
        process.call('PATCH', `/v1/booking-pages/${page.id}`, { key, body: { title: `Edit ${nth}` } }),
      ]
    })
    await Promise.all([reset(link), ...edits.flat()])
    const own = await newKey(await signedIn(email))
    const told = await changesOf(service, orgId)
    const lastOf = (type: string) => told.findLast((entry) => entry.type === type)!.payload
    const read = async (path: string) => (await call('GET', path, { key: own })).body
    assert.deepEqual(lastOf('calendar.updated').calendar, await read(`/v1/calendars/${calendar.id}`))
    assert.deepEqual(lastOf('booking_page.updated').booking_page, await read(`/v1/booking-pages/${page.id}`))
    const revisions = told.flatMap(({ revision, calendarId }) => (calendarId && revision !== null ? [revision] : []))
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    )
  }
})

test('a sign-in during the replacement of the password opens no session that works after it', async ({
  service,
  call,
  second,
  mailedReset,
  reset,
}) => {
  const { email } = await makeAccount(service)
  const link = await mailedReset(email)
  const { sql, config } = service.app
  // A sign-in waits for the lock of the test, with the old password already found right.
  await sql`
    create function wait_for_the_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(15); return new; end'`
  await sql`create trigger waits before insert on sessions for each row execute function wait_for_the_test()`
  const held = openDb(directly(config.databaseUrl), { connections: 1, deadlineMs: 60_000, name: 'test lock' })
  await held`select pg_advisory_lock(15)`
  const entering = second.call('POST', '/v1/auth/signin', { body: { email, password } })
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

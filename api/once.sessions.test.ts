// The Idempotency-Key of sessions, of codes and of terms.
import assert from 'node:assert/strict'
import { currentVersion, makeAccount } from '../src/testing/accounts.ts'
import { makeAgent, makeOrganization } from '../src/testing/factories.ts'
import { adminToken } from '../src/testing/harness.ts'
import type { CallOptions } from '../src/testing/http.ts'
import { codeTo } from '../src/testing/mailbox.ts'
import { sandboxTest } from '../src/testing/sandboxes.ts'
import { perFile } from '../src/testing/test.ts'

let last = 0
const test = sandboxTest().extend(
  'askedTwice',
  perFile,
  ({ call, second }) =>
    async (method: string, path: string, options: CallOptions) => {
      const headers = { 'idempotency-key': `key-${++last}` }
      const first = await call(method, path, { ...options, headers })
      const again = await second.call(method, path, { ...options, headers })
      assert.ok(first.status < 300, `${path}: ${JSON.stringify(first.body)}`)
      assert.deepEqual([again.status, again.body], [first.status, first.body])
      assert.equal(first.headers.get('idempotent-replayed'), null)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      return first
    },
)

test('a session makes a key once, and learns it twice', async ({ service, call, askedTwice }) => {
  const { token, orgId } = await makeAccount(service)
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
  const first = await askedTwice('POST', '/v1/auth/keys', { key: token })
  assert.equal((await call('GET', '/v1/agents', { key: first.body.key })).status, 200)
  const next = await askedTwice('POST', '/v1/auth/keys/regenerate', { key: token })
  assert.notEqual(next.body.key, first.body.key)
  assert.equal((await call('GET', '/v1/agents', { key: first.body.key })).status, 401)
  const agent = await makeAgent(service, next.body.key)
  await askedTwice('POST', '/v1/auth/keys/scoped', { key: token, body: { agent_id: agent.id } })
  assert.equal((await call('GET', '/v1/keys', { key: token })).body.keys.length, 1)
})

test('a link to prove an address is mailed once', async ({ service, askedTwice }) => {
  const { token } = await makeAccount(service)
  const mails = async () => (await service.app.sql<{ n: number }[]>`select count(*)::int as n from mails`)[0]!.n
  const before = await mails()
  await askedTwice('POST', '/v1/auth/email/link', { key: token })
  assert.equal(await mails(), before + 1)
})

test('terms are published and accepted once', async ({ service, askedTwice }) => {
  const terms = { version: 'v9', effective_at: '2026-06-01', url: 'https://example.com/terms/v9', material: true }
  await askedTwice('POST', '/v1/admin/terms', { key: adminToken, body: terms })
  const body = { tos_version: await currentVersion(service) }
  const { token } = await makeAccount(service)
  await askedTwice('PATCH', '/v1/auth/terms', { key: token, body })
  const { key, id } = await makeOrganization(service)
  await askedTwice('POST', '/v1/terms/accept', { key, body })
  const { sql } = service.app
  const [row] =
    await sql`select count(*)::int as n from terms_acceptances a join organizations o on o.id = a.org_id where a.version = 'v9' and o.signup_source = 'admin'`
  assert.equal(row?.n, 1, id)
})

test('a code is spent once', async ({ service, askedTwice, makeSandbox }) => {
  const { email, key } = await makeSandbox()
  await askedTwice('POST', '/v1/agent/verify', { key, body: { otp: await codeTo(service, email) } })
})

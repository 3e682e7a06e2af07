// The organizations of the fault test on a real service: each gets answers of its own only, and an answer of another one is
// found.
import assert from 'node:assert/strict'
import postgres from 'postgres'
import { adminToken } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { openClient } from './client.ts'
import { type Answer, foreignIn, openOwners } from './identity.ts'
import { judgeMakers, readMadeRecords } from './makers.ts'
import { makeTenants, type Tenant } from './tenants.ts'
import { makeAgent, questions } from './visits.ts'

const owners = openOwners()

const test = serviceTest()
  .extend('tenants', perFile, async ({ service }): Promise<readonly Tenant[]> => {
    const client = openClient([service.baseUrl], owners)
    return makeTenants({ client, adminToken, hookUrl: 'http://127.0.0.1:9/hook' }, 3)
  })
  .extend('sql', perFile, async ({ service }, { onCleanup }) => {
    const sql = postgres(service.app.config.databaseUrl, { max: 1, fetch_types: false, prepare: false })
    onCleanup(() => sql.end())
    return sql
  })
  .extend(
    'findMakers',
    perFile,
    ({ service, sql }) =>
      async () =>
        judgeMakers(await readMadeRecords(sql, service.app.sealer), owners),
  )

type Asked = { path: string; expects: (body: Answer['body']) => boolean; answer: Answer }

/** As the load asks, with the whole answer. */
async function askAll(tenant: Tenant): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const ask of questions) {
    const { by = 'api', method = 'GET', path, body, expects } = ask(tenant)
    const answer = (await tenant[by].call(method, path, body)) as Answer
    asked.push({ path, expects, answer })
  }
  return asked
}

const askerOf = ({ orgId }: Tenant) => ({ orgId, address: '10.1.0.1' })

test('each organization owns its ids, its mark, the token of its feed and the slug of its page', ({ tenants }) => {
  for (const { orgId, mark, agentId, home, standing, page, webhookId, feedPath } of tenants) {
    const token = /^\/ical\/([\w-]+)\.ics$/.exec(feedPath)?.[1] ?? ''
    for (const word of [orgId, mark, agentId, home, standing.id, page.id, page.slug, webhookId, token]) {
      assert.equal(owners.ownerOf(word), orgId, word)
    }
  }
})

test('each organization gets answers of its own', async ({ tenants }) => {
  for (const tenant of tenants) {
    for (const { path, expects, answer } of await askAll(tenant)) {
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      assert.deepEqual(foreignIn(owners, askerOf(tenant), answer, expects), [], path)
    }
  }
})

test("another one's answer to the same question is found, by what it holds and by what it lacks", async ({
  tenants,
}) => {
  const [first, second] = tenants as [Tenant, Tenant]
  const [own, foreign] = [await askAll(first), await askAll(second)]
  for (const [nth, { path, expects }] of own.entries()) {
    const { answer } = foreign[nth]!
    assert.notDeepEqual(foreignIn(owners, askerOf(first), answer, expects), [], path)
    const empty = { data: [], total: 0, agents: [], booking_page: {}, org: {}, includes: () => false }
    assert.equal(Boolean(expects(empty)), false, `${path}, without anything`)
  }
})

test('every record in the database names its own organization as its maker', async ({ tenants, findMakers }) => {
  for (const tenant of tenants) await makeAgent(tenant)
  assert.deepEqual(await findMakers(), [])
})

test('a record of another maker is found, and a record without a known maker', async ({ tenants, findMakers }) => {
  const [first, second] = tenants as [Tenant, Tenant]
  const times = { start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' }
  const made = [
    await first.api.require('POST', '/v1/agents', { name: `Agent of ${second.mark}`, type: 'ai' }),
    await first.api.require('POST', `/v1/calendars/${first.home}/events`, { title: second.mark, ...times }),
    await first.api.require('POST', '/v1/calendars', { name: 'Nameless', timezone: 'UTC' }),
  ]
  assert.equal(made.length, 3)
  const found = (await findMakers()).sort()
  assert.equal(found.length, 3, found.join('\n'))
  assert.match(
    found[0]!,
    new RegExp(`^agent [0-9a-f-]+ of ${first.orgId} was made by ${second.mark} of ${second.orgId}$`),
  )
  assert.match(found[1]!, new RegExp(`^calendar [0-9a-f-]+ of ${first.orgId} does not name its maker: Nameless$`))
  assert.match(
    found[2]!,
    new RegExp(`^event evt_\\w+ of ${first.orgId} was made by ${second.mark} of ${second.orgId}$`),
  )
})

test("an entry of the audit log under another one's key is found", async ({ tenants, sql, findMakers }) => {
  const before = await findMakers()
  const [first, second] = tenants as [Tenant, Tenant]
  await first.api.require('PATCH', `/v1/agents/${first.agentId}`, { description: `Changed by ${first.mark}` })
  const prefixOf = async ({ agentId, api }: Tenant) => {
    const { data } = await api.require('GET', '/v1/audit-log?action=agent.update')
    return data.find(({ resource }: { resource: string }) => resource === agentId).actor_key_prefix as string
  }
  const [own, foreign] = [await prefixOf(first), await prefixOf(second)]
  await sql`update audit_entries set actor_key_prefix = ${foreign} where actor_key_prefix = ${own} and action = 'agent.update'`
  const found = (await findMakers()).filter((text) => !before.includes(text))
  assert.notEqual(found.length, 0)
  for (const text of found) {
    assert.match(text, new RegExp(`^audit entry agent.update [0-9a-f-]+ of ${first.orgId} was made by ${foreign} of`))
  }
})

// The work of an operator in the place of an organization's owner.
import assert from 'node:assert/strict'
import { commandTest, refusal } from '../../src/testing/commands.ts'
import { makeAgent, makeCalendar, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'

const test = commandTest()

test("another organization's key is dead at once, and the printed one works", async ({ service, run }) => {
  const { id, key } = await makeOrganization(service)
  const other = await makeOrganization(service)
  const { json, text } = await run('orgs rekey', [id])
  assert.match(json.key, /^svc_sk_/)
  assert.ok(text.includes(json.key))
  const statusWith = async (one: string) => (await service.call('GET', '/v1/agents', { key: one })).status
  assert.deepEqual([await statusWith(key), await statusWith(json.key), await statusWith(other.key)], [401, 200, 200])
  const audited = await service.app.sql`
    select method, path from audit_entries where action = 'key.regenerate' and resource = ${json.id}`
  assert.deepEqual([...audited], [{ method: 'OPS', path: 'orgs rekey' }])
  await assert.rejects(run('orgs rekey', ['org_1']), refusal(/No such organization/))
  await assert.rejects(run('orgs rekey'), refusal(/Which organization\?/))
})

test('an identifier of a row becomes one of the API, and back', async ({ service, run }) => {
  const { id } = await makeOrganization(service)
  const { uuid } = (await run('ids', [id])).json
  const [row] = await service.app.sql`select id from organizations where id = ${uuid}`
  assert.equal(row!.id, uuid)
  const { text, json } = await run('ids', [uuid])
  assert.equal(json.org, id)
  assert.match(text, new RegExp(`^org +${id}$`, 'm'))
  await assert.rejects(run('ids', ['org_1']), refusal(/org_1 is no identifier and no UUID/))
  await assert.rejects(run('ids'), refusal(/Which identifier\?/))
})

test('a webhook is listed, switched off and on, and replayed, and nobody else’s is', async ({
  service,
  receiver,
  run,
}) => {
  const { id, key } = await makeOrganization(service, { plan: 'free' })
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  const { text, json } = await run('webhooks list', [id])
  assert.equal(json.total, 1)
  assert.match(text, new RegExp(`${webhook.id} +active +0 +- +${receiver.url}`))

  assert.equal((await run('webhooks off', [id, webhook.id])).json.active, false)
  await makeAgent(service, key)
  await service.drain()
  assert.equal(receiver.received.length, 0)
  assert.equal((await run('webhooks on', [id, webhook.id])).json.active, true)

  receiver.answer = () => 500
  await makeAgent(service, key)
  for (const minutes of [0, 1, 5, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  receiver.answer = () => 204
  const failed = receiver.received.length
  const from = new Date(service.clock.now().getTime() - 3_600_000).toISOString()
  assert.equal((await run('webhooks replay', [id, webhook.id], { from })).json.matched, 1)
  await service.drain()
  assert.equal(receiver.received.length, failed + 1)

  const other = await makeOrganization(service)
  await assert.rejects(run('webhooks off', [other.id, webhook.id]), refusal(/No such webhook/))
  await assert.rejects(run('webhooks replay', [id, webhook.id]), refusal(/^--from is required$/))
  await assert.rejects(run('webhooks replay', [id, webhook.id], { from: 'yesterday' }), refusal(/^--from: /))
  await assert.rejects(run('webhooks off', [id]), refusal(/Which webhook\?/))
})

test('subscriptions that cannot be read are listed with the reason', async ({ service, run }) => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { id: calendar_id } = await makeCalendar(service, key, agent.id)
  const { body } = await service.call('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
    key,
    body: { calendar_id, url: `${service.baseUrl}/no-calendar.ics` },
  })
  await service.drain()
  const { json, text } = await run('feeds failing')
  const found = json.find((one: { id: string }) => one.id === body.id)
  assert.deepEqual([found.org_id, found.last_synced_at], [id, null])
  assert.match(found.last_error, /404/)
  assert.ok(text.includes(body.id))
})

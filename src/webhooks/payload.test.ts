// Where a delivery has its payload from.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeWebhook } from '../testing/factories.ts'
import { serviceTest } from '../testing/test.ts'
import { ownPayloadContext } from './payload.ts'

const test = serviceTest()

test('a payload is stored once, however many receive it', async ({ service, key, organization, receiver }) => {
  for (const path of ['one', 'two', 'three'])
    await makeWebhook(service, key, `${receiver.url}/${path}`, ['agent.created'])
  await makeAgent(service, key)
  const orgId = decodeId('org', organization.id)!
  const deliveries = await service.app.sql<{ payloadSealed: Buffer | null; seq: string }[]>`
    select payload_sealed, seq::text from webhook_deliveries where org_id = ${orgId}`
  const entries = await service.app.sql<{ seq: string }[]>`select seq::text from changes where org_id = ${orgId}`
  assert.equal(entries.length, 1)
  assert.deepEqual(
    deliveries.map(({ payloadSealed, seq }) => [payloadSealed, seq]),
    Array.from({ length: 3 }, () => [null, entries[0]!.seq]),
  )
  await service.drain()
  assert.equal(new Set(receiver.received.map(({ raw }) => raw)).size, 1)
  assert.equal(receiver.received.length, 3)
})

test('a delivery from before there were entries is sent with its own payload, and its history shows it', async ({
  service,
  key,
  receiver,
}) => {
  const { app } = service
  const webhook = await makeWebhook(service, key, `${receiver.url}/old`, ['agent.created'])
  await makeAgent(service, key)
  const subscriptionId = decodeId('whk', webhook.id)!
  const [row] = await app.sql<{ changeId: never; position: number }[]>`
    select change_id, position from webhook_deliveries where subscription_id = ${subscriptionId}`
  const own = app.sealer.seal(ownPayloadContext(row!.changeId, row!.position), '{"agent":{"name":"Of before"}}')
  await app.sql`
    update webhook_deliveries set payload_sealed = ${own}, seq = null where subscription_id = ${subscriptionId}`
  await service.drain()
  const sent = receiver.received.find(({ path }) => path.endsWith('/old'))
  assert.equal(sent?.raw, '{"agent":{"name":"Of before"}}')
  const history = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?include_payload=true`, { key })
  assert.deepEqual(history.body.data[0].payload, { agent: { name: 'Of before' } })
})

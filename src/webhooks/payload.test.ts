// Where a delivery has its payload from.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeWebhook } from '../testing/factories.ts'
import { serviceTest } from '../testing/test.ts'

const test = serviceTest()

test('a payload is stored once, however many receive it', async ({ service, key, organization, receiver }) => {
  for (const path of ['one', 'two', 'three'])
    await makeWebhook(service, key, `${receiver.url}/${path}`, ['agent.created'])
  await makeAgent(service, key)
  const orgId = decodeId('org', organization.id)!
  const deliveries = await service.app.sql<{ seq: string }[]>`
    select seq::text from webhook_deliveries where org_id = ${orgId}`
  const entries = await service.app.sql<{ seq: string }[]>`select seq::text from changes where org_id = ${orgId}`
  assert.equal(entries.length, 1)
  assert.deepEqual(
    deliveries.map(({ seq }) => seq),
    Array.from({ length: 3 }, () => entries[0]!.seq),
  )
  await service.drain()
  assert.equal(new Set(receiver.received.map(({ raw }) => raw)).size, 1)
  assert.equal(receiver.received.length, 3)
})

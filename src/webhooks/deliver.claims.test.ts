import assert from 'node:assert/strict'
import { openHttp } from '../outbound/http.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { deliveryTest, type Looked, openGate } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { claimDeliveries } from './attempts.ts'
import { openDeliverer } from './deliver.ts'

const test = deliveryTest()

test('a delivery that was claimed and never recorded is sent again under the same id', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe, duePayloads },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const [payload] = await duePayloads({ id, key })
  const claimed = await claimDeliveries(service.app.sql, [payload!], 15_000)
  assert.equal(claimed.length, 1)
  await service.clock.advance(14_000)
  await service.drain()
  assert.equal(receiver.received.length, 0)
  await service.clock.advance(1_000)
  await service.drain()
  assert.equal(receiver.received.length, 1)
  const delivery = await onlyDelivery(key, webhook.id)
  assert.equal(delivery.id, receiver.received[0]?.deliveryId)
  assert.deepEqual([delivery.status, delivery.attempts], ['delivered', 2])
})

test('a delivery whose worker dies in the last attempt is still decided', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe, duePayloads },
}) => {
  const receiver = await newReceiver(() => 500)
  const { key, id, webhook } = await subscribe(receiver, { plan: 'free' })
  await makeAgent(service, key)
  await service.drain()
  for (const minutes of [1, 5]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  await service.clock.advance(30 * minuteMs)
  const [payload] = await duePayloads({ id, key })
  assert.equal((await claimDeliveries(service.app.sql, [payload!], 15_000)).length, 1)
  await service.clock.advance(15_000)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['failed', 4, 4])
})

test('several workers that are woken for one delivery send it once', async ({
  service,
  second,
  newReceiver,
  desk: { onlyDelivery, subscribe, duePayloads },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const [payload] = await duePayloads({ id, key })
  const workers = [openDeliverer(service.app), openDeliverer(second.app)]
  await Promise.all([0, 1, 0, 1, 0, 1].map((worker) => workers[worker]!.deliver(payload!)))
  assert.equal(receiver.received.length, 1)
  assert.equal((await onlyDelivery(key, webhook.id)).attempts, 1)
})

test('a worker that closes claims nothing more, and its open attempts are made again', async ({
  service,
  newReceiver,
  desk: { readWebhook, removeWebhook, history, subscribe, makeAgents, duePayloads },
}) => {
  const ten = openGate()
  const receiver = await newReceiver(() => {
    if (receiver.received.length === 10) ten.open()
    return 'hang'
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const http = openHttp({ trustedHosts: service.app.config.trustedHosts })
  const { deliver } = openDeliverer({ ...service.app, http })
  const all = (await duePayloads({ id, key })).map(deliver)
  await ten.opened
  await http.close()
  await Promise.all(all)
  const { data } = await history(key, webhook.id)
  assert.deepEqual(data.map(({ attempts }: Looked) => attempts).sort(), [...Array(4).fill(0), ...Array(10).fill(1)])
  const { consecutiveFailures } = await readWebhook(key, webhook.id)
  assert.equal(consecutiveFailures, 0)
  receiver.answer = () => 200
  assert.equal((await duePayloads({ id, key })).length, 4)
  await service.clock.advance(15_000)
  assert.equal((await duePayloads({ id, key })).length, 14)
  await removeWebhook(key, webhook.id)
})

test('a delivery that cannot be claimed and one that cannot be decrypted do not stop the others', async ({
  service,
  newReceiver,
  desk: { removeWebhook, history, subscribe, makeAgents, duePayloads },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const payloads = await duePayloads({ id, key })
  const [poisoned, unreadable] = payloads.map(({ deliveryId }) => deliveryId) as [Uuid, Uuid]
  const { sql } = service.app
  await sql`update webhook_deliveries set payload_sealed = '\\x00' where id = ${unreadable}`
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''poisoned''; end'`
  await sql.unsafe(`create trigger poison before update on webhook_deliveries for each row
    when (new.id = '${poisoned}') execute function refuse()`)
  const { deliver } = openDeliverer(service.app)
  await Promise.all(payloads.map(deliver))
  assert.equal(receiver.received.length, 12)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 2, delivered: 12, failed: 0 })
  await sql`drop trigger poison on webhook_deliveries`
  await sql`drop function refuse`
  await removeWebhook(key, webhook.id)
})

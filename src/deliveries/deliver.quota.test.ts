import assert from 'node:assert/strict'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { decodeId } from '../shapes/ids.ts'
import { deliveryTest, holdEvents, type Looked } from '../testing/deliveries.ts'
import { makeAgent, makeWebhook } from '../testing/factories.ts'
import { adminToken } from '../testing/harness.ts'
import { forgetKeys } from '../testing/redisKeys.ts'
import { openDeliverer } from './deliver.ts'

const test = deliveryTest()

test('concurrent first attempts use exactly what is left of the month, and the rest is recorded as failed', async ({
  service,
  second,
  newReceiver,
  desk: { readWebhook, removeWebhook, history, subscribe, makeAgents, serve },
}) => {
  const receiver = await newReceiver()
  const limits = { webhook_deliveries: 7 }
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom', limits })
  // Two lanes, so that both workers charge at the same time.
  const beside = await makeWebhook(service, key, `${receiver.url}/beside`, ['agent.created'])
  await makeAgents(key, 8)
  await serve({ id }, openDeliverer(service.app), openDeliverer(second.app))
  assert.equal(receiver.received.length, 7)
  const histories = [await history(key, webhook.id), await history(key, beside.id)]
  const sum = (status: string) => histories[0].stats[status] + histories[1].stats[status]
  assert.deepEqual([sum('pending'), sum('delivered'), sum('failed')], [0, 7, 9])
  await removeWebhook(key, beside.id)
  const { delivered, failed } = histories[0].stats
  const data = histories.flatMap((one) => one.data)
  for (const delivery of data.filter(({ status }: Looked) => status === 'failed')) {
    assert.deepEqual([delivery.attempts, delivery.last_attempt_at, delivery.next_retry_at], [0, null, null])
  }
  // The receiver has not failed: the subscription's failures stay as they were.
  const { consecutiveFailures, active } = await readWebhook(key, webhook.id)
  assert.deepEqual([consecutiveFailures, active], [0, true])

  // Redis forgets; Postgres knows.
  const counter = `${service.app.config.redisPrefix}:{${decodeId('org', id)}}:webhook_deliveries:*`
  await forgetKeys(service.app.redis, counter)
  await makeAgent(service, key)
  await service.drain()
  assert.equal(receiver.received.length, 7)
  await service.call('PATCH', `/v1/admin/orgs/${id}`, {
    key: adminToken,
    body: { plan: 'custom', limits: { webhook_deliveries: 9 } },
  })
  await makeAgents(key, 4)
  await service.drain()
  assert.equal(receiver.received.length, 9)
  assert.deepEqual((await history(key, webhook.id)).stats, {
    pending: 0,
    delivered: delivered + 2,
    failed: failed + 3,
  })
})

test('a retry costs nothing, and the next month has its deliveries again', async ({
  service,
  newReceiver,
  desk: { history, subscribe },
}) => {
  let status = 500
  const receiver = await newReceiver(() => status)
  const { key, webhook } = await subscribe(receiver, { plan: 'custom', limits: { webhook_deliveries: 1 } })
  await makeAgent(service, key)
  await service.drain()
  status = 200
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 1, failed: 0 })
  await makeAgent(service, key)
  await service.drain()
  assert.equal(receiver.received.length, 2)
  await service.clock.advance(30 * dayMs)
  await makeAgent(service, key)
  await service.drain()
  assert.equal(receiver.received.length, 3)
})

test('over the quota the next event of the same change is recorded as failed too', async ({
  service,
  newReceiver,
  desk: { history, subscribe, preempt },
}) => {
  const receiver = await newReceiver()
  const limits = { webhook_deliveries: 2 }
  const { key, webhook } = await subscribe(receiver, { plan: 'custom', limits, events: holdEvents })
  await preempt(key)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created', 'event.hold_expired'])
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 2, failed: 1 })
  assert.deepEqual([data[0].event_type, data[0].status, data[0].attempts], ['event.hold_created', 'failed', 0])
})

test('without Redis the quota is counted in Postgres', async ({
  service,
  withoutRedis,
  newReceiver,
  desk: { history, subscribe, serve },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom', limits: { webhook_deliveries: 2 } })
  const deliverer = openDeliverer(withoutRedis.app)
  for (let index = 0; index < 4; index++) {
    await makeAgent(service, key)
    await serve({ id }, deliverer)
  }
  assert.equal(receiver.received.length, 2)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 2, failed: 2 })
})

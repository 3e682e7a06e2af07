import assert from 'node:assert/strict'
import { minuteMs } from '../shapes/durations.ts'
import { decodeId } from '../shapes/ids.ts'
import { deliveryTest, holdEvents } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'

const test = deliveryTest()

test('the events of one change leave in order: a failed delivery holds back the next one', async ({
  service,
  newReceiver,
  desk: { removeWebhook, history, subscribe, preempt },
}) => {
  let status = 500
  const receiver = await newReceiver(({ type }) => (type === 'event.hold_expired' ? status : 200))
  const { key, webhook } = await subscribe(receiver, { plan: 'custom', events: holdEvents })
  const { lost, won } = await preempt(key)
  await service.drain()
  const lostOnes = () => receiver.received.filter(({ payload }) => payload.event_id === lost.id)
  const wonOnes = () => receiver.received.filter(({ payload }) => payload.event?.id === won.id)
  assert.deepEqual([lostOnes().length, wonOnes().length], [1, 0])
  const [last] = (await history(key, webhook.id)).data
  assert.deepEqual(
    [last.event_type, last.status, last.attempts, last.next_retry_at],
    ['event.hold_created', 'pending', 0, null],
  )
  status = 204
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual([lostOnes().length, wonOnes().length], [2, 1])
  assert.deepEqual(receiver.types(), [
    'event.hold_created',
    'event.hold_expired',
    'event.hold_expired',
    'event.hold_created',
  ])
  await removeWebhook(key, webhook.id)
})

test('a delivery that failed for good releases the next one of its change', async ({
  service,
  newReceiver,
  desk: { removeWebhook, history, subscribe, preempt },
}) => {
  const receiver = await newReceiver(({ type }) => (type === 'event.hold_expired' ? 500 : 200))
  const { key, id, webhook } = await subscribe(receiver, { plan: 'pro', events: holdEvents })
  await preempt(key)
  const org = decodeId('org', id)!
  await service.app.sql`update webhook_deliveries set retry_schedule = '{60}' where org_id = ${org}`
  await service.drain()
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual(receiver.types(), [
    'event.hold_created',
    'event.hold_expired',
    'event.hold_expired',
    'event.hold_created',
  ])
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 2, failed: 1 })
  await removeWebhook(key, webhook.id)
})

test('a failed delivery does not hold back other changes', async ({
  service,
  newReceiver,
  desk: { removeWebhook, history, subscribe },
}) => {
  let failed = false
  const receiver = await newReceiver(() => {
    const status = failed ? 200 : 500
    failed = true
    return status
  })
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  await makeAgent(service, key)
  await service.drain()
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 1, delivered: 1, failed: 0 })
  await removeWebhook(key, webhook.id)
})

import assert from 'node:assert/strict'
import { openLog } from '../observability/log.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { decodeId } from '../shapes/ids.ts'
import { deliveryTest } from '../testing/deliveries.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { openDeliverer } from './deliver.ts'

const test = deliveryTest()

test('failures in a row are counted from the first one, and a success sets them to zero', async ({
  service,
  newReceiver,
  desk: { readWebhook, removeWebhook, subscribe, makeAgents },
}) => {
  let status = 500
  const receiver = await newReceiver(() => status)
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const first = service.clock.now().toISOString()
  const counts = async () => {
    const { active, consecutiveFailures, firstFailureAt } = await readWebhook(key, webhook.id)
    return [active, consecutiveFailures, firstFailureAt]
  }
  assert.deepEqual(await counts(), [true, 1, first])
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual(await counts(), [true, 2, first])
  // Two failures of one batch both count.
  await makeAgents(key, 2)
  await service.drain()
  assert.deepEqual(await counts(), [true, 4, first])
  status = 200
  await service.clock.advance(5 * minuteMs)
  await service.drain()
  assert.deepEqual(await counts(), [true, 0, null])
  status = 500
  await service.clock.advance(minuteMs)
  await makeAgent(service, key)
  await service.drain()
  assert.deepEqual(await counts(), [true, 1, service.clock.now().toISOString()])
  await removeWebhook(key, webhook.id)
})

test('the log tells when a webhook begins to fail, once, without its address', async ({
  service,
  newReceiver,
  desk: { removeWebhook, subscribe, makeAgents, serve },
}) => {
  let status = 401
  const receiver = await newReceiver(() => status)
  const { key, id, webhook } = await subscribe(receiver)
  const lines: string[] = []
  const log = openLog('info', 'test', { write: (line) => lines.push(line) })
  const deliverer = openDeliverer({ ...service.app, log })
  const attemptAll = () => serve({ id }, deliverer)
  const told = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .map(({ message, webhook: one, outcome, http_status }) => [message, one, outcome, http_status])

  // Two first failures of one batch are logged once.
  await makeAgents(key, 2)
  await attemptAll()
  assert.deepEqual(told(), [['a webhook began to fail', webhook.id, 'refused', 401]])
  await service.clock.advance(minuteMs)
  await attemptAll()
  assert.deepEqual(told(), [])
  status = 200
  await service.clock.advance(5 * minuteMs)
  await attemptAll()
  await receiver.close()
  await makeAgent(service, key)
  await attemptAll()
  assert.deepEqual(told(), [['a webhook began to fail', webhook.id, 'connect', undefined]])
  await removeWebhook(key, webhook.id)
})

test('fifty failures in a row switch a subscription off, tell the others, and park what is pending', async ({
  service,
  newReceiver,
  desk: { readWebhook, patchWebhook, history, subscribe, makeAgents },
}) => {
  let status = 500
  const failing = await newReceiver(() => status)
  const watching = await newReceiver()
  const { key, webhook } = await subscribe(failing)
  const { key: strangersKey } = await makeOrganization(service)
  const stranger = await newReceiver()
  await makeWebhook(service, strangersKey, stranger.url, ['webhook.deactivated'])
  await patchWebhook(key, webhook.id, { events: ['agent.created', 'webhook.deactivated'] })
  await makeWebhook(service, key, watching.url, ['webhook.deactivated'])
  const inactive = await makeWebhook(service, key, `${watching.url}/off`, ['webhook.deactivated'])
  await patchWebhook(key, inactive.id, { active: false })
  await makeWebhook(service, key, `${watching.url}/other`, ['agent.updated'])
  // Each of 7 fails 7 times in the first three hours and more: 49 failures.
  await makeAgents(key, 7)
  await service.drain()
  for (const minutes of [1, 5, 30, 60, 120, 360]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  const before = await readWebhook(key, webhook.id)
  assert.deepEqual([before.active, before.consecutiveFailures], [true, 49])
  assert.equal(watching.received.length, 0)

  await makeAgent(service, key, { name: 'The fiftieth' })
  await service.drain()
  const off = await readWebhook(key, webhook.id)
  assert.deepEqual([off.active, off.consecutiveFailures], [false, 50])
  assert.deepEqual(watching.types(), ['webhook.deactivated'])
  assert.deepEqual(watching.received[0]?.payload, {
    webhook_id: webhook.id,
    url: failing.url,
    reason: 'consecutive_failures',
  })
  assert.equal(stranger.received.length, 0)
  assert.equal(failing.types().includes('webhook.deactivated'), false)

  // Nothing more is sent, however much later; what happens now is not for this subscription.
  const sent = failing.received.length
  await makeAgent(service, key, { name: 'Unheard' })
  await service.clock.advance(dayMs)
  await service.drain()
  assert.equal(failing.received.length, sent)
  const waiting = await history(key, webhook.id)
  assert.deepEqual(waiting.stats, { pending: 8, delivered: 0, failed: 0 })
  for (const delivery of waiting.data) assert.equal(delivery.next_retry_at, null)

  status = 200
  const on = (await patchWebhook(key, webhook.id, { active: true })).body
  assert.deepEqual([on.active, on.consecutiveFailures, on.firstFailureAt], [true, 0, null])
  await service.drain()
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 8, failed: 0 })
  assert.equal(failing.received.length, sent + 8)
  assert.equal(
    failing.received.some(({ payload }) => payload.agent.name === 'Unheard'),
    false,
  )
})

test('fifty failures at once switch a subscription off once', async ({
  service,
  newReceiver,
  desk: { readWebhook, subscribe, makeAgents },
}) => {
  const failing = await newReceiver(() => 500)
  const watching = await newReceiver()
  const { key, webhook } = await subscribe(failing, { plan: 'custom' })
  await makeWebhook(service, key, watching.url, ['webhook.deactivated'])
  await makeAgents(key, 70)
  await service.drain()
  const { active, consecutiveFailures } = await readWebhook(key, webhook.id)
  assert.equal(active, false)
  assert.ok(consecutiveFailures >= 50 && consecutiveFailures < 60, String(consecutiveFailures))
  assert.equal(watching.received.length, 1)
  // Posts beyond the fiftieth were in flight.
  assert.ok(failing.received.length < 60, String(failing.received.length))
})

test('a delivery of a subscription that was switched off by hand waits until it is switched on', async ({
  service,
  newReceiver,
  desk: { patchWebhook, onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await patchWebhook(key, webhook.id, { active: false })
  await service.drain()
  assert.equal(receiver.received.length, 0)
  assert.equal((await onlyDelivery(key, webhook.id)).next_retry_at, null)
  await patchWebhook(key, webhook.id, { active: true })
  await service.drain()
  assert.equal(receiver.received.length, 1)
})

test('a delivery that comes due while its subscription is off is parked', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  // As if it had been emitted at the very moment of the switch.
  await service.app.sql`update webhook_subscriptions set active = false where id = ${decodeId('whk', webhook.id)!}`
  await service.drain()
  const delivery = await onlyDelivery(key, webhook.id)
  assert.deepEqual([delivery.status, delivery.attempts, delivery.next_retry_at], ['pending', 0, null])
  assert.equal(receiver.received.length, 0)
})

test('a pending delivery of a removed subscription is never sent', async ({
  service,
  newReceiver,
  desk: { removeWebhook, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await removeWebhook(key, webhook.id)
  await service.drain()
  assert.equal(receiver.received.length, 0)
})

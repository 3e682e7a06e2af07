import assert from 'node:assert/strict'
import { minuteMs } from '../../src/shapes/durations.ts'
import { deliveryTest, type Looked, openGate } from '../../src/testing/deliveries.ts'
import { makeAgent, makeCalendar, makeHold, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { unknownWebhook } from '../../src/testing/webhooks.ts'

const test = deliveryTest().extend(
  'resend',
  { scope: 'file' },
  ({ call }) =>
    (key: string, webhookId: string, id: string) =>
      call('POST', `/v1/webhooks/${webhookId}/deliveries/${id}/resend`, { key }),
)

test('a delivery goes out again under its id, with the same bytes and a new signature, and one attempt more', async ({
  service,
  newReceiver,
  resend,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const before = await onlyDelivery(key, webhook.id)
  await service.clock.advance(minuteMs)
  const { status, body } = await resend(key, webhook.id, before.id)
  assert.equal(status, 202)
  assert.deepEqual(body, { ...before, status: 'pending', next_retry_at: service.clock.now().toISOString() })
  assert.deepEqual(await onlyDelivery(key, webhook.id), body)
  await service.drain()
  const [first, again] = receiver.received as [Looked, Looked]
  assert.equal(receiver.received.length, 2)
  assert.deepEqual([again.raw, again.deliveryId], [first.raw, first.deliveryId])
  assert.notEqual(again.headers['x-signature'], first.headers['x-signature'])
  const after = await onlyDelivery(key, webhook.id)
  assert.deepEqual([after.status, after.attempts], ['delivered', 2])
  const { body: log } = await service.call('GET', '/v1/audit-log?action=webhook.update', { key })
  assert.deepEqual(
    log.data.map(({ resource }: Looked) => resource),
    [before.id],
  )
})

test('what has ended gets exactly one attempt more, however it ends; what is refused changes nothing', async ({
  service,
  newReceiver,
  resend,
  desk: { history, onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver(() => 500)
  const { key, webhook } = await subscribe(receiver, { plan: 'free' })
  await makeAgent(service, key)
  await service.drain()
  for (const minutes of [1, 5, 30]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  const { id, status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['failed', 4])
  for (const nth of [5, 6]) {
    await resend(key, webhook.id, id)
    await service.drain()
    const after = await onlyDelivery(key, webhook.id)
    assert.deepEqual([after.status, after.attempts, receiver.received.length], ['failed', nth, nth])
  }
  receiver.answer = () => 200
  await resend(key, webhook.id, id)
  await service.drain()
  // Delivered with attempts of its plan left: still only one more.
  receiver.answer = () => 500
  await resend(key, webhook.id, id)
  await service.drain()
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual([data[0].status, data[0].attempts], ['failed', 8])
  assert.deepEqual(stats, { pending: 0, delivered: 0, failed: 1 })
})

test('one that waits for its retry is sent now, and keeps the retries of its plan', async ({
  service,
  newReceiver,
  resend,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver(() => 500)
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const { id } = await onlyDelivery(key, webhook.id)
  assert.equal((await resend(key, webhook.id, id)).status, 202)
  // It is due, and may be asked for again until its attempt begins.
  assert.equal((await resend(key, webhook.id, id)).status, 202)
  await service.drain()
  const { attempts, next_retry_at } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([attempts, next_retry_at], [2, new Date(service.clock.now().getTime() + 5 * minuteMs).toISOString()])
})

test('it is refused during an attempt, while the webhook is off, and behind its predecessor', async ({
  service,
  newReceiver,
  resend,
  desk: { history, patchWebhook },
}) => {
  const [arrived, answered] = [openGate(), openGate()]
  const receiver = await newReceiver(async () => {
    arrived.open()
    await answered.opened
    return 500
  })
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.hold_expired', 'event.hold_created'])
  const calendar = await makeCalendar(service, key)
  await makeHold(service, key, calendar.id)
  const sending = service.drain()
  await arrived.opened
  const [{ id }] = (await history(key, webhook.id)).data
  assertRefused(await resend(key, webhook.id, id), 409, 'conflict')
  answered.open()
  await sending
  assert.equal((await history(key, webhook.id)).data[0].attempts, 1)

  await makeHold(service, key, calendar.id, { hold_priority: 5 })
  const [created, expired] = (await history(key, webhook.id)).data
  assert.deepEqual([expired.event_type, created.event_type], ['event.hold_expired', 'event.hold_created'])
  assertRefused(await resend(key, webhook.id, created.id), 409, 'conflict')
  await patchWebhook(key, webhook.id, { active: false })
  assertRefused(await resend(key, webhook.id, expired.id), 409, 'conflict')
})

test('a delivery of another webhook, and one that never was, is 404', async ({
  service,
  newReceiver,
  resend,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const [one, other] = [await subscribe(receiver), await subscribe(receiver)]
  const second = await makeWebhook(service, one.key, `${receiver.url}/second`, ['agent.updated'])
  await makeAgent(service, one.key)
  await service.drain()
  const { id } = await onlyDelivery(one.key, one.webhook.id)
  const unknown = unknownWebhook.replace('whk_', 'whd_')
  for (const [key, webhookId, whd] of [
    [one.key, second.id, id],
    [one.key, one.webhook.id, unknown],
    [one.key, one.webhook.id, 'whd_1'],
    [one.key, unknownWebhook, id],
    [other.key, one.webhook.id, id],
    [other.key, other.webhook.id, id],
  ]) {
    assertRefused(await resend(key!, webhookId!, whd!), 404, 'not_found')
  }
  assert.equal((await onlyDelivery(one.key, one.webhook.id)).status, 'delivered')
})

test('only what was never posted is charged', async ({
  service,
  newReceiver,
  resend,
  desk: { history, patchWebhook },
}) => {
  const receiver = await newReceiver()
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { webhook_deliveries: 1 } })
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  for (const name of ['One', 'Two']) await makeAgent(service, key, { name })
  await service.drain()
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body.webhooks.used
  const [{ id: never }, { id: posted }] = (await history(key, webhook.id)).data.toSorted(
    (a: Looked, b: Looked) => a.attempts - b.attempts,
  )
  assert.equal(await used(), 1)
  await resend(key, webhook.id, posted)
  await service.drain()
  assert.deepEqual([receiver.received.length, await used()], [2, 1])
  await resend(key, webhook.id, never)
  await service.drain()
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 1, failed: 1 })
  assert.equal(data.find((one: Looked) => one.id === never).attempts, 0)
  assert.deepEqual([receiver.received.length, await used()], [2, 1])
  await patchWebhook(key, webhook.id, { active: false })
})

test('resends at one moment are one delivery, and each is answered', async ({
  service,
  newReceiver,
  resend,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const { id } = await onlyDelivery(key, webhook.id)
  const answers = await Promise.all(Array.from({ length: 10 }, () => resend(key, webhook.id, id)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(202),
  )
  await service.drain()
  assert.deepEqual([receiver.received.length, (await onlyDelivery(key, webhook.id)).attempts], [2, 2])
})

import assert from 'node:assert/strict'
import { deliveryTest, type Looked } from '../../src/testing/deliveries.ts'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

const test = deliveryTest()

const unknown = 'whd_01k9xr8m3fe8tbc4x9m2v7h5qd'

test('a delivery shows the payload, the headers of its last attempt, and how each attempt ended', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery },
}) => {
  const receiver = await newReceiver(() => 503)
  receiver.body = `try later ${'é'.repeat(600)}`
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key, { name: 'Größe "M"' })
  const record = await onlyDelivery(key, webhook.id)
  const path = `/v1/webhooks/${webhook.id}/deliveries/${record.id}`
  const read = async (): Promise<Looked> => (await call('GET', path, { key })).body
  const { payload, ...waiting } = await read()
  assert.deepEqual(waiting, { ...record, request_headers: null, attempt_log: [] })

  const first = service.clock.now().toISOString()
  await service.drain()
  receiver.answer = () => 200
  receiver.body = 'ok'
  await service.clock.advance(60_000)
  await service.drain()
  const shown = await read()
  assert.deepEqual(
    shown.attempt_log.map(({ duration_ms, ...attempt }: Looked) => {
      assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
      return attempt
    }),
    [
      { at: first, outcome: 'refused', http_status: 503, body_start: `try later ${'é'.repeat(490)}` },
      { at: service.clock.now().toISOString(), outcome: 'delivered', http_status: 200, body_start: 'ok' },
    ],
  )
  assert.equal(shown.status, 'delivered')
  assert.deepEqual(shown.payload, payload)
  const { host: _, connection: __, 'content-length': ___, ...sent } = receiver.received.at(-1)!.headers
  assert.equal(JSON.stringify(shown.payload), receiver.received[0]!.raw)
  assert.deepEqual(shown.request_headers, sent)

  // Sent again, and nobody answers.
  receiver.answer = () => 'hang up'
  assert.equal((await call('POST', `${path}/resend`, { key })).status, 202)
  await service.drain()
  const { attempt_log: log } = await read()
  assert.equal(log.length, 3)
  assert.deepEqual([log[2].outcome, log[2].http_status, log[2].body_start], ['reset', null, null])
})

test('during an overlap both signatures are shown as they were sent, and none once the webhook has changed', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery, patchWebhook },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  assert.equal((await patchWebhook(key, webhook.id, { standard: true })).status, 200)
  const rotate = (body: object) => call('POST', `/v1/webhooks/${webhook.id}/secret/rotate`, { key, body })
  assert.equal((await rotate({ overlap_seconds: 3_600 })).status, 200)
  await makeAgent(service, key)
  await service.drain()
  const path = `/v1/webhooks/${webhook.id}/deliveries/${(await onlyDelivery(key, webhook.id)).id}`
  const { host: _, connection: __, 'content-length': ___, ...sent } = receiver.received[0]!.headers
  assert.ok(sent['x-signature-next'] && sent['webhook-signature'])
  assert.deepEqual((await call('GET', path, { key })).body.request_headers, sent)
  await service.clock.advance(1_000)
  assert.equal((await rotate({ overlap_seconds: 0, force: true })).status, 200)
  const { 'x-signature': a, 'x-signature-next': b, 'webhook-signature': c, ...unsigned } = sent
  assert.deepEqual((await call('GET', path, { key })).body.request_headers, unsigned)
})

test('the secret of an overlap that is over leaves no wrong signature behind', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const body = { overlap_seconds: 60 }
  assert.equal((await call('POST', `/v1/webhooks/${webhook.id}/secret/rotate`, { key, body })).status, 200)
  await makeAgent(service, key)
  await service.drain()
  await service.clock.advance(61_000)
  await upkeepHandlers(service.app).purge({ hour: 0 })
  const path = `/v1/webhooks/${webhook.id}/deliveries/${(await onlyDelivery(key, webhook.id)).id}`
  const { request_headers: headers } = (await call('GET', path, { key })).body
  assert.equal(headers['x-delivery-id'], receiver.received[0]!.deliveryId)
  assert.equal('x-signature' in headers, false)
})

test('that of another webhook or organization, or none at all, is not found', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const agent = await makeAgent(service, key)
  const { id } = await onlyDelivery(key, webhook.id)
  const other = await subscribe(await newReceiver())
  const stranger = await makeOrganization(service)
  const path = `/v1/webhooks/${webhook.id}/deliveries/${id}`
  for (const [one, by] of [
    [path, stranger.key],
    [`/v1/webhooks/${other.webhook.id}/deliveries/${id}`, other.key],
    [`/v1/webhooks/${webhook.id}/deliveries/${unknown}`, key],
    [`/v1/webhooks/${webhook.id}/deliveries/x`, key],
  ] as const) {
    assertRefused(await call('GET', one, { key: by }), 404, 'not_found')
  }
  assertRefused(await call('GET', path, { key: await makeAgentKey(service, key, agent.id) }), 403, 'forbidden')
})

test('a log keeps the last fifty attempts', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const path = `/v1/webhooks/${webhook.id}/deliveries/${(await onlyDelivery(key, webhook.id)).id}`
  for (let nth = 2; nth <= 52; nth++) {
    receiver.body = `${nth}`
    assert.equal((await call('POST', `${path}/resend`, { key })).status, 202)
    await service.drain()
  }
  const { attempts, attempt_log: log } = (await call('GET', path, { key })).body
  assert.deepEqual([attempts, log.length, log[0].body_start, log[49].body_start], [52, 50, '3', '52'])
})

// Test deliveries: one attempt now, with the example of the reference, that is written nowhere.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { secondsToWait } from '../../src/quotas/throttle.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { deliveryTest, type Looked } from '../../src/testing/deliveries.ts'
import { makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { openProcess } from '../../src/testing/process.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { unknownWebhook } from '../../src/testing/webhooks.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'
import { webhookEvents } from './webhookEvents.ts'

const test = deliveryTest().extend(
  'tryOut',
  { scope: 'file' },
  ({ call }) =>
    (key: string, id: string, body: object = {}) =>
      call('POST', `/v1/webhooks/${id}/test`, { key, body }),
)

test('it sends the example of the type, signed and marked, and answers how that went', async ({
  service,
  newReceiver,
  tryOut,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver(() => 204)
  const { key, webhook } = await subscribe(receiver)
  const { status, body } = await tryOut(key, webhook.id)
  assert.equal(status, 200)
  const { duration_ms, ...rest } = body
  assert.deepEqual(rest, { delivered: true, outcome: 'delivered', http_status: 204, body_start: '' })
  assert.ok(Number.isInteger(duration_ms))
  const [{ headers, raw, payload, deliveryId, type }] = receiver.received as [Looked]
  assert.deepEqual([type, headers['x-service-test']], ['agent.created', 'true'])
  assert.deepEqual(payload, webhookEvents['agent.created'].example)
  assert.match(deliveryId, /^whd_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const hmac = createHmac('sha256', webhook.secret).update(`${headers['x-timestamp']}.${raw}`).digest('hex')
  assert.equal(headers['x-signature'], `sha256=${hmac}`)
  for (const asked of eventTypes) {
    await service.clock.advance(1_000)
    await tryOut(key, webhook.id, { type: asked })
    assert.deepEqual(receiver.received.at(-1)!.payload, webhookEvents[asked].example)
  }
})

test('it counts nowhere, and works while the webhook is off', async ({
  service,
  newReceiver,
  tryOut,
  desk: { history, patchWebhook, readWebhook, subscribe },
}) => {
  const receiver = await newReceiver(() => 500)
  const { key, webhook } = await subscribe(receiver)
  await patchWebhook(key, webhook.id, { active: false })
  const { body } = await tryOut(key, webhook.id)
  assert.deepEqual([body.delivered, body.outcome, body.http_status], [false, 'refused', 500])
  assert.equal(receiver.received.length, 1)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 0, failed: 0 })
  assert.equal((await readWebhook(key, webhook.id)).consecutiveFailures, 0)
  const { body: health } = await service.call('GET', `/v1/webhooks/${webhook.id}/health`, { key })
  assert.deepEqual([health.state, health.attempts, health.last_failure], ['disabled', 0, null])
  assert.equal((await service.call('GET', '/v1/usage', { key })).body.webhooks.used, 0)
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal(receiver.received.length, 1)
})

test('without an answer it says why, and shows the beginning of an answer', async ({
  service,
  newReceiver,
  tryOut,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await receiver.close()
  const { body } = await tryOut(key, webhook.id)
  assert.deepEqual([body.delivered, body.outcome, body.http_status, body.body_start], [false, 'connect', null, null])
  const server = createServer((_req, res) =>
    res.writeHead(302, { location: 'https://example.com/' }).end('ü'.repeat(2_000)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const talkative = await makeWebhook(service, key, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, [
    'agent.created',
  ])
  const answered = await tryOut(key, talkative.id)
  server.closeAllConnections()
  server.close()
  assert.deepEqual(
    [answered.body.delivered, answered.body.outcome, answered.body.http_status, answered.body.body_start],
    [false, 'refused', 302, 'ü'.repeat(500)],
  )
})

test('an address that leads inward is never reached', async ({ service, newReceiver, desk: { subscribe } }) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const wary = await openProcess(service, { config: { trustedHosts: [] } })
  const { body } = await wary.call('POST', `/v1/webhooks/${webhook.id}/test`, { key, body: {} })
  await wary.close()
  assert.deepEqual([body.delivered, body.outcome, body.http_status], [false, 'refused_address', null])
  assert.equal(receiver.received.length, 0)
})

test('one per second and 100 in a day for each webhook, over all processes; then 429', async ({
  service,
  second,
  newReceiver,
  tryOut,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const other = await makeWebhook(service, key, `${receiver.url}/other`, ['agent.created'])
  assert.equal((await tryOut(key, webhook.id)).status, 200)
  const path = `/v1/webhooks/${webhook.id}/test`
  const refused = await second.call('POST', path, { key, body: {} })
  assertRefused(refused, 429, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await tryOut(key, other.id)).status, 200)
  for (let nth = 1; nth < 100; nth++) {
    await service.clock.advance(1_000)
    assert.equal((await tryOut(key, webhook.id)).status, 200, `number ${nth}`)
  }
  await service.clock.advance(1_000)
  const over = await tryOut(key, webhook.id)
  assertRefused(over, 429, 'rate_limit_error')
  assert.equal(over.headers.get('retry-after'), String(86_400 - 100))
  assert.equal(receiver.received.length, 101)
})

test('what is not as specified is refused', async ({ newReceiver, tryOut, desk: { subscribe } }) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  assertRefused(await tryOut(key, webhook.id, { type: 'event.moved' }), 400, 'validation_error', { param: 'type' })
  assertRefused(await tryOut(key, webhook.id, { kind: 1 }), 400, 'validation_error', { param: 'kind' })
  assertRefused(await tryOut(key, unknownWebhook), 404, 'not_found')
  assert.equal(receiver.received.length, 0)
})

test('a webhook that is made anew is tried no more often than all that the plan allows', async ({
  service,
  call,
  newReceiver,
  tryOut,
}) => {
  const receiver = await newReceiver()
  const { id: orgId, key } = await makeOrganization(service, { plan: 'free' })
  const tryAnew = async () => {
    const { id } = await makeWebhook(service, key, receiver.url, ['agent.created'])
    const answer = await tryOut(key, id)
    await call('DELETE', `/v1/webhooks/${id}`, { key })
    return answer
  }
  // The plan allows three webhooks, and each a hundred tests a day.
  const ofDay = { name: 'webhook_test_day_all', max: 300, windowMs: dayMs }
  for (let nth = 0; nth < 298; nth++) await secondsToWait(service.app, ofDay, decodeId('org', orgId)!)
  assert.equal((await tryAnew()).status, 200)
  assert.equal((await tryAnew()).status, 200)
  await service.clock.advance(1_000)
  assertRefused(await tryAnew(), 429, 'rate_limit_error')
  assert.equal(receiver.received.length, 2)
  await service.clock.advance(dayMs)
  assert.equal((await tryAnew()).status, 200)
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { openHttp } from '../outbound/http.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { deliveryTest, type Looked } from '../testing/deliveries.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { adminToken } from '../testing/harness.ts'
import { openDeliverer } from './deliver.ts'

const test = deliveryTest()

test('a delivery is a signed POST of the payload alone, with exactly the headers of the specification', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const agent = await makeAgent(service, key, { name: 'Größe "M"' })
  await service.drain()
  assert.equal(receiver.received.length, 1)
  const [{ headers, raw, payload }] = receiver.received as [Looked]
  assert.deepEqual(payload, { agent })
  const timestamp = String(service.clock.now().getTime() / 1000)
  const { id } = await onlyDelivery(key, webhook.id)
  assert.match(id, /^whd_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const { host: _, connection: __, ...sent } = headers
  assert.deepEqual(sent, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(raw)),
    'user-agent': 'agent-calendar/1',
    'x-signature': `sha256=${createHmac('sha256', webhook.secret).update(`${timestamp}.${raw}`).digest('hex')}`,
    'x-timestamp': timestamp,
    'x-delivery-id': id,
    'x-service-event-type': 'agent.created',
  })
})

test('a retry has the same delivery id and bytes, and a fresh time and signature', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const answers = [500, 200]
  const receiver = await newReceiver(() => answers.shift() ?? 200)
  const { key, webhook } = await subscribe(receiver)
  const agent = await makeAgent(service, key)
  await service.drain()
  // Later changes of the record do not matter.
  await service.call('PATCH', `/v1/agents/${agent.id}`, { key, body: { name: 'Renamed' } })
  await service.clock.advance(minuteMs)
  await service.drain()
  const [first, again] = receiver.received as [Looked, Looked]
  assert.equal(receiver.received.length, 2)
  assert.equal(again.deliveryId, first.deliveryId)
  assert.equal(again.raw, first.raw)
  assert.equal(Number(again.headers['x-timestamp']) - Number(first.headers['x-timestamp']), 60)
  for (const { headers, raw } of [first, again]) {
    const hmac = createHmac('sha256', webhook.secret).update(`${headers['x-timestamp']}.${raw}`).digest('hex')
    assert.equal(headers['x-signature'], `sha256=${hmac}`)
  }
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['delivered', 2])
})

test('each plan retries at its own moments and not a second earlier, and then gives up', async ({
  service,
  newReceiver,
  desk: { history, onlyDelivery, subscribe },
}) => {
  const free = [1, 5, 30]
  const pro = [...free, 60, 120, 360, 720]
  const cases = [
    ['free', free],
    ['pro', pro],
    ['custom', pro],
  ] as const
  for (const [plan, waits] of cases) {
    const receiver = await newReceiver(() => 503)
    const { key, webhook } = await subscribe(receiver, { plan })
    await makeAgent(service, key)
    await service.drain()
    for (const [index, minutes] of waits.entries()) {
      const at = service.clock.now()
      const nextRetryAt = new Date(at.getTime() + minutes * minuteMs)
      const pending = await onlyDelivery(key, webhook.id)
      assert.deepEqual(
        [pending.status, pending.attempts, pending.last_attempt_at, pending.next_retry_at],
        ['pending', index + 1, at.toISOString(), nextRetryAt.toISOString()],
      )
      await service.clock.advance(minutes * minuteMs - 1000)
      await service.drain()
      assert.equal(receiver.received.length, index + 1, `${plan}: a second early`)
      await service.clock.set(nextRetryAt)
      await service.drain()
      assert.equal(receiver.received.length, index + 2, `${plan}: after ${minutes} min`)
    }
    const failed = await onlyDelivery(key, webhook.id)
    assert.deepEqual(
      [failed.status, failed.attempts, failed.last_attempt_at, failed.next_retry_at],
      ['failed', waits.length + 1, service.clock.now().toISOString(), null],
    )
    assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 0, failed: 1 })
    await service.clock.advance(dayMs)
    await service.drain()
    assert.equal(receiver.received.length, waits.length + 1)
  }
})

test('the schedule is that of the plan at the moment the event was emitted', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver(() => 500)
  const { id: orgId, key, webhook } = await subscribe(receiver, { plan: 'free' })
  await makeAgent(service, key)
  await service.call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
  await service.drain()
  for (const minutes of [1, 5, 30, 60]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  assert.equal(receiver.received.length, 4)
  assert.equal((await onlyDelivery(key, webhook.id)).status, 'failed')
})

test('any 2xx is a success; anything else is tried again, and a redirect is not followed', async ({
  service,
  newReceiver,
  desk: { removeWebhook, onlyDelivery, subscribe },
}) => {
  for (const status of [200, 201, 202, 204, 299]) {
    const receiver = await newReceiver(() => status)
    const { key, webhook } = await subscribe(receiver)
    await makeAgent(service, key)
    await service.drain()
    const delivery = await onlyDelivery(key, webhook.id)
    assert.deepEqual([delivery.status, delivery.attempts, delivery.next_retry_at], ['delivered', 1, null], `${status}`)
  }
  for (const status of [301, 302, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503]) {
    const receiver = await newReceiver(() => status)
    const { key, webhook } = await subscribe(receiver)
    await makeAgent(service, key)
    await service.drain()
    const { status: state, attempts } = await onlyDelivery(key, webhook.id)
    assert.deepEqual([state, attempts, receiver.received.length], ['pending', 1, 1], String(status))
    await removeWebhook(key, webhook.id)
  }
})

test('interim responses of a receiver are no outcome: the final one is', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  receiver.interim = ['103 Early Hints', '100 Continue', '102 Processing']
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['delivered', 1, 1])
})

test('an interim response alone is no delivery: it is tried again', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  receiver.interim = ['103 Early Hints']
  receiver.answer = () => 'hang up'
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['pending', 1, 1])
  receiver.answer = () => 204
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.equal((await onlyDelivery(key, webhook.id)).status, 'delivered')
})

test('a receiver that is not there is tried again', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await receiver.close()
  await makeAgent(service, key)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['pending', 1])
})

test('a host name that resolves to a private address is refused when the connection is made', async ({
  service,
  desk: { removeWebhook, onlyDelivery, serve },
}) => {
  const { key, id } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, 'https://rebound.example.com/hook', ['agent.created'])
  await makeAgent(service, key)
  const addresses = [['10.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:169.254.169.254']]
  const asked: string[] = []
  const http = openHttp({
    trustedHosts: service.app.config.trustedHosts,
    lookup: async (hostname) => {
      asked.push(hostname)
      return addresses.shift() ?? []
    },
  })
  const deliverer = openDeliverer({ ...service.app, http })
  const refused = async () =>
    (await service.app.metrics.deliveryAttempts.get()).values.find(({ labels }) => labels.outcome === 'refused_address')
      ?.value ?? 0
  const before = await refused()
  for (const minutes of [1, 5, 30]) {
    await serve({ id }, deliverer)
    await service.clock.advance(minutes * minuteMs)
  }
  await http.close()
  assert.equal((await refused()) - before, 3)
  assert.deepEqual(asked, Array(3).fill('rebound.example.com'))
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['pending', 3])
  await removeWebhook(key, webhook.id)
})

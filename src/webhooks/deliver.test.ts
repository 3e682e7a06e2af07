import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, test } from 'vitest'
import { openDirectWork } from '../../workers/direct.ts'
import { openHandlers } from '../../workers/handlers.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'
import { openLog } from '../observability/log.ts'
import { openHttp } from '../outbound/http.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import {
  makeAgent,
  makeCalendar,
  makeHold,
  makeOrganization,
  makeWebhook,
  type TestOrganization,
} from '../testing/factories.ts'
import { adminToken, openTestService, type TestService } from '../testing/harness.ts'
import { openProcess, type TestProcess } from '../testing/process.ts'
import { openReceiver, type Receiver } from '../testing/receiver.ts'
import { forgetKeys } from '../testing/redisKeys.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { claimDeliveries } from './attempts.ts'
import { openDeliverer } from './deliver.ts'
import { deliveriesDue } from './due.ts'

let service: TestService
let otherProcess: TestProcess
const receivers: Receiver[] = []

beforeAll(async () => {
  service = await openTestService()
  otherProcess = await openProcess(service)
})
afterAll(async () => {
  for (const receiver of receivers) await receiver.close()
  await otherProcess.close()
  await service.close()
})

async function newReceiver(answer: Receiver['answer'] = () => 200): Promise<Receiver> {
  const receiver = await openReceiver()
  receiver.answer = answer
  receivers.push(receiver)
  return receiver
}

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Looked = any

const readWebhook = async (key: string, id: string): Promise<Looked> =>
  (await service.call('GET', `/v1/webhooks/${id}`, { key })).body

const history = async (key: string, id: string): Promise<Looked> =>
  (await service.call('GET', `/v1/webhooks/${id}/deliveries?limit=100`, { key })).body

const onlyDelivery = async (key: string, id: string): Promise<Looked> => {
  const { data } = await history(key, id)
  assert.equal(data.length, 1)
  return data[0]
}

const patchWebhook = (key: string, id: string, body: object) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { key, body })

/** An organization with one webhook that hears of new agents. */
async function subscribe(receiver: Receiver, options: Parameters<typeof makeOrganization>[1] = {}) {
  const organization = await makeOrganization(service, options)
  const webhook = await makeWebhook(service, organization.key, receiver.url, ['agent.created'])
  return { ...organization, webhook }
}

const makeAgents = async (key: string, count: number) => {
  for (let index = 0; index < count; index++) await makeAgent(service, key, { name: `Agent ${index}` })
}

/** A wake-up for each delivery that is due now for one organization. */
async function duePayloads({ id }: TestOrganization): Promise<Payload<'deliver'>[]> {
  const wakeups = await deliveriesDue.due(service.app, service.clock.now())
  const payloads = wakeups.map(({ payload }) => payload as Payload<'deliver'>)
  return payloads
    .filter(({ orgId }) => orgId === decodeId('org', id))
    .flatMap(({ others = [], beside = [], ...first }) => [
      first,
      ...others.map((deliveryId) => ({ ...first, deliveryId })),
      ...beside.map(([subscriptionId, deliveryId]) => ({ ...first, subscriptionId, deliveryId })),
    ])
}

/** A promise, and the function that fulfils it. */
function openGate() {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('a delivery is a signed POST of the payload alone, with exactly the headers of the specification', async () => {
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

test('a retry has the same delivery id and bytes, and a fresh time and signature', async () => {
  const answers = [500, 200]
  const receiver = await newReceiver(() => answers.shift() ?? 200)
  const { key, webhook } = await subscribe(receiver)
  const agent = await makeAgent(service, key)
  await service.drain()
  // What the record has become since then does not matter.
  await service.call('PATCH', `/v1/agents/${agent.id}`, { key, body: { name: 'Renamed' } })
  await service.clock.advance(minuteMs)
  await service.drain()
  const [first, second] = receiver.received as [Looked, Looked]
  assert.equal(receiver.received.length, 2)
  assert.equal(second.deliveryId, first.deliveryId)
  assert.equal(second.raw, first.raw)
  assert.equal(Number(second.headers['x-timestamp']) - Number(first.headers['x-timestamp']), 60)
  for (const { headers, raw } of [first, second]) {
    const hmac = createHmac('sha256', webhook.secret).update(`${headers['x-timestamp']}.${raw}`).digest('hex')
    assert.equal(headers['x-signature'], `sha256=${hmac}`)
  }
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['delivered', 2])
})

test('each plan retries at its own moments and not a second earlier, and then gives up', async () => {
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

test('the schedule is that of the plan at the moment the event was emitted', async () => {
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

test('any 2xx is a success; anything else is tried again, and a redirect is not followed', async () => {
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
    await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  }
})

test('a receiver that is not there is tried again', async () => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await receiver.close()
  await makeAgent(service, key)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['pending', 1])
})

test('a name that leads inward is refused at the connection, whatever it led to when it was subscribed', async () => {
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
  const { deliver } = openDeliverer({ ...service.app, http })
  const refused = async () =>
    (await service.app.metrics.deliveryAttempts.get()).values.find(({ labels }) => labels.outcome === 'refused_address')
      ?.value ?? 0
  const before = await refused()
  for (const minutes of [1, 5, 30]) {
    for (const payload of await duePayloads({ id, key })) await deliver(payload)
    await service.clock.advance(minutes * minuteMs)
  }
  await http.close()
  assert.equal((await refused()) - before, 3)
  assert.deepEqual(asked, Array(3).fill('rebound.example.com'))
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts], ['pending', 3])
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('a receiver that hangs fails after ten seconds and delays no other subscription', async () => {
  const hanging = await newReceiver(() => 'hang')
  const quick = await newReceiver()
  const { key, webhook } = await subscribe(hanging)
  await makeWebhook(service, key, quick.url, ['agent.created'])
  await makeAgents(key, 15)
  const started = performance.now()
  let quickAfterMs = Infinity
  quick.answer = () => {
    quickAfterMs = performance.now() - started
    return 200
  }
  const payloads = await duePayloads({ id: webhook.orgId, key })
  const { deliver } = openDeliverer(service.app)
  const hung = payloads.filter(({ subscriptionId }) => subscriptionId === decodeId('whk', webhook.id))
  const others = payloads.filter((payload) => !hung.includes(payload))
  assert.deepEqual([hung.length, others.length], [15, 15])
  const all = Promise.all([...hung, ...others].map(deliver))
  await Promise.all(others.map(deliver))
  while (quick.received.length < 15) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(quickAfterMs < 8_000, `the last one after ${quickAfterMs} ms`)
  assert.equal(hanging.received.length, 10)
  // Five wait for a slot; switched off, they wait for longer.
  await patchWebhook(key, webhook.id, { active: false })
  await all
  const tookMs = performance.now() - started
  assert.ok(tookMs > 9_900 && tookMs < 15_000, `${tookMs} ms`)
  assert.equal(hanging.received.length, 10)
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 15, delivered: 0, failed: 0 })
  assert.deepEqual(data.map(({ attempts }: Looked) => attempts).sort(), [...Array(5).fill(0), ...Array(10).fill(1)])
})

test('two workers together have ten attempts of one subscription in flight, and then do the rest', async () => {
  const { open, opened } = openGate()
  const ten = openGate()
  let flying = 0
  let max = 0
  const receiver = await newReceiver(async () => {
    flying++
    max = Math.max(max, flying)
    if (flying === 10) ten.open()
    await opened
    flying--
    return 200
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 30)
  const workers = [openDeliverer(service.app), openDeliverer(otherProcess.app)]
  const twenty = openGate()
  let returned = 0
  const all = (await duePayloads({ id, key })).map(async (payload, index) => {
    await workers[index % 2]!.deliver(payload)
    if (++returned === 20) twenty.open()
  })
  assert.equal(all.length, 30)
  await Promise.all([ten.opened, twenty.opened])
  assert.deepEqual([flying, receiver.received.length], [10, 10])
  open()
  await Promise.all(all)
  assert.equal(max, 10)
  assert.equal(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size, 30)
  assert.equal(receiver.received.length, 30)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 30, failed: 0 })
})

/** An organization with webhooks that all lead to one receiver, and deliveries to each of them. */
async function flood(receiver: Receiver, webhooks: number, deliveries: number) {
  const organization = await makeOrganization(service, { plan: 'custom' })
  for (let nth = 0; nth < webhooks; nth++) {
    await makeWebhook(service, organization.key, `${receiver.url}/${nth}`, ['agent.created'])
  }
  await makeAgents(organization.key, deliveries)
  return organization
}

test('slow receivers of one organization hold a quarter of the places, and delay nobody else, on every worker', async () => {
  const { open, opened } = openGate()
  let flying = 0
  let max = 0
  const slow = await newReceiver(async () => {
    max = Math.max(max, ++flying)
    await opened
    flying--
    return 204
  })
  const quick = await newReceiver()
  const flooder = await flood(slow, 4, 10)
  const victim = await subscribe(quick)
  const workers = [openDeliverer(service.app, 16), openDeliverer(otherProcess.app, 16)]
  const deliverAll = (payloads: Payload<'deliver'>[]) =>
    payloads.map((payload, index) => workers[index % 2]!.deliver(payload))
  const flooded = deliverAll(await duePayloads(flooder))
  while (flying < 8) await new Promise((resolve) => setImmediate(resolve))
  await makeAgents(victim.key, 6)
  await Promise.all(deliverAll(await duePayloads(victim)))
  assert.equal(quick.received.length, 6)
  assert.deepEqual([flying, slow.received.length], [8, 8])
  // What waits is due as before: the sweeper finds it when these processes die.
  assert.equal((await duePayloads(flooder)).length, 32)
  open()
  await Promise.all(flooded)
  assert.equal(max, 8)
  assert.equal(new Set(slow.received.map(({ deliveryId }) => deliveryId)).size, 40)
  assert.equal(slow.received.length, 40)
})

test('what waits for the share of its organization leaves in the order of its changes, all subscriptions in turn', async () => {
  const receiver = await newReceiver()
  const flooder = await flood(receiver, 3, 8)
  const { deliver } = openDeliverer(service.app, 4)
  await Promise.all((await duePayloads(flooder)).map(deliver))
  const names = (path: string) =>
    receiver.received.filter(({ path: one }) => one === path).map(({ payload }) => payload.agent.name)
  for (const nth of [0, 1, 2]) {
    assert.deepEqual(
      names(`/hook/${nth}`),
      Array.from({ length: 8 }, (_, index) => `Agent ${index}`),
    )
  }
  assert.equal(new Set(receiver.received.slice(1, 4).map(({ path }) => path)).size, 3)
})

test('with Redis away a receiver that hangs has ten attempts, and the others go on', async () => {
  const hanging = await newReceiver(() => 'hang')
  const quick = await newReceiver()
  const { key, webhook } = await subscribe(hanging)
  await makeWebhook(service, key, quick.url, ['agent.created'])
  await makeAgents(key, 15)
  const alone = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  const direct = openDirectWork(alone.app, openHandlers(alone.app))
  // As the sweeper does, again and again: without Redis what finds no slot stays due.
  for (let sweeps = 0; quick.received.length < 15 || hanging.received.length < 10; sweeps++) {
    assert.ok(sweeps < 50, `${quick.received.length} and ${hanging.received.length} after ${sweeps} sweeps`)
    direct.start(await deliveriesDue.due(service.app, service.clock.now()))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.equal(hanging.received.length, 10)
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await alone.app.http.close()
  await direct.close()
  await alone.close()
})

test('failures in a row are counted from the first one, and a success sets them to zero', async () => {
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('the log tells when a webhook begins to fail, once, without its address', async () => {
  let status = 401
  const receiver = await newReceiver(() => status)
  const { key, id, webhook } = await subscribe(receiver)
  const lines: string[] = []
  const log = openLog('info', 'test', { write: (line) => lines.push(line) })
  const { deliver } = openDeliverer({ ...service.app, log })
  const attemptAll = async () => Promise.all((await duePayloads({ id, key })).map(deliver))
  const told = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .map(({ message, webhook: one, outcome, http_status }) => [message, one, outcome, http_status])

  // Two first failures of one batch are one beginning.
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('fifty failures in a row switch a subscription off, the others are told, and what is pending waits', async () => {
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

  // Nothing more is sent, however late it gets; and what happens now is not for this subscription.
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

test('fifty failures at once switch a subscription off once', async () => {
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
  assert.ok(failing.received.length < 70, String(failing.received.length))
})

test('a delivery of a subscription that was switched off by hand waits for it to be switched on', async () => {
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

test('a delivery that is due although its subscription is off is set aside, not asked for again and again', async () => {
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

test('what waits for a removed subscription is never sent', async () => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await service.drain()
  assert.equal(receiver.received.length, 0)
})

/** A hold, and one of higher priority over it: two events of one change, the first about `lost`. */
async function preempt(key: string) {
  const calendar = await makeCalendar(service, key)
  const lost = await makeHold(service, key, calendar.id)
  const won = await makeHold(service, key, calendar.id, { hold_priority: 5 })
  return { lost, won }
}

test('the events of one change leave in their order, and a failed one holds back the next until it is done', async () => {
  let status = 500
  const receiver = await newReceiver(({ type }) => (type === 'event.hold_expired' ? status : 200))
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const events = ['event.hold_expired', 'event.hold_created']
  const webhook = await makeWebhook(service, key, receiver.url, events)
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('a delivery that failed for good lets the next of its change go', async () => {
  const receiver = await newReceiver(({ type }) => (type === 'event.hold_expired' ? 500 : 200))
  const { key, id } = await makeOrganization(service, { plan: 'pro' })
  const webhook = await makeWebhook(service, key, receiver.url, ['event.hold_expired', 'event.hold_created'])
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('other changes do not wait for the failed one', async () => {
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('of many first attempts at once exactly as many are sent as the month has left, the rest is recorded as failed', async () => {
  const receiver = await newReceiver()
  const limits = { webhook_deliveries: 7 }
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom', limits })
  await makeAgents(key, 16)
  const workers = [openDeliverer(service.app), openDeliverer(otherProcess.app)]
  const payloads = await duePayloads({ id, key })
  await Promise.all(payloads.map((payload, index) => workers[index % 2]!.deliver(payload)))
  assert.equal(receiver.received.length, 7)
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 7, failed: 9 })
  for (const delivery of data.filter(({ status }: Looked) => status === 'failed')) {
    assert.deepEqual([delivery.attempts, delivery.last_attempt_at, delivery.next_retry_at], [0, null, null])
  }
  // Nobody's fault: the subscription's failures stay as they were.
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
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 9, failed: 12 })
})

test('a retry costs nothing, and the next month has its deliveries again', async () => {
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

test('over the budget the next event of the same change is recorded as well', async () => {
  const receiver = await newReceiver()
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { webhook_deliveries: 2 } })
  const webhook = await makeWebhook(service, key, receiver.url, ['event.hold_expired', 'event.hold_created'])
  await preempt(key)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created', 'event.hold_expired'])
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 2, failed: 1 })
  assert.deepEqual([data[0].event_type, data[0].status, data[0].attempts], ['event.hold_created', 'failed', 0])
})

test('without Redis the budget is counted from Postgres', async () => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom', limits: { webhook_deliveries: 2 } })
  const alone = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  const { deliver } = openDeliverer(alone.app)
  for (let index = 0; index < 4; index++) {
    await makeAgent(service, key)
    for (const payload of await duePayloads({ id, key })) await deliver(payload)
  }
  await alone.close()
  assert.equal(receiver.received.length, 2)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 2, failed: 2 })
})

test('what a worker claimed and never recorded comes again under the same delivery id', async () => {
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

test('a worker that dies in the last attempt leaves a delivery that is still decided', async () => {
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

test('several workers that are woken for one delivery send it once', async () => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const [payload] = await duePayloads({ id, key })
  const workers = [openDeliverer(service.app), openDeliverer(otherProcess.app)]
  await Promise.all([0, 1, 0, 1, 0, 1].map((worker) => workers[worker]!.deliver(payload!)))
  assert.equal(receiver.received.length, 1)
  assert.equal((await onlyDelivery(key, webhook.id)).attempts, 1)
})

test('a worker that is closed claims nothing more, and what it had under way comes again', async () => {
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('a row that cannot be claimed, and one that cannot be opened, stop nobody else', async () => {
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
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('records are kept for 30 days and then dropped, also those that wait for a subscription', async () => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  await makeAgent(service, key)
  await patchWebhook(key, webhook.id, { active: false })
  const { purge } = upkeepHandlers(service.app)
  await service.clock.advance(30 * dayMs)
  await purge({ hour: 0 })
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 1, delivered: 1, failed: 0 })
  await service.clock.advance(1)
  await purge({ hour: 0 })
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 0, failed: 0 })
})

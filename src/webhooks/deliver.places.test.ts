import assert from 'node:assert/strict'
import { openDirectWork } from '../../workers/direct.ts'
import { openHandlers } from '../../workers/handlers.ts'
import { decodeId } from '../shapes/ids.ts'
import { deliveryTest, type Looked, openGate } from '../testing/deliveries.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import type { Receiver } from '../testing/receiver.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { openDeliverer } from './deliver.ts'
import { deliveriesDue } from './due.ts'

const test = deliveryTest()

/** An organization with webhooks that all lead to one receiver, and deliveries to each of them. */
async function flood(service: TestService, receiver: Receiver, webhooks: number, deliveries: number) {
  const organization = await makeOrganization(service, { plan: 'custom' })
  for (let nth = 0; nth < webhooks; nth++) {
    await makeWebhook(service, organization.key, `${receiver.url}/${nth}`, ['agent.created'])
  }
  for (let nth = 0; nth < deliveries; nth++) await makeAgent(service, organization.key, { name: `Agent ${nth}` })
  return organization
}

test('a receiver that hangs fails after ten seconds and delays no other subscription', async ({
  service,
  newReceiver,
  desk: { patchWebhook, history, subscribe, makeAgents, duePayloads },
}) => {
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

test('two workers together have at most ten attempts of one subscription in flight, and then do the rest', async ({
  service,
  second,
  newReceiver,
  desk: { history, subscribe, makeAgents, duePayloads },
}) => {
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
  const workers = [openDeliverer(service.app), openDeliverer(second.app)]
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

test('slow receivers of one organization use a quarter of the places and delay no other organization', async ({
  service,
  second,
  newReceiver,
  desk: { subscribe, makeAgents, duePayloads },
}) => {
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
  const flooder = await flood(service, slow, 4, 10)
  const victim = await subscribe(quick)
  const workers = [openDeliverer(service.app, 16), openDeliverer(second.app, 16)]
  const deliverAll = (payloads: Payload<'deliver'>[]) =>
    payloads.map((payload, index) => workers[index % 2]!.deliver(payload))
  const flooded = deliverAll(await duePayloads(flooder))
  while (flying < 8) await new Promise((resolve) => setImmediate(resolve))
  await makeAgents(victim.key, 6)
  await Promise.all(deliverAll(await duePayloads(victim)))
  assert.equal(quick.received.length, 6)
  assert.deepEqual([flying, slow.received.length], [8, 8])
  // Waiting deliveries are still due: the sweeper finds them when these processes die.
  assert.equal((await duePayloads(flooder)).length, 32)
  open()
  await Promise.all(flooded)
  assert.equal(max, 8)
  assert.equal(new Set(slow.received.map(({ deliveryId }) => deliveryId)).size, 40)
  assert.equal(slow.received.length, 40)
})

test('deliveries that wait for a place leave in the order of their changes, and subscriptions take turns', async ({
  service,
  newReceiver,
  desk: { duePayloads },
}) => {
  const receiver = await newReceiver()
  const flooder = await flood(service, receiver, 3, 8)
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

test('without Redis a receiver that hangs gets ten attempts, and other receivers are not delayed', async ({
  service,
  withoutRedis,
  newReceiver,
  desk: { removeWebhook, subscribe, makeAgents },
}) => {
  const hanging = await newReceiver(() => 'hang')
  const quick = await newReceiver()
  const { key, webhook } = await subscribe(hanging)
  await makeWebhook(service, key, quick.url, ['agent.created'])
  await makeAgents(key, 15)
  const direct = openDirectWork(withoutRedis.app, openHandlers(withoutRedis.app))
  // As the sweeper does repeatedly: without Redis a delivery that finds no slot stays due.
  for (let sweeps = 0; quick.received.length < 15 || hanging.received.length < 10; sweeps++) {
    assert.ok(sweeps < 50, `${quick.received.length} and ${hanging.received.length} after ${sweeps} sweeps`)
    direct.start(await deliveriesDue.due(service.app, service.clock.now()))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.equal(hanging.received.length, 10)
  await removeWebhook(key, webhook.id)
  await withoutRedis.app.http.close()
  await direct.close()
})

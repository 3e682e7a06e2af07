import assert from 'node:assert/strict'
import { openDirectWork } from '../../workers/direct.ts'
import { openHandlers } from '../../workers/handlers.ts'
import { deliveryTest, type Looked, openGate } from '../testing/deliveries.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import type { Receiver } from '../testing/receiver.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { deliveriesDue } from '../webhooks/due.ts'
import { openDeliverer } from './deliver.ts'

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
  desk: { patchWebhook, history, subscribe, makeAgents, dueIds, serve },
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
  assert.equal((await dueIds({ id: webhook.orgId })).length, 30)
  const all = serve({ id: webhook.orgId }, openDeliverer(service.app))
  while (quick.received.length < 15) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(quickAfterMs < 8_000, `the last one after ${quickAfterMs} ms`)
  assert.equal(hanging.received.length, 10)
  // Five wait for the ten; switched off, they wait for longer.
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
  desk: { history, subscribe, makeAgents, dueLanes },
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
  const lanes = await dueLanes({ id })
  for (const worker of [...workers, ...workers]) worker.wake(lanes)
  const all = workers.map((worker) => worker.settle())
  await ten.opened
  for (const worker of [...workers, ...workers]) worker.wake(lanes)
  await Promise.race(all)
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
  desk: { subscribe, makeAgents, dueIds, dueLanes },
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
  const wakeAll = (lanes: LaneKey[]) => {
    for (const [nth, lane] of lanes.entries()) workers[nth % 2]!.wake([lane])
  }
  wakeAll(await dueLanes(flooder))
  while (flying < 8) await new Promise((resolve) => setImmediate(resolve))
  await makeAgents(victim.key, 6)
  wakeAll(await dueLanes(victim))
  while (quick.received.length < 6) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([flying, slow.received.length], [8, 8])
  // Waiting deliveries are still due: the sweeper finds them when these processes die.
  assert.equal((await dueIds(flooder)).length, 32)
  open()
  await Promise.all(workers.map((worker) => worker.settle()))
  assert.equal(max, 8)
  assert.equal(new Set(slow.received.map(({ deliveryId }) => deliveryId)).size, 40)
  assert.equal(slow.received.length, 40)
})

test('deliveries that wait for a place leave in the order of their changes, and subscriptions take turns', async ({
  service,
  newReceiver,
  desk: { serve },
}) => {
  const receiver = await newReceiver()
  const flooder = await flood(service, receiver, 3, 8)
  await serve(flooder, openDeliverer(service.app, 4))
  const names = (path: string) =>
    receiver.received.filter(({ path: one }) => one === path).map(({ payload }) => payload.agent.name)
  for (const nth of [0, 1, 2]) {
    assert.deepEqual(
      names(`/hook/${nth}`),
      Array.from({ length: 8 }, (_, index) => `Agent ${index}`),
    )
  }
  assert.equal(new Set(receiver.received.slice(0, 3).map(({ path }) => path)).size, 3)
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
  const handlers = openHandlers(withoutRedis.app)
  const direct = openDirectWork(withoutRedis.app, handlers)
  // As the sweeper does repeatedly.
  for (let sweeps = 0; quick.received.length < 15 || hanging.received.length < 10; sweeps++) {
    assert.ok(sweeps < 50, `${quick.received.length} and ${hanging.received.length} after ${sweeps} sweeps`)
    direct.start(await deliveriesDue.due(service.app, service.clock.now()))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.equal(hanging.received.length, 10)
  await removeWebhook(key, webhook.id)
  await withoutRedis.app.http.close()
  await direct.close()
  await handlers.deliveries.close()
})

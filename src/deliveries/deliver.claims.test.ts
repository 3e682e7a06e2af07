import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { openHttp } from '../outbound/http.ts'
import { minuteMs } from '../shapes/durations.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { deliveryTest, type Looked, openGate } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { whileOpen } from '../testing/locks.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { claimDeliveries } from './attempts.ts'
import { openDeliverer } from './deliver.ts'
import { takeLanes } from './lanes.ts'

const test = deliveryTest()

/** The state after a worker that dies in its attempts: it has the lanes, and its claims are not recorded. */
async function claimAndDie({ app }: TestService, lanes: LaneKey[]) {
  const owner = newId()
  await takeLanes(app.sql, owner, lanes)
  const asks = lanes.map((lane) => ({ ...lane, room: 1, since: new Date(0) }))
  assert.equal((await claimDeliveries(app.sql, owner, asks)).length, lanes.length)
}

test('a delivery that was claimed and never recorded is sent again under the same id', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe, dueLanes },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await claimAndDie(service, await dueLanes({ id }))
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

test('a delivery whose worker dies in the last attempt is still decided', async ({
  service,
  newReceiver,
  desk: { onlyDelivery, subscribe, dueLanes },
}) => {
  const receiver = await newReceiver(() => 500)
  const { key, id, webhook } = await subscribe(receiver, { plan: 'free' })
  await makeAgent(service, key)
  await service.drain()
  for (const minutes of [1, 5]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  await service.clock.advance(30 * minuteMs)
  await claimAndDie(service, await dueLanes({ id }))
  await service.clock.advance(15_000)
  await service.drain()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['failed', 4, 4])
})

test('what is claimed too late to begin is given up, and leaves at once as a first attempt', async ({
  service: { app },
  newReceiver,
  desk: { history, subscribe, makeAgents, serve },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 3)
  await whileOpen(app.sql, {
    change: (sql) => sql`lock table webhook_deliveries in share mode`,
    work: () => serve({ id }, openDeliverer(app)),
    meanwhile: () => pause(5_200),
  })
  assert.equal(receiver.received.length, 3)
  const { data } = await history(key, webhook.id)
  assert.deepEqual(
    data.map(({ status, attempts }: Looked) => [status, attempts]),
    Array(3).fill(['delivered', 1]),
  )
})

test('several workers that are woken for one delivery send it once', async ({
  service,
  second,
  newReceiver,
  desk: { onlyDelivery, subscribe, dueLanes },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const workers = [openDeliverer(service.app), openDeliverer(second.app)]
  for (const worker of [0, 1, 0, 1, 0, 1]) workers[worker]!.wake(lanes)
  await Promise.all(workers.map((worker) => worker.settle()))
  assert.equal(receiver.received.length, 1)
  assert.equal((await onlyDelivery(key, webhook.id)).attempts, 1)
})

test('a worker that closes claims nothing more, and its open attempts are made again', async ({
  service,
  newReceiver,
  desk: { readWebhook, removeWebhook, history, subscribe, makeAgents, dueIds, serve },
}) => {
  const ten = openGate()
  const receiver = await newReceiver(() => {
    if (receiver.received.length === 10) ten.open()
    return 'hang'
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const http = openHttp({ trustedHosts: service.app.config.trustedHosts })
  const deliverer = openDeliverer({ ...service.app, http })
  const served = serve({ id }, deliverer)
  await ten.opened
  await http.close()
  await served
  const { data } = await history(key, webhook.id)
  assert.deepEqual(data.map(({ attempts }: Looked) => attempts).sort(), [...Array(4).fill(0), ...Array(10).fill(1)])
  const { consecutiveFailures } = await readWebhook(key, webhook.id)
  assert.equal(consecutiveFailures, 0)
  receiver.answer = () => 200
  assert.equal((await dueIds({ id })).length, 4)
  await service.clock.advance(15_000)
  assert.equal((await dueIds({ id })).length, 14)
  await deliverer.close()
  await removeWebhook(key, webhook.id)
})

test('a delivery that cannot be claimed and one that cannot be decrypted do not stop the others', async ({
  service,
  newReceiver,
  desk: { removeWebhook, history, subscribe, makeAgents, dueIds, serve },
}) => {
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const [poisoned, unreadable] = (await dueIds({ id })) as [Uuid, Uuid]
  const { sql } = service.app
  await sql`
    update changes set payload_sealed = '\\x00'
    where (org_id, seq) = (select org_id, seq from webhook_deliveries where id = ${unreadable})`
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''poisoned''; end'`
  await sql.unsafe(`create trigger poison before update on webhook_deliveries for each row
    when (new.id = '${poisoned}') execute function refuse()`)
  await serve({ id }, openDeliverer(service.app))
  assert.equal(receiver.received.length, 12)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 2, delivered: 12, failed: 0 })
  await sql`drop trigger poison on webhook_deliveries`
  await sql`drop function refuse`
  await removeWebhook(key, webhook.id)
})

import assert from 'node:assert/strict'
import { openHandlers } from '../../workers/handlers.ts'
import { openPools } from '../../workers/pools.ts'
import { openHttp } from '../outbound/http.ts'
import { decodeId, newId } from '../shapes/ids.ts'
import { deliveryTest, openGate } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { untilWaiting } from '../testing/locks.ts'
import { openProcess } from '../testing/process.ts'
import { eventually, keysOf } from '../testing/sweeping.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import { claimDeliveries } from './attempts.ts'
import { openDeliverer } from './deliver.ts'
import { isKept, mayClaim } from './lane.ts'
import { giveLanesBack, laneLeaseMs, renewLanes, takeLanes } from './lanes.ts'
import { openRelay } from './relay.ts'

const test = deliveryTest()

test('a lane has one owner until its lease ends; then another process takes it, and the first one claims nothing', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes },
}) => {
  const { sql } = service.app
  const { key, id } = await subscribe(await newReceiver())
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const [first, second] = [newId(), newId()]
  const take = async (owner: typeof first) => {
    const [row] = await takeLanes(sql, owner, lanes)
    return [row?.isTaken, row?.leaseOwner]
  }
  const claim = (owner: typeof first) =>
    claimDeliveries(sql, owner, [{ ...lanes[0]!, room: 10, since: new Date(0) }]).then(({ length }) => length)
  assert.deepEqual(await take(first), [true, null])
  assert.deepEqual(await take(second), [false, first])
  assert.deepEqual(await take(first), [true, null])
  assert.equal(await claim(second), 0)
  await service.clock.advance(laneLeaseMs - 1)
  assert.deepEqual(await take(second), [false, first])
  assert.equal((await renewLanes(sql, first, lanes)).length, 1)
  await service.clock.advance(laneLeaseMs)
  assert.deepEqual(await take(second), [true, null])
  assert.equal(await claim(first), 0)
  assert.equal((await renewLanes(sql, first, lanes)).length, 0)
  // The first one gives back lanes that are not its own any more.
  await giveLanesBack(sql, first, lanes)
  assert.deepEqual(await take(first), [false, second])
  assert.equal(await claim(second), 1)
  await giveLanesBack(sql, second, lanes)
  assert.deepEqual(await take(first), [true, null])
})

test('what is claimed counts until the lease is over, and a claim begins in time before that', () => {
  const keptAt = 1_000
  assert.equal(isKept({ keptAt }, keptAt + laneLeaseMs - 1), true)
  assert.equal(isKept({ keptAt }, keptAt + laneLeaseMs), false)
  assert.equal(mayClaim({ keptAt, failures: 0, unrecorded: 0 }, keptAt + laneLeaseMs - 1_501), true)
  assert.equal(mayClaim({ keptAt, failures: 0, unrecorded: 0 }, keptAt + laneLeaseMs - 1_500), false)
})

test('a wake-up that comes during a claim is not forgotten by what the claim did not see', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes, dueIds },
}) => {
  const { sql } = service.app
  const receiver = await newReceiver()
  const { key, id } = await subscribe(receiver)
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const [first] = await dueIds({ id })
  // The claim waits for the row, with a snapshot in which there is no other one.
  const other = await sql.reserve()
  await other`begin`
  await other`select from webhook_deliveries where id = ${first!} for update`
  const deliverer = openDeliverer(service.app)
  deliverer.wake(lanes)
  await untilWaiting(sql, 1)
  await makeAgent(service, key)
  deliverer.wake(lanes)
  await other`commit`
  other.release()
  await deliverer.settle()
  assert.equal(receiver.received.length, 2)
})

test('a process that is woken for the lane of another one passes that on', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes },
}) => {
  const { app } = service
  const receiver = await newReceiver()
  const { key, id } = await subscribe(receiver)
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const owner = newId()
  await takeLanes(app.sql, owner, lanes)
  const heard: unknown[] = []
  const relay = openRelay(app, owner, (passed) => heard.push(...passed))
  const deliverer = openDeliverer(app)
  // It is heard once the relay is connected.
  await eventually('what is passed on', () => {
    deliverer.wake(lanes)
    return heard.length > 0 || undefined
  })
  assert.deepEqual(heard[0], lanes[0])
  assert.equal(receiver.received.length, 0)
  relay.close()
  await giveLanesBack(app.sql, owner, lanes)
  await deliverer.close()
})

test('a process that was woken for the lane of a dead one takes it when the lease ends, without another wake-up', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes },
}) => {
  const receiver = await newReceiver()
  const { key, id } = await subscribe(receiver)
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const { sql } = service.app
  await takeLanes(sql, newId(), lanes)
  await sql`update webhook_lanes set claimed_until = app_now() + interval '500 ms' where subscription_id = ${lanes[0]!.subscriptionId}`
  const deliverer = openDeliverer(service.app)
  deliverer.wake(lanes)
  await deliverer.settle()
  assert.equal(receiver.received.length, 0)
  await service.clock.advance(500)
  await eventually('the delivery', () => receiver.received.length === 1 || undefined)
  await deliverer.close()
})

test('an owner that lost its lane records what is under way, and sends nothing more', async ({
  service,
  newReceiver,
  desk: { subscribe, makeAgents, history, dueIds, serve },
}) => {
  const { open, opened } = openGate()
  const ten = openGate()
  const receiver = await newReceiver(async () => {
    if (receiver.received.length === 10) ten.open()
    await opened
    return 200
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const deliverer = openDeliverer(service.app)
  const served = serve({ id }, deliverer)
  await ten.opened
  await service.app.sql`update webhook_lanes set owner = ${newId()}`
  open()
  await served
  assert.equal(receiver.received.length, 10)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 4, delivered: 10, failed: 0 })
  assert.equal((await dueIds({ id })).length, 4)
  await deliverer.close()
  await service.clock.advance(laneLeaseMs)
  await service.drain()
  assert.equal(receiver.received.length, 14)
})

test('a lane that has nothing more to do is given back', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes },
}) => {
  const { sql } = service.app
  const receiver = await newReceiver()
  const { key, id } = await subscribe(receiver)
  await makeAgent(service, key)
  const [lane] = await dueLanes({ id })
  const deliverer = openDeliverer(service.app)
  deliverer.wake([lane!])
  await eventually('the delivery', () => receiver.received.length === 1 || undefined)
  await eventually('the lane', async () => {
    const [row] = await sql<{ isFree: boolean }[]>`
      select claimed_until <= app_now() as is_free from webhook_lanes where subscription_id = ${lane!.subscriptionId}`
    return row?.isFree
  })
  await deliverer.close()
})

test('a process that ends gives back its lanes, and rings for what it leaves', async ({
  service,
  newReceiver,
  desk: { subscribe, makeAgents, dueLanes, removeWebhook },
}) => {
  const { app } = service
  const ten = openGate()
  const receiver = await newReceiver(() => {
    if (receiver.received.length === 10) ten.open()
    return 'hang'
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const http = openHttp({ trustedHosts: app.config.trustedHosts })
  const deliverer = openDeliverer({ ...app, http })
  const lanes = await dueLanes({ id })
  deliverer.wake(lanes)
  await ten.opened
  deliverer.wake(lanes)
  const rung = async () => (await keysOf(app)).filter((key) => /:deliver_[^:]+$/.test(key))
  const before = await rung()
  await http.close()
  await deliverer.close()
  const other = newId()
  const [row] = await takeLanes(app.sql, other, lanes)
  assert.equal(row?.isTaken, true)
  await giveLanesBack(app.sql, other, lanes)
  const left = (await rung()).filter((key) => !before.includes(key))
  assert.equal(left.length, 1)
  deliverer.wake(lanes)
  await deliverer.settle()
  assert.equal(receiver.received.length, 10)
  await removeWebhook(key, webhook.id)
})

test('a delivery of a subscription that is off is parked when it comes due', async ({
  service,
  newReceiver,
  desk: { subscribe, patchWebhook, onlyDelivery, dueLanes },
}) => {
  const { sql } = service.app
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await patchWebhook(key, webhook.id, { active: false })
  // As if it was emitted while the subscription was being switched off.
  await sql`
    update webhook_deliveries set next_retry_at = app_now()
    where subscription_id = ${decodeId('whk', webhook.id)!} and status = 'pending'`
  assert.equal((await dueLanes({ id })).length, 1)
  await service.drain()
  assert.equal((await dueLanes({ id })).length, 0)
  const { status, attempts, next_retry_at } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, next_retry_at, receiver.received.length], ['pending', 0, null, 0])
})

test('a result waits for Postgres: the attempt is not made again', async ({
  service,
  newReceiver,
  desk: { subscribe, onlyDelivery, serve },
}) => {
  const way = await openWay(service.app.config.databaseUrl)
  const cut = await openProcess(service, { config: { databaseUrl: way.url } })
  const receiver = await newReceiver(() => {
    way.treat('hang up')
    way.reset()
    setTimeout(() => way.treat('pass on'), 700)
    return 200
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await serve({ id }, openDeliverer(cut.app))
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['delivered', 1, 1])
  await cut.close()
  await way.close()
})

test('a process with the pool of deliveries serves what it rings for itself, past the queue', async ({
  service,
  newReceiver,
  desk: { subscribe },
}) => {
  const working = await openProcess(service)
  await working.app.bell.queues.get('deliveries')!.pause()
  const pools = openPools(working.app, ['deliveries'], openHandlers(working.app))
  const receiver = await newReceiver()
  const { key } = await subscribe(receiver)
  await working.call('POST', '/v1/agents', { key, body: { name: 'Agent', type: 'ai' } })
  await eventually('the delivery', () => receiver.received.length === 1 || undefined)
  await working.app.bell.queues.get('deliveries')!.resume()
  await pools.close()
  await working.close()
})

import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { deliveryTest, openGate } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { untilWaiting } from '../testing/locks.ts'
import { eventually } from '../testing/sweeping.ts'
import { jobs } from '../wakeups/jobs.ts'
import type { LaneKey } from '../wakeups/lanes.ts'
import { claimDeliveries } from './attempts.ts'
import { openDeliverer } from './deliver.ts'
import { giveLanesBack, laneLeaseMs, openClaims, takeLanes } from './lanes.ts'

const test = deliveryTest()

const askAll = (lane: LaneKey, room: number) => [{ ...lane, room, since: new Date(0) }]

test('whoever takes the lane of a dead owner counts the claims that it left open, and none if it gave the lane back', async ({
  service,
  newReceiver,
  desk: { subscribe, makeAgents, dueLanes },
}) => {
  const { sql } = service.app
  const { key, id } = await subscribe(await newReceiver())
  await makeAgents(key, 3)
  const [lane] = await dueLanes({ id })
  const [first, second, third] = [newId(), newId(), newId()]
  const take = async (owner: typeof first) => {
    const [row] = await takeLanes(sql, owner, [lane!])
    assert.equal(row?.isTaken, true)
    return row
  }
  await take(first)
  assert.equal((await claimDeliveries(sql, first, askAll(lane!, 2))).length, 2)
  await service.clock.advance(laneLeaseMs)
  const taken = await take(second)
  assert.equal(taken.openClaims, 2)
  // Its own claim is not counted with them.
  assert.equal((await claimDeliveries(sql, second, askAll(lane!, 10))).length, 1)
  const counted = async () => (await openClaims(sql, [taken]))[0]?.openClaims
  assert.equal(await counted(), 2)
  await service.clock.advance(jobs.deliver.leaseMs - laneLeaseMs - 1)
  assert.equal(await counted(), 2)
  await service.clock.advance(1)
  assert.equal(await counted(), 0)
  await giveLanesBack(sql, second, [lane!])
  assert.equal((await take(third)).openClaims, 0)
})

test('at most ten attempts are under way when a lane is taken from a dead owner', async ({
  service,
  newReceiver,
  desk: { subscribe, makeAgents, dueLanes, removeWebhook },
}) => {
  const { sql } = service.app
  const { open, opened } = openGate()
  const receiver = await newReceiver(async () => {
    await opened
    return 200
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 14)
  const lanes = await dueLanes({ id })
  const dead = newId()
  await takeLanes(sql, dead, lanes)
  await claimDeliveries(sql, dead, askAll(lanes[0]!, 7))
  await service.clock.advance(laneLeaseMs)
  const deliverer = openDeliverer(service.app)
  deliverer.wake(lanes)
  await eventually('three deliveries', () => receiver.received.length === 3 || undefined)
  // Their claims are of one statement.
  const [claimed] = await sql`
    select count(*)::integer as n from webhook_deliveries
    where subscription_id = ${lanes[0]!.subscriptionId} and attempts > 0`
  assert.equal(claimed?.n, 10)
  // The claims of the dead owner end before those of these three.
  await service.clock.advance(jobs.deliver.leaseMs - laneLeaseMs)
  await eventually('ten deliveries', () => receiver.received.length === 10 || undefined)
  open()
  await eventually('all deliveries', () => receiver.received.length === 14 || undefined)
  assert.equal(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size, 14)
  await deliverer.close()
  await removeWebhook(key, webhook.id)
})

test('an owner that was stalled in a claim sends nothing of it once its lane was taken: it is due for the next owner', async ({
  service,
  newReceiver,
  desk: { subscribe, makeAgents, dueLanes, dueIds, history },
}) => {
  const { sql, metrics } = service.app
  const receiver = await newReceiver()
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgents(key, 3)
  const lanes = await dueLanes({ id })
  const [locked] = await dueIds({ id })
  const other = await sql.reserve()
  await other`begin`
  await other`select from webhook_deliveries where id = ${locked!} for update`
  const stalled = openDeliverer(service.app)
  stalled.wake(lanes)
  await untilWaiting(sql, 1)
  const next = newId()
  await sql`update webhook_lanes set owner = ${next} where subscription_id = ${lanes[0]!.subscriptionId}`
  await eventually(
    'the lane is lost',
    async () => (await metrics.deliveryLanes.get()).values[0]?.value === 0 || undefined,
  )
  await other`commit`
  other.release()
  await stalled.settle()
  assert.equal(receiver.received.length, 0)
  assert.equal((await dueIds({ id })).length, 3)
  await giveLanesBack(sql, next, lanes)
  await service.drain()
  assert.equal(receiver.received.length, 3)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 3, failed: 0 })
  await stalled.close()
})

test('the late result of a stalled owner overwrites nothing that the next one recorded', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes, onlyDelivery },
}) => {
  const { sql } = service.app
  const { open, opened } = openGate()
  const receiver = await newReceiver(async () => {
    if (receiver.received.length > 1) return 200
    await opened
    return 500
  })
  const { key, id, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const lanes = await dueLanes({ id })
  const stalled = openDeliverer(service.app)
  stalled.wake(lanes)
  await eventually('the first attempt', () => receiver.received.length === 1 || undefined)
  await sql`
    update webhook_lanes set owner = ${newId()}, claimed_until = '-infinity'
    where subscription_id = ${lanes[0]!.subscriptionId}`
  await service.clock.advance(jobs.deliver.leaseMs)
  const next = openDeliverer(service.app)
  next.wake(lanes)
  await eventually('the second attempt', () => receiver.received.length === 2 || undefined)
  await next.settle()
  open()
  await stalled.settle()
  const { status, attempts } = await onlyDelivery(key, webhook.id)
  assert.deepEqual([status, attempts, receiver.received.length], ['delivered', 2, 2])
  await Promise.all([stalled.close(), next.close()])
})

import assert from 'node:assert/strict'
import { newId, type Uuid } from '../shapes/ids.ts'
import { openProcess } from '../testing/process.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { maxInFlight, openSlots } from './slots.ts'

const test = serviceTest()
  .extend('here', perFile, ({ service }) => openSlots(service.app))
  .extend('there', perFile, ({ second }) => openSlots(second.app))
  .extend('withoutRedis', perFile, async ({ service }, { onCleanup }) => {
    const process = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
    onCleanup(process.close)
    return openSlots(process.app)
  })
  /** Takes a slot for each in order, in turn here and there. */
  .extend('takeAll', perFile, ({ here, there }) => async (subscription: Uuid, deliveries: Uuid[]) => {
    const taken: boolean[] = []
    for (const [index, delivery] of deliveries.entries()) {
      taken.push(await (index % 2 ? there : here).take(subscription, delivery))
    }
    return taken
  })

const newIds = (count: number) => Array.from({ length: count }, newId)

test('a subscription has ten slots on all workers together', async ({ here, there }) => {
  const subscription = newId()
  const taken = await Promise.all(
    newIds(30).map((delivery, index) => (index % 2 ? there : here).take(subscription, delivery)),
  )
  assert.equal(taken.filter(Boolean).length, maxInFlight)
  assert.equal(maxInFlight, 10)
})

test('a subscription without a free slot does not use those of another one', async ({ here, takeAll }) => {
  const [full, free] = [newId(), newId()]
  await takeAll(full, newIds(10))
  assert.equal(await here.take(full, newId()), false)
  assert.equal(await here.take(free, newId()), true)
})

test('a free slot goes to the delivery that waited longest, on whichever worker', async ({ here, there, takeAll }) => {
  const subscription = newId()
  const deliveries = newIds(12)
  assert.deepEqual(await takeAll(subscription, deliveries), [...Array(10).fill(true), false, false])
  assert.equal(await there.pass(subscription, deliveries[1]!, undefined), deliveries[10])
  assert.equal(await here.pass(subscription, deliveries[0]!, undefined), deliveries[11])
  assert.equal(await here.pass(subscription, deliveries[2]!, undefined), undefined)
})

test('the next delivery of the same change goes first, and the line keeps its order', async ({ here, takeAll }) => {
  const subscription = newId()
  const deliveries = newIds(11)
  const successor = newId()
  await takeAll(subscription, deliveries)
  assert.equal(await here.pass(subscription, deliveries[0]!, successor), successor)
  assert.equal(await here.take(subscription, newId()), false)
  assert.equal(await here.pass(subscription, successor, undefined), deliveries[10])
})

test('a delivery that leaves frees its slot and removes the one that waited longest from the line', async ({
  here,
  there,
  takeAll,
}) => {
  const subscription = newId()
  const deliveries = newIds(12)
  await takeAll(subscription, deliveries)
  assert.equal(await here.leave(subscription, deliveries[0]!), deliveries[10])
  assert.equal(await there.take(subscription, newId()), true)
  assert.equal(await there.pass(subscription, deliveries[1]!, undefined), deliveries[11])
  assert.equal(await here.leave(subscription, deliveries[2]!), undefined)
})

test('a delivery that asks twice stands in line once', async ({ here, there, takeAll }) => {
  const subscription = newId()
  const deliveries = newIds(11)
  await takeAll(subscription, deliveries)
  assert.equal(await there.take(subscription, deliveries[10]!), false)
  assert.equal(await here.pass(subscription, deliveries[0]!, undefined), deliveries[10])
  assert.equal(await here.pass(subscription, deliveries[2]!, undefined), undefined)
})

test('without Redis each process has ten slots of its own, and a successor still gets the slot', async ({
  withoutRedis: slots,
}) => {
  const subscription = newId()
  const successor = newId()
  const deliveries = newIds(12)
  const taken = await Promise.all(deliveries.map((delivery) => slots.take(subscription, delivery)))
  assert.deepEqual(taken, [...Array(10).fill(true), false, false])
  assert.equal(await slots.pass(subscription, deliveries[0]!, successor), successor)
  assert.equal(await slots.pass(subscription, successor, undefined), undefined)
  assert.equal(await slots.take(subscription, deliveries[10]!), true)
  assert.equal(await slots.take(subscription, deliveries[11]!), false)
})

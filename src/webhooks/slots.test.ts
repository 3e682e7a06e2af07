import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { newId, type Uuid } from '../shapes/ids.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { openProcess, type TestProcess } from '../testing/process.ts'
import { maxInFlight, openSlots, type Slots } from './slots.ts'

let service: TestService
let other: TestProcess
let here: Slots
let there: Slots

beforeAll(async () => {
  service = await openTestService()
  other = await openProcess(service)
  here = openSlots(service.app)
  there = openSlots(other.app)
})
afterAll(async () => {
  await other.close()
  await service.close()
})

const newIds = (count: number) => Array.from({ length: count }, newId)

/** Takes a slot for each in order, in turn here and there. */
async function takeAll(subscription: Uuid, deliveries: Uuid[]): Promise<boolean[]> {
  const taken: boolean[] = []
  for (const [index, delivery] of deliveries.entries()) {
    taken.push(await (index % 2 ? there : here).take(subscription, delivery))
  }
  return taken
}

test('two workers together have ten slots of a subscription, whoever asks', async () => {
  const subscription = newId()
  const taken = await Promise.all(
    newIds(30).map((delivery, index) => (index % 2 ? there : here).take(subscription, delivery)),
  )
  assert.equal(taken.filter(Boolean).length, maxInFlight)
  assert.equal(maxInFlight, 10)
})

test('a subscription without a free slot takes none of another one', async () => {
  const [full, free] = [newId(), newId()]
  await takeAll(full, newIds(10))
  assert.equal(await here.take(full, newId()), false)
  assert.equal(await here.take(free, newId()), true)
})

test('a slot goes to whoever stood in line longest, over all workers', async () => {
  const subscription = newId()
  const deliveries = newIds(12)
  assert.deepEqual(await takeAll(subscription, deliveries), [...Array(10).fill(true), false, false])
  assert.equal(await there.pass(subscription, deliveries[1]!, undefined), deliveries[10])
  assert.equal(await here.pass(subscription, deliveries[0]!, undefined), deliveries[11])
  assert.equal(await here.pass(subscription, deliveries[2]!, undefined), undefined)
})

test('the next delivery of the same change goes before the line, and the line keeps its place', async () => {
  const subscription = newId()
  const deliveries = newIds(11)
  const successor = newId()
  await takeAll(subscription, deliveries)
  assert.equal(await here.pass(subscription, deliveries[0]!, successor), successor)
  assert.equal(await here.take(subscription, newId()), false)
  assert.equal(await here.pass(subscription, successor, undefined), deliveries[10])
})

test('who leaves gives the slot back, and takes whoever stood in line longest out of the line', async () => {
  const subscription = newId()
  const deliveries = newIds(12)
  await takeAll(subscription, deliveries)
  assert.equal(await here.leave(subscription, deliveries[0]!), deliveries[10])
  assert.equal(await there.take(subscription, newId()), true)
  assert.equal(await there.pass(subscription, deliveries[1]!, undefined), deliveries[11])
  assert.equal(await here.leave(subscription, deliveries[2]!), undefined)
})

test('who asks again while in line stands there once', async () => {
  const subscription = newId()
  const deliveries = newIds(11)
  await takeAll(subscription, deliveries)
  assert.equal(await there.take(subscription, deliveries[10]!), false)
  assert.equal(await here.pass(subscription, deliveries[0]!, undefined), deliveries[10])
  assert.equal(await here.pass(subscription, deliveries[2]!, undefined), undefined)
})

test('without Redis each process keeps to ten by itself, and a successor still gets the slot', async () => {
  const alone = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  try {
    const slots = openSlots(alone.app)
    const subscription = newId()
    const successor = newId()
    const deliveries = newIds(12)
    const taken = await Promise.all(deliveries.map((delivery) => slots.take(subscription, delivery)))
    assert.deepEqual(taken, [...Array(10).fill(true), false, false])
    assert.equal(await slots.pass(subscription, deliveries[0]!, successor), successor)
    assert.equal(await slots.pass(subscription, successor, undefined), undefined)
    assert.equal(await slots.take(subscription, deliveries[10]!), true)
    assert.equal(await slots.take(subscription, deliveries[11]!), false)
  } finally {
    await alone.close()
  }
})

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { deliveryTest, type Looked, openGate } from '../testing/deliveries.ts'
import type { Receiver } from '../testing/receiver.ts'
import { eventually } from '../testing/sweeping.ts'
import { openDeliverer } from './deliver.ts'

const test = deliveryTest()

/** Quick until `close`: what arrives after it waits for `open`. */
function openTap() {
  const { open, opened } = openGate()
  let isClosed = false
  let flying = 0
  let max = 0
  return {
    open,
    close: () => {
      isClosed = true
    },
    max: () => max,
    flying: () => flying,
    async answer() {
      max = Math.max(max, ++flying)
      await (isClosed ? opened : pause(20))
      flying--
      return 200
    },
  }
}

type NewReceiver = (answer: Receiver['answer']) => Promise<Receiver>

/** A receiver that hangs from its fifteenth delivery on. */
async function openHanging(newReceiver: NewReceiver) {
  const tap = openTap()
  const receiver = await newReceiver(async () => {
    if (receiver.received.length === 15) tap.close()
    return tap.answer()
  })
  return { tap, receiver }
}

test('a quick receiver has ten in flight, and what waits for it leaves in the order in which it came due', async ({
  service,
  newReceiver,
  desk: { history, subscribe, makeAgents, serve },
}) => {
  const tap = openTap()
  const receiver = await newReceiver(tap.answer)
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom' })
  await makeAgents(key, 60)
  await serve({ id }, openDeliverer(service.app))
  assert.equal(tap.max(), 10)
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 60, failed: 0 })
  const nth = receiver.received.map(({ payload }) => Number(payload.agent.name.replace('Agent ', '')))
  assert.deepEqual(
    nth.slice(0, 10).sort((a, b) => a - b),
    nth.toSorted((a, b) => a - b).slice(0, 10),
  )
  // Ten begin at once, so a delivery may overtake nine others; on a busy machine some are given back, and leave later.
  const shifts = nth.map((one, at) => Math.abs(at - one))
  assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) < 10 * nth.length, `they came as ${nth}`)
})

test('what was claimed for a receiver that hangs now is due again soon, and has cost neither an attempt nor a unit', async ({
  service,
  newReceiver,
  desk: { history, subscribe, makeAgents, dueIds, dueLanes },
}) => {
  const { tap, receiver } = await openHanging(newReceiver)
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom', limits: { webhook_deliveries: 60 } })
  await makeAgents(key, 60)
  const deliverer = openDeliverer(service.app)
  deliverer.wake(await dueLanes({ id }))
  const claimed = async () =>
    (await history(key, webhook.id)).data.filter(({ status, attempts }: Looked) => status === 'pending' && attempts > 0)
      .length
  await eventually('claims beyond those in flight', async () => (await claimed()) > 10 || undefined)
  await eventually('only those in flight', async () => (await claimed()) === 10 || undefined)
  assert.equal(tap.flying(), 10)
  const { data, stats } = await history(key, webhook.id)
  const waiting = data.filter(({ status, attempts }: Looked) => status === 'pending' && attempts === 0)
  assert.equal(waiting.length + 10, stats.pending)
  assert.equal((await dueIds({ id })).length, waiting.length)
  assert.ok(waiting.every(({ last_attempt_at }: Looked) => last_attempt_at === null))
  tap.open()
  await deliverer.settle()
  assert.deepEqual((await history(key, webhook.id)).stats, { pending: 0, delivered: 60, failed: 0 })
  assert.equal(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size, 60)
  assert.equal(receiver.received.length, 60)
  await deliverer.close()
})

test('a worker that ends leaves what it claimed ahead due', async ({
  service,
  second,
  newReceiver,
  desk: { history, subscribe, makeAgents, dueIds, dueLanes },
}) => {
  const { tap, receiver } = await openHanging(newReceiver)
  const { key, id, webhook } = await subscribe(receiver, { plan: 'custom' })
  await makeAgents(key, 60)
  const deliverer = openDeliverer(service.app)
  deliverer.wake(await dueLanes({ id }))
  await eventually('ten in flight', () => (receiver.received.length > 15 && tap.flying() === 10) || undefined)
  const closed = deliverer.close()
  tap.open()
  await closed
  const due = await dueIds({ id })
  assert.equal(due.length, 60 - receiver.received.length)
  const next = openDeliverer(second.app)
  next.wake(await dueLanes({ id }))
  await next.settle()
  await next.close()
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 60, failed: 0 })
  assert.ok(data.every(({ attempts }: Looked) => attempts === 1))
})

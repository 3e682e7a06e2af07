import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolNames } from './config.ts'
import { jobs, type Wakeup, wakeDeliveries, wakeDelivery, wakeTimers, wakeUpkeep } from './jobs.ts'

const second = 1_772_442_000
const delivery = {
  orgId: '0190163d-8694-739b-aea5-966c26f8ad91',
  id: '0190163d-8694-739b-aea5-966c26f8ad92',
  subscriptionId: '0190163d-8694-739b-aea5-966c26f8ad93',
  attempts: 2,
  dueAt: new Date(second * 1000),
}
const rescuedAt = new Date('2026-03-02T09:00:00.000Z')
const wakeups: Wakeup[] = [
  wakeTimers(3, second),
  wakeTimers(3, second, rescuedAt),
  wakeDelivery(delivery),
  wakeDelivery(delivery, rescuedAt),
  wakeUpkeep(492_345),
]

test('every job goes to a queue that has a pool', () => {
  for (const { queue } of Object.values(jobs)) assert.ok(poolNames.includes(queue), queue)
})

test('every wake-up carries what its job expects, as JSON', () => {
  for (const { name, payload } of wakeups) {
    assert.deepEqual(jobs[name].payload.parse(JSON.parse(JSON.stringify(payload))), payload)
  }
})

test('an identifier holds no colon and is never all digits: BullMQ would refuse it', () => {
  for (const { id } of wakeups) assert.match(id, /^(?!\d+$)[^:]+$/)
})

test('the timers of one second and shard share one wake-up, due with that second', () => {
  assert.deepEqual(wakeTimers(3, second), wakeTimers(3, second))
  assert.equal(wakeTimers(3, second).dueAt.getTime(), second * 1000)
  const ids = [wakeTimers(3, second), wakeTimers(4, second), wakeTimers(3, second + 1)].map(({ id }) => id)
  assert.equal(new Set(ids).size, 3)
})

test('each attempt of a delivery, and each moment it is put to, has a wake-up of its own', () => {
  assert.equal(wakeDelivery(delivery).id, wakeDelivery({ ...delivery }).id)
  assert.notEqual(wakeDelivery(delivery).id, wakeDelivery({ ...delivery, attempts: 3 }).id)
  assert.notEqual(wakeDelivery(delivery).id, wakeDelivery({ ...delivery, dueAt: new Date(0) }).id)
  assert.notEqual(wakeDelivery(delivery).id, wakeDelivery({ ...delivery, id: delivery.orgId }).id)
})

test('what one statement emitted to one subscription is rung for together, fifty at most', () => {
  const rows = Array.from({ length: 120 }, (_, nth) => ({ ...delivery, id: `d${nth}` }))
  const other = { ...delivery, id: 'e', subscriptionId: delivery.orgId }
  const rung = wakeDeliveries([...rows, other])
  const ids = rung.map(({ payload }) => {
    assert.ok('deliveryId' in payload)
    return [payload.deliveryId, ...(payload.others ?? [])]
  })
  assert.deepEqual(
    ids.map(({ length }) => length),
    [50, 50, 20, 1],
  )
  assert.deepEqual(
    ids.flat(),
    [...rows, other].map(({ id }) => id),
  )
})

test('a rescue is not swallowed by the wake-up that got stuck, and is repeated every ten seconds at most', () => {
  const after = (ms: number) => wakeDelivery(delivery, new Date(rescuedAt.getTime() + ms)).id
  assert.notEqual(after(0), wakeDelivery(delivery).id)
  assert.equal(after(0), after(9_999))
  assert.notEqual(after(0), after(10_000))
  assert.notEqual(wakeTimers(3, second, rescuedAt).id, wakeTimers(3, second).id)
})

test('upkeep is due at its full hour', () => {
  assert.equal(wakeUpkeep(492_345).dueAt.toISOString(), '2026-03-02T09:00:00.000Z')
})

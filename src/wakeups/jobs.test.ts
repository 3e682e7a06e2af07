import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Uuid } from '../shapes/ids.ts'
import { jobs, poolNames, type Wakeup, wakeDeliveries, wakeDelivery, wakeTimers, wakeUpkeep } from './jobs.ts'

const second = 1_772_442_000
const delivery = {
  orgId: '0190163d-8694-739b-aea5-966c26f8ad91' as Uuid,
  id: '0190163d-8694-739b-aea5-966c26f8ad92' as Uuid,
  subscriptionId: '0190163d-8694-739b-aea5-966c26f8ad93' as Uuid,
  attempts: 2,
  dueAt: new Date(second * 1000),
}
const rescuedAt = new Date('2026-03-02T09:00:00.000Z')
const wakeups: Wakeup[] = [
  wakeTimers(3, second),
  wakeTimers(3, second, rescuedAt),
  wakeDelivery(delivery),
  wakeDelivery(delivery, rescuedAt),
  ...wakeDeliveries([delivery, { ...delivery, id: delivery.orgId }, { ...delivery, subscriptionId: delivery.orgId }]),
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

test('what is due at once for one organization is rung for together, fifty at most, in its order', () => {
  const sister = { ...delivery, subscriptionId: '0193b3c2-7f6d-7000-8000-0000000000aa' as Uuid }
  const rows = Array.from({ length: 120 }, (_, nth) => ({ ...(nth % 3 ? delivery : sister), id: `d${nth}` as Uuid }))
  const foreign = { ...delivery, id: 'e' as Uuid, orgId: delivery.subscriptionId }
  const rung = wakeDeliveries([...rows, foreign])
  const rungFor = rung.map(({ payload }) => {
    assert.ok('deliveryId' in payload)
    const { orgId, subscriptionId, deliveryId, others = [], beside = [] } = payload
    return [
      ...[deliveryId, ...others].map((id) => ({ orgId, subscriptionId, id })),
      ...beside.map(([besideId, id]) => ({ orgId, subscriptionId: besideId, id })),
    ]
  })
  assert.deepEqual(
    rungFor.map(({ length }) => length),
    [50, 50, 20, 1],
  )
  const whole = [...rows, foreign].map(({ orgId, subscriptionId, id }) => ({ orgId, subscriptionId, id }))
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
  assert.deepEqual(rungFor.flat().toSorted(byId), whole.toSorted(byId))
  for (const group of rungFor) {
    for (const one of [delivery, sister]) {
      const nths = group.filter((row) => row.subscriptionId === one.subscriptionId).map(({ id }) => Number(id.slice(1)))
      assert.deepEqual(
        nths,
        nths.toSorted((a, b) => a - b),
      )
    }
  }
  assert.equal(new Set(rung.map(({ id }) => id)).size, rung.length)
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

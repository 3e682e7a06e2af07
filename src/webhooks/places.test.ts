import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openMetrics } from '../observability/metrics.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type Attempt, maxInLine, openPlaces, type Places } from './places.ts'

/** Places whose work lasts until it is ended; `order` has all of it as it began. */
function openWork(total: number) {
  const metrics = openMetrics()
  const working: { attempt: Attempt; end: () => void }[] = []
  const order: string[] = []
  const places = openPlaces(metrics, total, (attempt) => {
    order.push(attempt.deliveryId)
    return new Promise((end) => working.push({ attempt, end }))
  })
  const held = (orgId: string) => working.filter(({ attempt }) => attempt.orgId === orgId).length
  /** Ends the first that is at work, of this organization when it is named, and lets what follows begin. */
  async function endOne(orgId?: string) {
    const at = working.findIndex(({ attempt }) => orgId === undefined || attempt.orgId === orgId)
    if (at < 0) return false
    const [ended] = working.splice(at, 1)
    ended!.end()
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    return true
  }
  return { places, metrics, working, order, held, endOne }
}

let count = 0
/** Names stand for identifiers: places only compare them. */
const to = (orgId: string, subscriptionId = `${orgId}'s`): Attempt => ({
  orgId: orgId as Uuid,
  subscriptionId: subscriptionId as Uuid,
  deliveryId: `d${count++}` as Uuid,
})

/** Starts `each` deliveries for every subscription of an organization. */
function flood(places: Places, orgId: string, subscriptions: number, each: number): Attempt[] {
  const attempts = Array.from({ length: subscriptions * each }, (_, nth) =>
    to(orgId, `${orgId} ${nth % subscriptions}`),
  )
  for (const attempt of attempts) void places.enter(attempt)
  return attempts
}

test('an organization alone has a quarter of the places at most, and who comes next has one at once', async () => {
  for (const total of [400, 200, 100, 24, 8, 4]) {
    const { places, held } = openWork(total)
    flood(places, 'flooder', 25, 40)
    assert.ok(held('flooder') <= total / 4, `${held('flooder')} of ${total}`)
    assert.ok(held('flooder') >= total / 5, `${held('flooder')} of ${total}`)
    void places.enter(to('other'))
    assert.equal(held('other'), 1)
  }
})

test('a single place goes to whoever asks first, and then to the next organization', async () => {
  const { places, order, endOne } = openWork(1)
  const [first, second, third] = [to('a'), to('a'), to('b')]
  for (const attempt of [first, second, third]) void places.enter(attempt)
  assert.deepEqual(order, [first.deliveryId])
  await endOne()
  await endOne()
  await endOne()
  assert.deepEqual(
    order,
    [first, second, third].map(({ deliveryId }) => deliveryId),
  )
})

test('however many organizations flood, a place is free for one more, and each of them has some', () => {
  const { places, held } = openWork(400)
  flood(places, 'flooder', 25, 40)
  const others = Array.from({ length: 20 }, (_, nth) => `other ${nth}`)
  for (const other of others) flood(places, other, 3, 40)
  for (const other of others) assert.ok(held(other) >= 1, other)
  void places.enter(to('victim'))
  assert.equal(held('victim'), 1)
})

test('the longer it lasts the more equal are the parts', async () => {
  const { places, held, endOne, working } = openWork(400)
  flood(places, 'flooder', 25, 100)
  const others = Array.from({ length: 20 }, (_, nth) => `other ${nth}`)
  for (const other of others) flood(places, other, 3, 100)
  for (let ended = 0; ended < 1_500; ended++) await endOne()
  const all = ['flooder', ...others].map(held)
  assert.ok(Math.max(...all) <= 1.5 * Math.min(...all), `${all}`)
  assert.ok(working.length > 300, `${working.length} at work`)
})

test('a subscription leaves room for the others of its organization', async () => {
  const { places, held, working } = openWork(40)
  for (let nth = 0; nth < 50; nth++) void places.enter(to('a', 'slow'))
  const slow = held('a')
  assert.ok(slow >= 5 && slow < 10, String(slow))
  void places.enter(to('a', 'quick'))
  assert.equal(working.at(-1)?.attempt.subscriptionId, 'quick')
})

test('the subscriptions of an organization take turns, each in its own order', async () => {
  const { places, order, endOne } = openWork(4)
  void places.enter(to('a', 'first'))
  const waiting = ['first', 'first', 'second', 'first', 'second', 'third'].map((subscription) => to('a', subscription))
  for (const attempt of waiting) void places.enter(attempt)
  while (await endOne());
  const [f1, f2, s1, f3, s2, t1] = waiting
  assert.deepEqual(
    order.slice(1),
    [f1, s1, t1, f2, s2, f3].map((attempt) => attempt!.deliveryId),
  )
})

test('everything that stood in line is worked on once, and then all places are free', async () => {
  const { places, metrics, order, endOne } = openWork(16)
  const attempts = [...flood(places, 'a', 5, 40), ...flood(places, 'b', 2, 40)]
  // Woken for again while in line.
  for (const attempt of attempts.filter(({ deliveryId }) => !order.includes(deliveryId))) void places.enter(attempt)
  while (await endOne());
  assert.equal(order.length, attempts.length)
  assert.equal(new Set(order).size, attempts.length)
  const of = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
    (await metric.get()).values.map(({ value }) => value)
  assert.deepEqual(await of(metrics.deliveryPlaces), [0, 16])
  assert.deepEqual(await of(metrics.deliveriesInLine), [0])
})

test('entering resolves at once for what has to wait, and else when its place is free again', async () => {
  const { places, endOne } = openWork(4)
  let isOver = false
  const first = places.enter(to('a')).then(() => {
    isOver = true
  })
  await places.enter(to('a'))
  assert.equal(isOver, false)
  await endOne()
  assert.equal(isOver, false, 'it took along what waited')
  await endOne()
  await first
  assert.equal(isOver, true)
})

test('a place is kept unless somebody in line could have it', async () => {
  const { places, working, endOne } = openWork(8)
  void places.enter(to('a'))
  const holder = working[0]!.attempt
  assert.equal(places.mayKeep(holder), true)
  flood(places, 'a', 3, 5)
  assert.equal(places.mayKeep(holder), false)
  assert.equal(await endOne(), true)
})

test('a line has an end: what is beyond it is left, and counted', async () => {
  const { places, metrics } = openWork(4)
  flood(places, 'a', 1, maxInLine + 11)
  const { values } = await metrics.deliveriesOverShare.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.outcome, value]),
    [
      ['waited', maxInLine],
      ['left', 10],
    ],
  )
})
